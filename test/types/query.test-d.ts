import { query } from '../../src/frame/sql/sql-query.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { filterRows } from '../../src/frame/verbs/filter-rows.js';
import { groupBy } from '../../src/frame/verbs/group-by.js';
import { sum } from '../../src/frame/verbs/sum-and-mean.js';
import { profits, same, wallets } from './frames.js';

const whole = await query('SELECT * FROM profits WHERE pnl > $1 ORDER BY date', { profits }, [0]);
same<typeof whole, typeof profits>(true);

const weekly = await query(
  `SELECT wallet, closed, sum(pnl) AS pnl, count(*) AS n
   FROM profits GROUP BY ALL`,
  { profits },
);
const names = column(weekly, 'wallet');
same<typeof names, string[]>(true);
const closed = column(weekly, 'closed');
same<typeof closed, (boolean | null)[]>(true);
column(weekly, 'n');
groupBy(weekly, 'wallet').rollup({ n: sum('n') });
filterRows(weekly, (row) => row.wallet.startsWith('0x'));
weekly.shape[0].toFixed();

const joined = await query('SELECT wallet FROM profits JOIN wallets USING (wallet)', { profits, wallets });
column(joined, 'anything');
declare const text: string;
column(await query(text, { profits }), 'anything');
const declared = await query<{ month: string }>('SELECT 1', {});
column(declared, 'month');

// @ts-expect-error A column that the table does not have.
column(whole, 'pln');
// @ts-expect-error A number is no text.
filterRows(weekly, (row) => row.wallet > 5);
