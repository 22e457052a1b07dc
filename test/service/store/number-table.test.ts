import { expect, it } from 'vitest';
import { Database } from '../../../src/service/store/database.js';

it.each([0, 1, 65_536, 200_000])('is read by the engine as it was written: %i rows', async (rows) => {
  const db = await Database.open(':memory:');
  try {
    const table = await db.numberTable('numbers', { id: 'INTEGER', amount: 'DOUBLE' });
    for (let i = 0; i < rows; i++) table.add({ id: i - 5, amount: i === 7 ? -(2 ** 53) + 1 : i / 4 });
    table.finish();
    const [told] = await db.rows(`
      SELECT count(*)::INTEGER AS rows, count(*) FILTER (id <> nth - 5)::INTEGER AS strangers,
        count(*) FILTER (amount <> CASE nth WHEN 7 THEN -9007199254740991 ELSE nth / 4 END)::INTEGER AS wrong
      FROM (SELECT *, row_number() OVER () - 1 AS nth FROM numbers)`);
    expect(told).toEqual({ rows, strangers: 0, wrong: 0 });
    const columns = await db.rows<{ column_name: string; column_type: string }>('DESCRIBE numbers');
    expect(columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`)).toEqual([
      'id INTEGER',
      'amount DOUBLE',
    ]);
  } finally {
    db.close();
  }
});
