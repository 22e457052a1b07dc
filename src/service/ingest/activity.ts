import { stageEvents } from './event-columns.js';
import type { Format } from './format.js';

/** A wallet's doings as the Data API's `/activity` returns them: trades, splits, merges, redemptions, conversions. */
export const activityFormat: Format = {
  name: 'Data API /activity JSON',
  into: 'events',
  matches: (head) => head.kind === 'json' && ['proxyWallet', 'type', 'timestamp'].every((key) => head.keys.has(key)),
  fields: [
    'proxyWallet',
    'type',
    'side',
    'asset',
    'conditionId',
    'size',
    'price',
    'usdcSize',
    'timestamp',
    'transactionHash',
  ],
  select: (source) =>
    stageEvents(`
      SELECT "proxyWallet" AS wallet, type, side, asset AS token, "conditionId" AS condition, size, price,
        "usdcSize" AS usdc, timestamp AS time, "transactionHash" AS tx
      FROM ${source}`),
};
