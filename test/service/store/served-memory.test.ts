import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Database } from '../../../src/service/store/database.js';
import { openServed } from '../../../src/service/store/duckdb-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** What the engine says of its own memory. */
const TOLD = `
  SELECT current_setting('memory_limit') AS most, current_setting('temp_directory') AS folder,
    (SELECT sum(memory_usage_bytes) FROM duckdb_memory())::DOUBLE AS used`;

type Told = { most: string; folder: string; used: number };

it('a database that is served keeps within its memory, however much is read, and spills where no other process does', async () => {
  const path = join(await temporaryFolder(), 'large.duckdb');
  const made = await Database.open(path);
  // Of random numbers, so that they take all their bytes on disk, too: 36 MB of columns.
  await made.run('CREATE TABLE t AS SELECT hash(i) AS a, hash(i + 1) AS b, hash(i + 2) AS c FROM range(1500000) r(i)');
  made.close();
  const [one, other] = [await openServed(path, '24MB'), await openServed(path, '24MB')];
  const read = 'SELECT sum(a)::DOUBLE AS a, sum(b)::DOUBLE AS b, sum(c)::DOUBLE AS c FROM t';
  await one.rows(read);
  const [told] = await one.rows<Told>(TOLD);
  const [elsewhere] = await other.rows<Told>(TOLD);
  expect(told?.most).toBe('22.8 MiB');
  expect(told?.used).toBeGreaterThan(5e6);
  expect(told?.used).toBeLessThanOrEqual(24e6);
  expect(told?.folder).not.toBe(elsewhere?.folder);
  // A sort of all rows does not fit, and comes to its end all the same.
  const sorted = await other.rows<{ a: bigint }>('SELECT a FROM t ORDER BY b DESC, c LIMIT 1 OFFSET 1499999');
  const [last] = await other.rows<{ a: bigint }>('SELECT arg_min(a, b) AS a FROM t');
  expect(sorted).toEqual([last]);
  one.close();
  other.close();
  expect([told, elsewhere].map((each) => existsSync(each?.folder ?? ''))).toEqual([false, false]);
});
