import {
  orderFilledFormat,
  pmaBlocksFormat,
  pmaMarketsFormat,
  pmaTradesFormat,
  polyTradesFormat,
} from './archive-formats.js';
import type { FormatId } from './format-names.js';
import { millisOf } from './sql-text.js';
import type { Format, KnownFormat } from './stage.js';
import { listEntry, RANK, stageEvents, stageMarkets, winnerByPrices } from './staged-columns.js';

/** The fee schedule of a market that says it takes none. */
const NO_FEES = '{"rate": 0, "exponent": 1, "takerOnly": true}';

/** Markets as Gamma's `/markets` returns them: as JSON, or as CSV with the lists as JSON text. */
const gammaFormat: KnownFormat = {
  name: 'Gamma /markets JSON',
  into: 'markets',
  required: ['conditionId', 'outcomes'],
  optional: [
    'id',
    'question',
    'slug',
    'events',
    'closed',
    'volume',
    'startDate',
    'endDate',
    'closedTime',
    'clobTokenIds',
    'outcomePrices',
    'negRisk',
    'negRiskMarketID',
    'updatedAt',
    'category',
    'feesEnabled',
    'feeSchedule',
  ],
  select: (source) =>
    stageMarkets(
      source,
      {
        condition: '"conditionId"',
        question: 'question',
        slug: 'slug',
        eventSlug: `json_extract_string(try_cast(events AS JSON), '$[0].slug')`,
        closed: 'closed',
        volume: 'volume',
        start: '"startDate"',
        end: '"endDate"',
        close: '"closedTime"',
        tokenA: listEntry('"clobTokenIds"', 0),
        tokenB: listEntry('"clobTokenIds"', 1),
        outcomeA: listEntry('outcomes', 0),
        outcomeB: listEntry('outcomes', 1),
        sides: 'json_array_length(try_cast(outcomes AS JSON))',
        winner: winnerByPrices('"outcomePrices"'),
        group: 'CASE WHEN try_cast("negRisk" AS BOOLEAN) THEN "negRiskMarketID" END',
        category: 'category',
        fees: `CASE WHEN try_cast("feesEnabled" AS BOOLEAN) IS NOT DISTINCT FROM false THEN '${NO_FEES}' ELSE "feeSchedule" END`,
        number: 'id',
        updated: millisOf('"updatedAt"'),
      },
      { outcomes: 'outcomes', tokens: 'clobTokenIds', closes: 'closedTime or endDate' },
    ),
};

const clobToken = (index: number, field: string) =>
  `json_extract_string(try_cast(tokens AS JSON), '$[${index}].${field}')`;

/**
 * Markets as the CLOB's `/markets` returns them, alone or in its pages. The outcome marked as the winner won; without
 * one, a market that is marked as 50:50, or whose prices are 0.5 each, is a tie. Volume, event and close time are not
 * stated; the end stands for the close time.
 */
const clobFormat: KnownFormat = {
  name: 'CLOB /markets JSON',
  into: 'markets',
  required: ['condition_id', 'market_slug', 'tokens'],
  optional: [
    'question',
    'closed',
    'end_date_iso',
    'accepting_order_timestamp',
    'neg_risk',
    'neg_risk_market_id',
    'is_50_50_outcome',
  ],
  select: (source) =>
    stageMarkets(
      source,
      {
        condition: 'condition_id',
        question: 'question',
        slug: 'market_slug',
        closed: 'closed',
        start: 'accepting_order_timestamp',
        end: 'end_date_iso',
        tokenA: clobToken(0, 'token_id'),
        tokenB: clobToken(1, 'token_id'),
        outcomeA: clobToken(0, 'outcome'),
        outcomeB: clobToken(1, 'outcome'),
        sides: 'json_array_length(try_cast(tokens AS JSON))',
        winner: `CASE WHEN ${clobToken(0, 'winner')} = 'true' THEN 0 WHEN ${clobToken(1, 'winner')} = 'true' THEN 1
          WHEN try_cast(is_50_50_outcome AS BOOLEAN) OR (try_cast(${clobToken(0, 'price')} AS DOUBLE) = 0.5
            AND try_cast(${clobToken(1, 'price')} AS DOUBLE) = 0.5) THEN 2 END`,
        group: 'CASE WHEN try_cast(neg_risk AS BOOLEAN) THEN neg_risk_market_id END',
        updated: String(RANK.clob),
      },
      { outcomes: 'tokens', tokens: 'token ids', closes: 'end_date_iso' },
    ),
};

const DATA_API_FIELDS = {
  wallet: '"proxyWallet"',
  side: 'side',
  token: 'asset',
  condition: '"conditionId"',
  size: 'size',
  price: 'price',
  usdc: '"usdcSize"',
  time: 'timestamp',
  tx: '"transactionHash"',
};

/** Fills as the Data API's `/trades` returns them, as JSON or as CSV. */
const tradesFormat: KnownFormat = {
  name: 'Data API /trades JSON or CSV',
  into: 'events',
  required: ['proxyWallet', 'side', 'asset', 'size', 'price', 'timestamp'],
  optional: ['conditionId', 'usdcSize', 'transactionHash'],
  without: ['type'],
  select: (source) => stageEvents(source, { ...DATA_API_FIELDS, type: `'TRADE'` }),
};

/** A wallet's trades, splits, merges, redemptions and conversions as the Data API's `/activity` returns them. */
const activityFormat: KnownFormat = {
  name: 'Data API /activity JSON',
  into: 'events',
  required: ['proxyWallet', 'type', 'timestamp'],
  optional: ['side', 'asset', 'conditionId', 'size', 'price', 'usdcSize', 'transactionHash'],
  select: (source) => stageEvents(source, { ...DATA_API_FIELDS, type: 'type' }),
};

/** How each format is read; one that the list names and nothing reads is a type error. */
const KNOWN: Readonly<Record<FormatId, KnownFormat>> = {
  gamma: gammaFormat,
  clob: clobFormat,
  trades: tradesFormat,
  activity: activityFormat,
  'order-filled': orderFilledFormat,
  'poly-trades': polyTradesFormat,
  'pma-trades': pmaTradesFormat,
  'pma-blocks': pmaBlocksFormat,
  'pma-markets': pmaMarketsFormat,
};

/** All formats that are recognized by their fields. */
export const FORMATS: readonly Format[] = Object.entries(KNOWN).map(([id, format]) => ({ id, ...format }));

/** The format that has these fields, or undefined. */
export function formatOf(names: readonly string[]): Format | undefined {
  const known = new Set(names);
  return FORMATS.find(
    ({ required, without = [] }) =>
      required.every((name) => known.has(name)) && !without.some((name) => known.has(name)),
  );
}
