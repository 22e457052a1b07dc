import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quoteText } from '../../../src/base/duckdb.js';
import { Database } from '../../../src/service/store/database.js';
import { NumberTable } from '../../../src/service/store/number-table.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it.each([0, 1, 65_536, 200_000])('is read by the engine as it was written: %i rows', async (rows) => {
  const path = join(await temporaryFolder(), 'numbers.parquet');
  const table = await NumberTable.create(path, { id: 'INTEGER', amount: 'DOUBLE' });
  for (let i = 0; i < rows; i++) {
    const at = table.next();
    table.columns.id[at] = i - 5;
    table.columns.amount[at] = i === 7 ? -(2 ** 53) + 1 : i / 4;
    if (i % 1000 === 0) await table.hasRoom();
  }
  await table.finish();
  await table.close();
  const db = await Database.open(':memory:');
  try {
    const [told] = await db.rows(`
      SELECT count(*)::INTEGER AS rows, count(*) FILTER (id <> nth - 5)::INTEGER AS strangers,
        count(*) FILTER (amount <> CASE nth WHEN 7 THEN -9007199254740991 ELSE nth / 4 END)::INTEGER AS wrong
      FROM (SELECT *, row_number() OVER () - 1 AS nth FROM read_parquet(${quoteText(path)}))`);
    expect(told).toEqual({ rows, strangers: 0, wrong: 0 });
    const columns = await db.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE SELECT * FROM read_parquet(${quoteText(path)})`,
    );
    expect(columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`)).toEqual([
      'id INTEGER',
      'amount DOUBLE',
    ]);
  } finally {
    db.close();
  }
});
