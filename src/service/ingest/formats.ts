import { quoteName, quoteText } from '../../base/duckdb.js';
import {
  orderFilledFormat,
  pmaBlocksFormat,
  pmaMarketsFormat,
  pmaTradesFormat,
  polyTradesFormat,
} from './archive-formats.js';
import type { FormatId } from './format-names.js';
import { idOf, millisOf } from './sql-text.js';
import { extracted, type Format, fieldsOf, type KnownFormat } from './stage.js';
import { stageEvents } from './staged-columns.js';
import { areEven, categoryBy, listEntry, RANK, stageMarkets, winnerByPrices } from './staged-markets.js';
import { resolutionsFormat, tokensFormat } from './token-formats.js';

/** The fee schedule of a market that says it takes none. */
const NO_FEES = '{"rate": 0, "exponent": 1, "takerOnly": true}';

const GAMMA_FIELDS = [
  'id',
  'conditionId',
  'question',
  'slug',
  'closed',
  'volume',
  'startDate',
  'endDate',
  'closedTime',
  'outcomes',
  'outcomePrices',
  'clobTokenIds',
  'positionIds',
  'negRisk',
  'negRiskMarketID',
  'updatedAt',
  'category',
  'tags',
  'feesEnabled',
  'feeSchedule',
];

/** SQL for a token of a Gamma market; those of Protocol V2 have their tokens in `positionIds`. */
const gammaToken = (index: number) =>
  `coalesce(${listEntry('"clobTokenIds"', index)}, ${listEntry('"positionIds"', index)})`;

/**
 * SQL that stages Gamma's markets.
 *
 * @param source A query that gives {@link GAMMA_FIELDS} as text, and what `event` reads.
 * @param event SQL for the slug, the category, the tags and the id of exclusion of the market's event.
 */
function selectGamma(source: string, event: Record<'slug' | 'category' | 'tags' | 'group', string>): string {
  const fields = {
    condition: '"conditionId"',
    question: 'question',
    slug: 'slug',
    eventSlug: event.slug,
    closed: 'closed',
    volume: 'volume',
    start: '"startDate"',
    end: '"endDate"',
    close: '"closedTime"',
    tokenA: gammaToken(0),
    tokenB: gammaToken(1),
    outcomeA: listEntry('outcomes', 0),
    outcomeB: listEntry('outcomes', 1),
    sides: 'json_array_length(try_cast(outcomes AS JSON))',
    winner: winnerByPrices('"outcomePrices"'),
    group: `CASE WHEN try_cast("negRisk" AS BOOLEAN) THEN coalesce("negRiskMarketID", ${event.group}) END`,
    category: `coalesce(nullif(trim(category), ''), nullif(trim(${event.category}), ''), ${categoryBy('tags')}, ${categoryBy(event.tags)})`,
    fees: `CASE WHEN try_cast("feesEnabled" AS BOOLEAN) IS NOT DISTINCT FROM false THEN '${NO_FEES}' ELSE "feeSchedule" END`,
    number: 'id',
    updated: millisOf('"updatedAt"'),
  };
  return stageMarkets(source, fields, {
    outcomes: 'outcomes',
    tokens: 'clobTokenIds',
    closes: 'closedTime or endDate',
  });
}

/** Markets as Gamma's `/markets` returns them, alone or in its pages: as JSON, or as CSV with the lists as JSON text. */
const gammaFormat: KnownFormat = {
  name: 'Gamma /markets JSON',
  into: 'markets',
  required: ['conditionId', 'outcomes'],
  optional: ['events', ...GAMMA_FIELDS.filter((name) => name !== 'conditionId' && name !== 'outcomes')],
  select: (source) => {
    const [slug, category, tags, group] = ['event[1]', 'event[2]', 'event[3]', 'event[4]'] as const;
    const paths = ['slug', 'category', 'tags', 'negRiskMarketID'].map((name) => quoteText(`$[0].${name}`));
    const event = `json_extract_string(try_cast(events AS JSON), [${paths}])`;
    return selectGamma(`(SELECT *, ${event} AS event FROM ${source})`, { slug, category, tags, group });
  },
};

/** Markets within the events that Gamma's `/events` returns, alone or in its pages. An event without one is no row. */
const gammaEventsFormat: KnownFormat = {
  name: 'Gamma /events JSON',
  into: 'markets',
  required: ['slug', 'markets'],
  optional: ['category', 'tags', 'negRiskMarketID'],
  without: ['conditionId'],
  select: (source) => {
    const list = 'try_cast(markets AS JSON)';
    // What is no event, or has no list, becomes a row without a value, which is told.
    const nested = `
      (SELECT ${fieldsOf('fields', GAMMA_FIELDS)}, event_slug, event_category, event_tags, event_group, _row FROM (
        SELECT ${extracted('market', GAMMA_FIELDS)} AS fields, event_slug, event_category, event_tags, event_group, _row FROM (
          SELECT slug AS event_slug, category AS event_category, tags AS event_tags, "negRiskMarketID" AS event_group, _row,
            unnest(CASE WHEN json_type(${list}) = 'ARRAY' THEN json_extract(${list}, '$[*]')
              WHEN slug IS NULL OR markets IS NOT NULL THEN [NULL::JSON] END) AS market
          FROM ${source})))`;
    const event = { slug: 'event_slug', category: 'event_category', tags: 'event_tags', group: 'event_group' };
    return selectGamma(nested, event);
  },
};

const clobToken = (index: number, field: string) =>
  `json_extract_string(try_cast(tokens AS JSON), '$[${index}].${field}')`;

/**
 * Markets as the CLOB's `/markets` returns them, alone or in its pages. The outcome marked as the winner won; without
 * one, a market that is marked as 50:50, or whose prices are even, is a tie. Volume, event and close time are not
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
    'tags',
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
          WHEN try_cast(is_50_50_outcome AS BOOLEAN) OR ${areEven(clobToken(0, 'price'), clobToken(1, 'price'))} THEN 2 END`,
        category: categoryBy('tags'),
        group: 'CASE WHEN try_cast(neg_risk AS BOOLEAN) THEN neg_risk_market_id END',
        updated: String(RANK.clob),
      },
      { outcomes: 'tokens', tokens: 'token ids', closes: 'end_date_iso' },
    ),
};

/** How the versions of the Data API call what they tell of an event: they differ in nothing else. */
const DATA_API = [
  {
    version: '',
    wallet: 'proxyWallet',
    token: 'asset',
    condition: 'conditionId',
    usdc: 'usdcSize',
    tx: 'transactionHash',
  },
  {
    version: ' v2',
    wallet: 'proxy_wallet',
    token: 'token_id',
    condition: 'condition_id',
    usdc: 'usdc_size',
    tx: 'transaction_hash',
  },
] as const;

function dataApiFields({ wallet, token, condition, usdc, tx }: (typeof DATA_API)[number]) {
  return {
    wallet: quoteName(wallet),
    side: 'side',
    token: quoteName(token),
    condition: quoteName(condition),
    size: 'size',
    price: 'price',
    usdc: quoteName(usdc),
    time: 'timestamp',
    tx: quoteName(tx),
  };
}

/** Fills as the Data API's `/trades` returns them, as JSON or as CSV. */
const tradesFormats = DATA_API.map((names): KnownFormat => {
  const { version, wallet, token, condition, usdc, tx } = names;
  return {
    name: `Data API${version} /trades JSON or CSV`,
    into: 'events',
    required: [wallet, 'side', token, 'size', 'price', 'timestamp'],
    optional: [condition, usdc, tx],
    without: ['type'],
    select: (source) => stageEvents(source, { ...dataApiFields(names), type: `'TRADE'` }),
  };
});

/**
 * A wallet's trades, splits, merges, redemptions, conversions and migrations as the Data API's `/activity` returns them.
 * Fills of combos have an id, which is unique within their wallet.
 */
const activityFormats = DATA_API.map((names): KnownFormat => {
  const { version, wallet, token, condition, usdc, tx } = names;
  return {
    name: `Data API${version} /activity JSON`,
    into: 'events',
    required: [wallet, 'type', 'timestamp'],
    optional: ['id', 'side', token, condition, 'size', 'price', usdc, tx],
    select: (source) => {
      const id = idOf(`lower(trim(${quoteName(wallet)}))`, `nullif(trim(id), '')`);
      return stageEvents(source, { ...dataApiFields(names), type: 'type', id });
    },
  };
});

/** How each format is read, in one form or several; one that the list names and nothing reads is a type error. */
const KNOWN: Readonly<Record<FormatId, KnownFormat | readonly KnownFormat[]>> = {
  gamma: gammaFormat,
  'gamma-events': gammaEventsFormat,
  clob: clobFormat,
  trades: tradesFormats,
  activity: activityFormats,
  tokens: tokensFormat,
  resolutions: resolutionsFormat,
  'order-filled': orderFilledFormat,
  'poly-trades': polyTradesFormat,
  'pma-trades': pmaTradesFormat,
  'pma-blocks': pmaBlocksFormat,
  'pma-markets': pmaMarketsFormat,
};

/** All formats that are recognized by their fields. */
export const FORMATS: readonly Format[] = Object.entries(KNOWN).flatMap(([id, forms]) =>
  [forms].flat().map((format) => ({ id, ...format })),
);

/** The format that has these fields, or undefined. */
export function formatOf(names: readonly string[]): Format | undefined {
  const known = new Set(names);
  return FORMATS.find(
    ({ required, without = [] }) =>
      required.every((name) => known.has(name)) && !without.some((name) => known.has(name)),
  );
}
