import { column } from '../../src/frame/tabular/column-values.js';
import type { DataFrame } from '../../src/frame/tabular/data-frame.js';
import { bucketBy } from '../../src/frame/verbs/bucket-by.js';
import { concatRows } from '../../src/frame/verbs/concat-rows.js';
import { describe } from '../../src/frame/verbs/describe.js';
import { exactColumn, exactSum } from '../../src/frame/verbs/exact-sum.js';
import { count } from '../../src/frame/verbs/measure.js';
import { pivot } from '../../src/frame/verbs/pivot.js';
import { sum } from '../../src/frame/verbs/sum-and-mean.js';
import { profits, same, unknown, wallets } from './frames.js';

const weekly = bucketBy(profits, 'date', 'week');
const buckets = column(weekly, 'bucket');
same<typeof buckets, string[]>(true);
column(bucketBy(profits, 'date', '3 days', { as: 'span', from: '2026-01-01' }), 'span');
column(bucketBy(unknown, 'anything', 'year'), 'bucket');

const table = pivot(profits, { rows: 'date', columns: 'closed', values: sum('pnl'), names: ['true', 'false'] });
const open = column(table, 'false');
same<typeof open, Float64Array>(true);
column(pivot(profits, { rows: ['date'], columns: 'wallet', values: count() }), 'anything');

const alike = concatRows(profits, profits);
same<typeof alike extends typeof profits ? 1 : 0, 1>(true);
const united = concatRows(profits, wallets);
const labels = column(united, 'label');
same<typeof labels, (string | null)[]>(true);
const pnl = column(united, 'pnl');
same<typeof pnl, Float64Array>(true);
column(concatRows(profits, unknown), 'anything');
const pages: (typeof profits)[] = [];
const joined = concatRows(...pages);
same<typeof joined, typeof profits>(true);
/** Frames of a row type that is not known here stay of that type. */
export function whole<Row extends object>(parts: DataFrame<Row>[]): DataFrame<Row> {
  return concatRows(...parts);
}

const micros = exactColumn(profits, 'pnl');
same<typeof micros, BigInt64Array>(true);
const total = exactSum(profits, 'pnl');
same<typeof total, bigint>(true);
column(describe(profits), 'median');

// @ts-expect-error A misspelt column.
bucketBy(profits, 'dat', 'week');
// @ts-expect-error A column of numbers.
bucketBy(profits, 'pnl', 'week');
// @ts-expect-error No such period.
bucketBy(profits, 'date', 'fortnight');
// @ts-expect-error The bucket is named otherwise.
column(weekly, 'week');
// @ts-expect-error A misspelt row key.
pivot(profits, { rows: 'dat', columns: 'wallet', values: sum('pnl') });
// @ts-expect-error A misspelt spread column.
pivot(profits, { rows: 'date', columns: 'walet', values: sum('pnl') });
// @ts-expect-error A misspelt measured column.
pivot(profits, { rows: 'date', columns: 'wallet', values: sum('pln') });
// @ts-expect-error A column that was not named.
column(table, 'null');
// @ts-expect-error A column that neither frame has.
column(united, 'pln');
// @ts-expect-error A misspelt column.
exactColumn(profits, 'pln');
// @ts-expect-error A column of text.
exactColumn(profits, 'date');
// @ts-expect-error A column of text.
exactSum(profits, 'date');
// @ts-expect-error A sum of text.
pivot(profits, { rows: 'date', columns: 'wallet', values: sum('date') });
// @ts-expect-error A misspelt column.
exactSum(profits, 'pln');
// @ts-expect-error A misspelt column of the summary.
column(describe(profits), 'mdian');
