import { describe, expect, it } from 'vitest';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';
import { query } from '../../../src/frame/sql/sql-query.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';

const pnl = frameFromColumns(
  [
    { name: 'wallet', dtype: 'string', nullable: false, meaning: 'Who.' },
    { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: false, meaning: 'Profit.' },
    { name: 'roi', dtype: 'float64', fraction: true, nullable: true, meaning: 'Return.' },
    { name: 'wins', dtype: 'int32', unit: 'closing events', nullable: false, meaning: 'Wins.' },
  ],
  [
    ['0xa', '0xb', '0xb'],
    [12.5, -4, 1],
    [0.1, -0.2, Number.NaN],
    [2, 0, 1],
  ],
);
/** Another thing under the same names. */
const lives = frameFromColumns(
  [
    { name: 'wallet', dtype: 'string', nullable: false, meaning: 'Whose life.' },
    { name: 'pnl', dtype: 'float64', unit: 'EUR', nullable: false, meaning: 'All profit.' },
    { name: 'age', dtype: 'int32', unit: 'days', nullable: false, meaning: 'Age.' },
  ],
  [
    ['0xa', '0xc'],
    [9.5, 8],
    [10, 20],
  ],
);

/** What is said of each column of an answer: its meaning, or else its unit, or that nothing is. */
async function saidOf(sql: string): Promise<string[]> {
  const columns = columnsOf(await query(sql, { pnl, lives }));
  return columns.map(({ meaning, unit = '', fraction }) => `${meaning}${unit}${fraction ? '%' : ''}`);
}

const NOTHING = '';
const [WHO, PROFIT, RETURN, WINS] = ['Who.', 'Profit.USD', 'Return.%', 'Wins.closing events'];
const [WHOSE, LIFE, AGE] = ['Whose life.', 'All profit.EUR', 'Age.days'];

describe('what a query says of a column', () => {
  it.each<[string, string[]]>([
    ['SELECT roi * 100 AS roi, pnl FROM pnl', [NOTHING, PROFIT]],
    ['SELECT roi AS yield, p.pnl AS profit FROM pnl AS p', [RETURN, PROFIT]],
    ['SELECT 1 AS pnl, wins::DOUBLE AS wins, -roi AS roi, upper(wallet) AS wallet FROM pnl', Array(4).fill(NOTHING)],
    ['FROM pnl', [WHO, PROFIT, RETURN, WINS]],
    ['SELECT * EXCLUDE (wallet) REPLACE (roi / 2 AS roi) FROM pnl ORDER BY pnl LIMIT 2', [PROFIT, NOTHING, WINS]],
    ['SELECT p.* FROM pnl p WHERE roi > 0', [WHO, PROFIT, RETURN, WINS]],
    ['SELECT "Roi" FROM "PNL" WHERE pnl > 0', [RETURN]],
    ['SELECT DISTINCT wins FROM pnl', [WINS]],
    ['SELECT t.b FROM pnl AS t(a, b)', [PROFIT]],
    ['SELECT COLUMNS(*) FROM pnl', Array(4).fill(NOTHING)],
    ['SELECT roi * 2 AS double, pnl, double AS roi FROM pnl', [NOTHING, PROFIT, NOTHING]],
    ['SELECT CASE WHEN pnl > 0 THEN pnl END AS pnl, coalesce(roi, 0) AS roi FROM pnl', [NOTHING, NOTHING]],
    ['SELECT sum(pnl) OVER (ORDER BY wins) AS pnl, lag(roi) OVER () AS roi FROM pnl', [NOTHING, NOTHING]],
    ['SELECT (SELECT max(pnl) FROM pnl) AS pnl', [NOTHING]],
    ['SELECT pnl FROM (VALUES (1), (2)) AS pnl(pnl)', [NOTHING]],
  ])('%s', async (sql, said) => expect(await saidOf(sql)).toEqual(said));

  it.each<[string, string[]]>([
    ['SELECT wallet, sum(pnl) AS pnl FROM pnl GROUP BY ALL', [WHO, 'Sum of pnl.USD']],
    ['SELECT sum(roi) AS roi, avg(roi) AS mean FROM pnl', ['Sum of roi.', 'Mean of roi.%']],
    [
      'SELECT avg(roi) AS roi, max(wins), median(pnl) FROM pnl',
      ['Mean of roi.%', 'Greatest of wins.closing events', 'Median of pnl.USD'],
    ],
    [
      'SELECT sum(pnl * 2) AS pnl, count(pnl) AS wins, stddev(pnl) AS roi, sum(pnl) / 2 AS x FROM pnl',
      Array(4).fill(NOTHING),
    ],
  ])('of aggregates keeps the unit: %s', async (sql, said) => expect(await saidOf(sql)).toEqual(said));

  it.each<[string, string[]]>([
    ['SELECT p.pnl, l.pnl, age FROM pnl p JOIN lives l ON p.wallet = l.wallet', [PROFIT, LIFE, AGE]],
    ['FROM pnl JOIN lives USING (wallet)', [WHO, PROFIT, RETURN, WINS, LIFE, AGE]],
    ['SELECT wallet, age, roi FROM pnl LEFT JOIN lives USING (wallet)', [WHO, AGE, RETURN]],
    ['SELECT wallet, age FROM pnl RIGHT JOIN lives USING (wallet)', [NOTHING, AGE]],
    ['SELECT wallet, age FROM pnl FULL JOIN lives USING (wallet)', [NOTHING, AGE]],
    ['FROM pnl SEMI JOIN lives USING (wallet)', [WHO, PROFIT, RETURN, WINS]],
    ['SELECT wallet, age FROM (SELECT wallet FROM pnl) NATURAL JOIN lives', [WHO, AGE]],
    ['SELECT l.*, p.roi FROM pnl p, lives l', [WHOSE, LIFE, AGE, RETURN]],
    ['SELECT a.roi, b.wins FROM pnl a CROSS JOIN pnl b', [RETURN, WINS]],
    ['SELECT roi, g FROM pnl, range(2) t(g)', [RETURN, NOTHING]],
  ])('of joins: %s', async (sql, said) => expect(await saidOf(sql)).toEqual(said));

  it.each<[string, string[]]>([
    ['WITH t AS (SELECT roi, pnl + 1 AS pnl FROM pnl) SELECT pnl, roi FROM t', [NOTHING, RETURN]],
    ['WITH t AS MATERIALIZED (SELECT roi FROM pnl) SELECT a.roi FROM t AS a', [RETURN]],
    ['WITH a AS (FROM pnl), b(x, y) AS (SELECT roi, wins FROM a) SELECT y, x FROM b', [WINS, RETURN]],
    ['WITH lives AS (SELECT roi AS age FROM pnl) SELECT age FROM lives', [RETURN]],
    ['SELECT roi, pnl FROM (SELECT roi * 100 AS roi, pnl FROM pnl)', [NOTHING, PROFIT]],
    ['WITH RECURSIVE t AS (SELECT 1 AS pnl UNION ALL SELECT pnl + 1 FROM t WHERE pnl < 3) FROM t', [NOTHING]],
    ['SELECT pnl FROM pnl UNION ALL SELECT pnl FROM lives', [NOTHING]],
    ['SELECT pnl, roi FROM pnl UNION SELECT pnl, roi FROM pnl', [PROFIT, RETURN]],
    ['SELECT pnl, wins FROM pnl UNION ALL SELECT pnl, wins * 2 FROM pnl', [PROFIT, NOTHING]],
    ['SELECT wins FROM pnl EXCEPT SELECT wins FROM pnl WHERE wins > 1', [WINS]],
    ['SELECT roi AS x, pnl FROM pnl UNION ALL BY NAME SELECT pnl, roi AS x FROM pnl', [NOTHING, NOTHING]],
    ['PIVOT pnl ON wallet USING sum(pnl) GROUP BY wins', Array(3).fill(NOTHING)],
    ['DESCRIBE pnl', Array(6).fill(NOTHING)],
  ])('of queries in queries: %s', async (sql, said) => expect(await saidOf(sql)).toEqual(said));
});
