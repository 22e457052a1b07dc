import { join } from 'node:path';
import { SourceError } from '../base/errors.js';
import { writeWhole } from '../base/whole-file.js';
import { FetchFolder, type FetchManifest, type FetchOptions } from './fetch-folder.js';
import { FetchProgress } from './fetch-progress.js';
import { afterVersion2, isRefused } from './refusals.js';
import { walkOffsets } from './walk-offsets.js';
import type { RecordPage } from './walk-pages.js';
import { walkV2 } from './walk-pages.js';

/** What a fetch of the leaderboard did. */
export interface LeaderboardFetch {
  readonly folder: string;
  readonly manifest: FetchManifest;
  /** The wallets, the highest profit first. */
  readonly wallets: readonly string[];
}

/** Rows a page. */
const PAGE = 50;

/**
 * Fetches the wallets of the highest profit of all time, without names, into a file that replaces an older one.
 *
 * @param most How many wallets at most.
 * @throws {SourceError} If the source gives none.
 * @throws {DataError} If the folder cannot be written, or holds another fetch.
 */
export async function fetchLeaderboard(most: number, options: FetchOptions): Promise<LeaderboardFetch> {
  const folder = await FetchFolder.open(options.out, 'leaderboard', 'leaderboard', 'all');
  const rows = new Map<string, string>();
  try {
    await takeRows(most, options, folder, rows).catch((error) => {
      if (!(error instanceof SourceError) || rows.size === 0) throw error;
      folder.miss('leaderboard', error.message);
    });
    await writeWhole(
      join(folder.path, 'leaderboard.ndjson'),
      [...rows.values()].map((text) => `${text}\n`),
      { durable: true },
    );
    const manifest = await folder.finish(Math.floor(Date.now() / 1000), { leaderboard: rows.size });
    return { folder: folder.path, manifest, wallets: [...rows.keys()] };
  } finally {
    await folder.close({ empty: rows.size === 0 });
  }
}

/** Fills a map of rows by wallet, from version 2 of the Data API or, where it refuses, from version 1. */
async function takeRows(
  most: number,
  { sources, onProgress }: FetchOptions,
  folder: FetchFolder,
  rows: Map<string, string>,
): Promise<void> {
  const progress = new FetchProgress('leaderboard', onProgress);
  progress.begin('wallets');
  const take = async (path: string, walk: AsyncIterable<RecordPage>) => {
    for await (const { records } of walk) {
      for (const { value, text } of records) {
        folder.drift.count(path, path === V2 ? 'v2 leaderboard' : 'v1 leaderboard', value);
        const wallet = String(value.proxy_wallet ?? value.proxyWallet ?? '').toLowerCase();
        if (/^0x[0-9a-f]{40}$/.test(wallet) && rows.size < most) rows.set(wallet, text);
      }
      progress.page(records.length, { share: rows.size / most });
      if (rows.size >= most) return;
    }
  };
  const limit = Math.min(PAGE, most);
  try {
    const params = { time_period: 'all', sort_by: 'PNL', limit };
    await take(V2, walkV2(sources, { source: 'data', path: V2, params }));
  } catch (error) {
    if (!isRefused(error) || rows.size > 0) throw error;
    const params = { timePeriod: 'ALL', orderBy: 'PNL' };
    await afterVersion2(error, () => take(V1, walkOffsets(sources, { source: 'data', path: V1, params }, limit)));
  }
}

const V2 = '/v2/leaderboard';
const V1 = '/v1/leaderboard';
