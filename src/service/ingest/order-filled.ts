import type { Format } from './format.js';
import { stageOrders } from './order-columns.js';

/** The exchange's OrderFilled events as poly_data writes them: with a time, but no log index and therefore no id. */
export const orderFilledFormat: Format = {
  id: 'order-filled',
  name: 'poly_data orderFilled.csv',
  into: 'events',
  required: ['timestamp', 'maker', 'makerAssetId', 'makerAmountFilled', 'takerAssetId', 'takerAmountFilled'],
  optional: ['transactionHash'],
  select: (source) =>
    stageOrders(source, {
      maker: 'maker',
      makerAsset: '"makerAssetId"',
      makerAmount: '"makerAmountFilled"',
      takerAsset: '"takerAssetId"',
      takerAmount: '"takerAmountFilled"',
      time: 'timestamp',
      tx: '"transactionHash"',
    }),
};
