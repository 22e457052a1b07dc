import { stageEvents, wholeOf } from './event-columns.js';
import type { Format } from './format.js';

/**
 * Fills as poly_data's `processed/trades.csv` holds them. Each row is an OrderFilled event, of which the maker's side
 * counts, and names its market by the number in Gamma.
 */
export const polyTradesFormat: Format = {
  id: 'poly-trades',
  name: 'poly_data trades.csv',
  into: 'events',
  required: ['timestamp', 'market_id', 'maker', 'nonusdc_side', 'maker_direction', 'usd_amount', 'token_amount'],
  optional: ['price', 'transactionHash'],
  select: (source) =>
    stageEvents(
      source,
      {
        wallet: 'maker',
        type: `'TRADE'`,
        side: 'maker_direction',
        size: 'token_amount',
        price: 'price',
        usdc: 'usd_amount',
        time: 'timestamp',
        tx: '"transactionHash"',
        number: wholeOf('market_id'),
        numberSide: `CASE trim(nonusdc_side) WHEN 'token1' THEN 0 WHEN 'token2' THEN 1 END`,
      },
      {
        wallet: 'maker',
        side: 'maker_direction',
        token: 'market_id or nonusdc_side',
        size: 'token_amount',
        usdc: 'usd_amount',
      },
    ),
};
