import { stageEvents } from './event-columns.js';
import type { Format } from './format.js';

const REQUIRED = ['proxyWallet', 'side', 'asset', 'size', 'price', 'timestamp'];

/** Fills as the Data API's `/trades` returns them, as JSON or as CSV. */
export const tradesFormat: Format = {
  name: 'Data API /trades JSON or CSV',
  into: 'events',
  matches: (head) => {
    const names = head.kind === 'json' ? head.keys : new Set(head.columns);
    return !names.has('type') && REQUIRED.every((name) => names.has(name));
  },
  fields: [...REQUIRED, 'conditionId', 'usdcSize', 'transactionHash'],
  select: (source) =>
    stageEvents(`
      SELECT "proxyWallet" AS wallet, 'TRADE' AS type, side, asset AS token, "conditionId" AS condition, size, price,
        "usdcSize" AS usdc, timestamp AS time, "transactionHash" AS tx
      FROM ${source}`),
};
