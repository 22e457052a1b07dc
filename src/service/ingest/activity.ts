import { stageEvents } from './event-columns.js';
import type { Format } from './format.js';

/** A wallet's trades, splits, merges, redemptions and conversions as the Data API's `/activity` returns them. */
export const activityFormat: Format = {
  id: 'activity',
  name: 'Data API /activity JSON',
  into: 'events',
  required: ['proxyWallet', 'type', 'timestamp'],
  optional: ['side', 'asset', 'conditionId', 'size', 'price', 'usdcSize', 'transactionHash'],
  select: (source) =>
    stageEvents(source, {
      wallet: '"proxyWallet"',
      type: 'type',
      side: 'side',
      token: 'asset',
      condition: '"conditionId"',
      size: 'size',
      price: 'price',
      usdc: '"usdcSize"',
      time: 'timestamp',
      tx: '"transactionHash"',
    }),
};
