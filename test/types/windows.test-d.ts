import { column } from '../../src/frame/tabular/column-values.js';
import { correlate } from '../../src/frame/verbs/correlate.js';
import { cumulative } from '../../src/frame/verbs/cumulative.js';
import { fillDays } from '../../src/frame/verbs/fill-days.js';
import { count } from '../../src/frame/verbs/measure.js';
import { resample } from '../../src/frame/verbs/resample.js';
import { rolling } from '../../src/frame/verbs/rolling.js';
import { shift } from '../../src/frame/verbs/shift.js';
import { sum } from '../../src/frame/verbs/sum-and-mean.js';
import { profits, same, unknown } from './frames.js';

const shifted = shift(profits, { column: 'date', by: 'wallet' });
const before = column(shifted, 'shifted_date');
same<typeof before, (string | null)[]>(true);
const running = column(cumulative(profits, { column: 'pnl', as: 'total' }), 'total');
same<typeof running, Float64Array>(true);
const rolled = rolling(profits, { column: 'pnl', window: '7 days', measure: 'mean', time: 'date' });
column(rolled, 'rolling_pnl');
column(rolled, 'wallet');
column(rolling(unknown, { column: 'anything', window: 3, measure: 'sum' }), 'rolling_anything');

const weekly = resample(profits, {
  column: 'date',
  period: 'week',
  by: 'wallet',
  measures: { pnl: sum('pnl'), n: count() },
});
const weeks = column(weekly, 'date');
same<typeof weeks, string[]>(true);
column(weekly, 'wallet');
column(weekly, 'n');
const filled = fillDays(profits, { column: 'date', by: 'wallet', zero: 'pnl' });
const closed = column(filled, 'closed');
same<typeof closed, (boolean | null)[]>(true);
const dates = column(filled, 'date');
same<typeof dates, string[]>(true);
const matrix = correlate(profits, { columns: ['pnl', 'trades'] });
column(matrix, 'trades');

// @ts-expect-error A misspelt column.
shift(profits, { column: 'dat' });
// @ts-expect-error A column of text.
cumulative(profits, { column: 'date' });
// @ts-expect-error A column of text.
rolling(profits, { column: 'wallet', window: 3, measure: 'sum' });
// @ts-expect-error No such measure.
rolling(profits, { column: 'pnl', window: 3, measure: 'var' });
// @ts-expect-error Times that are none.
rolling(profits, { column: 'pnl', window: '7 days', measure: 'sum', time: 'pnl' });
// @ts-expect-error The new column is named otherwise.
column(rolled, 'rolling_mean');
// @ts-expect-error A column of numbers.
resample(profits, { column: 'pnl', period: 'week', measures: { n: count() } });
// @ts-expect-error A column that is neither key, period nor measure.
column(weekly, 'closed');
// @ts-expect-error Text cannot be 0.
fillDays(profits, { column: 'date', zero: 'wallet' });
// @ts-expect-error A column of text.
correlate(profits, { columns: ['wallet'] });
// @ts-expect-error A column that was not asked for.
column(matrix, 'closed');
