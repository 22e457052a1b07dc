import { millisOf, wholeOf } from './event-columns.js';
import type { Format } from './format.js';
import { entry, RANK, stageMarkets, winnerByPrices } from './market-columns.js';

/** Markets as prediction-market-analysis keeps them: those of Gamma without a close time; the end stands for it. */
export const pmaMarketsFormat: Format = {
  id: 'pma-markets',
  name: 'prediction-market-analysis markets',
  into: 'markets',
  required: ['condition_id', 'outcomes', 'outcome_prices', 'clob_token_ids'],
  optional: ['id', 'question', 'slug', 'volume', 'closed', 'end_date', 'created_at', '_fetched_at'],
  select: (source) =>
    stageMarkets(
      source,
      {
        condition: 'condition_id',
        question: 'question',
        slug: 'slug',
        closed: 'closed',
        volume: 'volume',
        start: 'created_at',
        end: 'end_date',
        tokenA: entry('clob_token_ids', 0),
        tokenB: entry('clob_token_ids', 1),
        outcomeA: entry('outcomes', 0),
        outcomeB: entry('outcomes', 1),
        sides: 'json_array_length(try_cast(outcomes AS JSON))',
        winner: winnerByPrices('outcome_prices'),
        number: wholeOf('id'),
        updated: `${RANK.pma} + coalesce(${millisOf('_fetched_at')}, 0)`,
      },
      {
        condition: 'condition_id',
        slug: 'slug',
        outcomes: 'outcomes',
        tokens: 'clob_token_ids',
        closes: 'end_date',
      },
    ),
};
