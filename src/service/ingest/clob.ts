import type { Format } from './format.js';
import { RANK, stageMarkets } from './market-columns.js';

const token = (index: number, field: string) => `json_extract_string(try_cast(tokens AS JSON), '$[${index}].${field}')`;

/**
 * Markets as the CLOB's `/markets` returns them, alone or in its pages. The outcome marked as the winner won; without
 * one, a market that is marked as 50:50, or whose prices are 0.5 each, is a tie. Volume, event and close time are not
 * stated; the end stands for the close time.
 */
export const clobFormat: Format = {
  id: 'clob',
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
        tokenA: token(0, 'token_id'),
        tokenB: token(1, 'token_id'),
        outcomeA: token(0, 'outcome'),
        outcomeB: token(1, 'outcome'),
        sides: 'json_array_length(try_cast(tokens AS JSON))',
        winner: `CASE WHEN ${token(0, 'winner')} = 'true' THEN 0 WHEN ${token(1, 'winner')} = 'true' THEN 1
          WHEN try_cast(is_50_50_outcome AS BOOLEAN) OR (try_cast(${token(0, 'price')} AS DOUBLE) = 0.5
            AND try_cast(${token(1, 'price')} AS DOUBLE) = 0.5) THEN 2 END`,
        group: 'CASE WHEN try_cast(neg_risk AS BOOLEAN) THEN neg_risk_market_id END',
        updated: String(RANK.clob),
      },
      {
        condition: 'condition_id',
        slug: 'market_slug',
        outcomes: 'tokens',
        tokens: 'token ids',
        closes: 'end_date_iso',
      },
    ),
};
