import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftVersion, publishVersion } from '../src/service/folder/current-version.js';
import { SCHEMA } from '../src/service/folder/sealed-version.js';
import type { VersionManifest } from '../src/service/folder/version.js';
import { Database } from '../src/service/store/database.js';
import { writeMarketFiles } from '../src/service/store/write-market-files.js';
import { writeWalletFiles } from '../src/service/store/write-wallet-files.js';
import { type MadeSize, makeTables } from '../test/service/store/made-tables.js';

/** A data folder of tables made by formula, laid out as an ingest leaves them. */
export interface MadeFolder {
  folder: string;
  /** Its DuckDB file. */
  database: string;
  wallets: string[];
  size: MadeSize;
  end(): Promise<void>;
}

/** Makes a data folder of a given size, without ingesting. */
export async function makeFolder(size: MadeSize): Promise<MadeFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
  const draft = await draftVersion(folder);
  const db = await Database.open(join(draft, 'lab.duckdb'), { memory: '2GB', spillTo: join(folder, 'spill') });
  await makeTables(db, size);
  await writeWalletFiles(db, draft);
  await writeMarketFiles(db, draft);
  const rows = await db.rows<{ wallet: string }>('SELECT wallet FROM lifetimes ORDER BY hash(wallet)');
  await db.run('CHECKPOINT');
  db.close();
  await rm(join(folder, 'spill'), { recursive: true, force: true });
  const manifest: VersionManifest = {
    schema: SCHEMA,
    created: '2026-01-01T00:00:00Z',
    inputs: [],
    totals: {},
    busiest: [],
    doubtful: {},
  };
  const { database } = await publishVersion(folder, draft, manifest);
  return {
    folder,
    database,
    wallets: rows.map(({ wallet }) => wallet),
    size,
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
