import { DataError } from '../../base/errors.js';
import { currentVersion } from '../folder/current-version.js';
import { shellWord } from '../shell-word.js';
import { Database } from './database.js';

/** A wallet that gave away shares which the ledger had not seen it receive. */
export interface UntrackedShares {
  proxy_wallet: string;
  /** How many, over all of its markets. */
  untracked_shares: number;
}

/**
 * Lists the wallets that gave away shares which the ledger had not seen them receive, those with the most such shares
 * first. Such shares realize nothing, so the wallet's profit lacks what they made.
 *
 * @param folder A data folder; its current version is read.
 * @returns An empty list if the origin of every share is known.
 * @throws {DataError} If nothing was ingested yet, or the version is damaged.
 */
export async function untrackedShares(folder: string): Promise<UntrackedShares[]> {
  const version = await currentVersion(folder);
  if (!version) throw new DataError(`${folder} holds no data yet: oddslab ingest FILES --data ${shellWord(folder)}`);
  const db = await Database.open(version.database, { locked: true });
  try {
    return await db.rows<UntrackedShares>(
      `SELECT wallet AS proxy_wallet, untracked::DOUBLE / 1e6 AS untracked_shares FROM lifetimes
      WHERE untracked > 0 ORDER BY untracked DESC, wallet`,
    );
  } finally {
    db.close();
  }
}
