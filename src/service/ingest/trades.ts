import { stageEvents } from './event-columns.js';
import type { Format } from './format.js';

/** Fills as the Data API's `/trades` returns them, as JSON or as CSV. */
export const tradesFormat: Format = {
  id: 'trades',
  name: 'Data API /trades JSON or CSV',
  into: 'events',
  required: ['proxyWallet', 'side', 'asset', 'size', 'price', 'timestamp'],
  optional: ['conditionId', 'usdcSize', 'transactionHash'],
  without: ['type'],
  select: (source) =>
    stageEvents(source, {
      wallet: '"proxyWallet"',
      type: `'TRADE'`,
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
