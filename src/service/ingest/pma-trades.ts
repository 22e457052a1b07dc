import { idOf, wholeOf } from './event-columns.js';
import type { Format } from './format.js';
import { stageOrders } from './order-columns.js';

/**
 * The exchange's OrderFilled events as prediction-market-analysis keeps them. They have no time, which its `blocks`
 * tell, but a true id: transaction hash and log index.
 */
export const pmaTradesFormat: Format = {
  id: 'pma-trades',
  name: 'prediction-market-analysis trades',
  into: 'events',
  required: ['block_number', 'maker', 'maker_asset_id', 'taker_asset_id', 'maker_amount', 'taker_amount'],
  optional: ['transaction_hash', 'log_index', 'fee'],
  select: (source) =>
    stageOrders(source, {
      maker: 'maker',
      makerAsset: 'maker_asset_id',
      makerAmount: 'maker_amount',
      takerAsset: 'taker_asset_id',
      takerAmount: 'taker_amount',
      fee: 'fee',
      block: 'block_number',
      tx: 'transaction_hash',
      id: idOf('lower(trim(transaction_hash))', wholeOf('log_index')),
    }),
};
