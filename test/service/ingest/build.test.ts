import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildResults } from '../../../src/service/ingest/build.js';
import { createRawTables } from '../../../src/service/ingest/raw-tables.js';
import { Database } from '../../../src/service/store/database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const WALLETS = 300_000;
const MARKETS = 200_000;

it('builds all tables in a part of the memory that wallets and markets take', async () => {
  const folder = await temporaryFolder();
  const scratch = join(folder, 'scratch');
  await mkdir(scratch);
  const options = { memory: '130MB', threads: 1, spillTo: join(folder, 'spill') };
  const db = await Database.open(join(folder, 'lab.duckdb'), options);
  await createRawTables(db);
  await db.run(`
    CREATE TABLE markets AS FROM market_records;
    INSERT INTO markets BY NAME SELECT sha256(i::VARCHAR) AS condition_id, 'q' AS question, 's' AS slug,
      false AS closed, 0 AS volume, sha256('a' || i) AS token_a, sha256('b' || i) AS token_b FROM range(${MARKETS}) r(i);
    INSERT INTO events BY NAME SELECT 1 AS kind, '0x' || md5(i::VARCHAR) || '00000000' AS wallet,
      sha256('a' || (i % ${MARKETS})) AS token, i AS ts, 5 AS shares, 2 AS usd FROM range(${WALLETS}) r(i)`);
  const { totals, doubtful } = await buildResults(db, scratch);
  expect({ totals, doubtful }).toEqual({
    totals: { markets: MARKETS, events: WALLETS, wallets: WALLETS, wallet_days: WALLETS, untracked_shares: 0 },
    doubtful: {},
  });
  db.close();
}, 120_000);
