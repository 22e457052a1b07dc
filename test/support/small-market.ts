import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { ended, gammaMarket, trade } from './raw-records.js';
import { put } from './temporary-folder.js';

/** First second of 2026. */
export const NEW_YEAR = 1_767_225_600;

const DAY = 86_400;

/** Raw records: 12 markets, three of which have ended, and two wallets' fills over 40 days. */
export function smallRecords() {
  const ends = [ended(0), ended(1), ended('tie')];
  const markets = Array.from({ length: 12 }, (_, n) => gammaMarket(n + 1, ends[n]));
  const trades = Array.from({ length: 40 }, (_, day) => [
    trade({
      wallet: 1,
      market: (day % 12) + 1,
      side: 0,
      does: 'BUY',
      size: 10,
      price: 0.4,
      time: NEW_YEAR + day * DAY,
    }),
    trade({
      wallet: 1,
      market: (day % 12) + 1,
      side: 0,
      does: 'SELL',
      size: 4,
      price: 0.5,
      time: NEW_YEAR + day * DAY + 60,
    }),
    trade({
      wallet: 2,
      market: (day % 5) + 1,
      side: 1,
      does: 'BUY',
      size: 3.5,
      price: 0.6,
      time: NEW_YEAR + day * DAY + 5,
    }),
  ]).flat();
  return { markets, trades };
}

/** The one folder of this process that {@link ingestSmall} copies. */
let ingested: Promise<string> | undefined;

/** Fills a folder with {@link smallRecords} and what an ingest makes of them. */
export async function ingestSmall(folder: string): Promise<void> {
  ingested ??= ingestOnce().catch((error: unknown) => {
    ingested = undefined;
    throw error;
  });
  await cp(await ingested, folder, { recursive: true, verbatimSymlinks: true });
}

async function ingestOnce(): Promise<string> {
  const folder = await mkdtemp(join(process.env.TESTS_FOLDER ?? tmpdir(), 'small-'));
  const { markets, trades } = smallRecords();
  const inputs = [await put(folder, 'm.json', markets), await put(folder, 't.json', trades)];
  await ingest({ folder, inputs });
  return folder;
}
