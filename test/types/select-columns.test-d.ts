import { column } from '../../src/frame/tabular/column-values.js';
import { dropColumns, renameColumns, selectColumns } from '../../src/frame/verbs/select-columns.js';
import { profits, same, unknown } from './frames.js';

const selected = selectColumns(profits, ['date', 'pnl']);
const dates = column(selected, 'date');
same<typeof dates, string[]>(true);
const dropped = dropColumns(profits, 'date');
const pnl = column(dropped, 'pnl');
same<typeof pnl, Float64Array>(true);
const renamed = renameColumns(profits, { pnl: 'profit', date: 'day' });
const profit = column(renamed, 'profit');
same<typeof profit, Float64Array>(true);
const closed = column(renamed, 'closed');
same<typeof closed, (boolean | null)[]>(true);
column(renamed.head(3), 'day');
column(selectColumns(unknown, 'anything'), 'anything');
column(dropColumns(unknown, 'anything'), 'another');
column(renameColumns(unknown, { anything: 'another' }), 'another');

// @ts-expect-error A misspelt column.
selectColumns(profits, ['dat']);
// @ts-expect-error A misspelt column.
dropColumns(profits, 'dat');
// @ts-expect-error A misspelt column.
renameColumns(profits, { dat: 'day' });
// @ts-expect-error A column that was not selected.
column(selected, 'wallet');
// @ts-expect-error A column that was dropped.
column(dropped, 'date');
// @ts-expect-error The old name.
column(renamed, 'pnl');
