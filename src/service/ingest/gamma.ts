import { millisOf } from './event-columns.js';
import type { Format } from './format.js';
import { entry, stageMarkets, winnerByPrices } from './market-columns.js';

/** Markets as Gamma's `/markets` returns them: as JSON, or as CSV with the lists as JSON text. */
export const gammaFormat: Format = {
  id: 'gamma',
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
        tokenA: entry('"clobTokenIds"', 0),
        tokenB: entry('"clobTokenIds"', 1),
        outcomeA: entry('outcomes', 0),
        outcomeB: entry('outcomes', 1),
        sides: 'json_array_length(try_cast(outcomes AS JSON))',
        winner: winnerByPrices('"outcomePrices"'),
        group: 'CASE WHEN try_cast("negRisk" AS BOOLEAN) THEN "negRiskMarketID" END',
        number: 'id',
        updated: millisOf('"updatedAt"'),
      },
      {
        condition: 'conditionId',
        slug: 'slug',
        outcomes: 'outcomes',
        tokens: 'clobTokenIds',
        closes: 'closedTime or endDate',
      },
    ),
};
