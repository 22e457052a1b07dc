import { DataError } from '../../base/errors.js';
import { shellWord } from '../../base/texts.js';
import {
  type Completeness,
  readCompleteness,
  sentCompleteness,
  type WalletRecord,
} from '../../contract/completeness.js';
import { faultsOf } from '../../contract/completeness-words.js';
import { currentVersion } from '../folder/current-version.js';
import { Database } from './database.js';

/** A wallet whose record is not complete. */
export interface IncompleteRecord {
  readonly wallet: string;
  readonly record: Completeness;
  /** What it lacks, in plain words. */
  readonly faults: readonly string[];
}

/**
 * Lists the wallets whose records are not complete, those first of which most shares left that were not seen to come.
 *
 * @param folder A data folder; its current version is read.
 * @returns An empty list if nothing is known to be missing.
 * @throws {DataError} If nothing was ingested yet, or the version is damaged.
 */
export async function incompleteRecords(folder: string): Promise<IncompleteRecord[]> {
  const version = await currentVersion(folder);
  if (!version) throw new DataError(`${folder} holds no data yet: oddslab ingest FILES --data ${shellWord(folder)}`);
  const db = await Database.open(version.database, { locked: true });
  try {
    const found: IncompleteRecord[] = [];
    for await (const row of db.each<WalletRecord>('FROM wallet_records ORDER BY untracked DESC, wallet')) {
      // As the service would send it, so that both say the same.
      const record = readCompleteness({ [row.wallet]: JSON.parse(sentCompleteness(row)) })?.[row.wallet];
      const faults = record ? faultsOf(record) : [];
      if (record && faults.length > 0) found.push({ wallet: row.wallet, record, faults });
    }
    return found;
  } finally {
    db.close();
  }
}
