import { column } from '../../src/frame/tabular/column-values.js';
import type { DataFrame } from '../../src/frame/tabular/data-frame.js';
import { first, last, max, min } from '../../src/frame/verbs/extreme.js';
import { groupBy } from '../../src/frame/verbs/group-by.js';
import { count, nUnique } from '../../src/frame/verbs/measure.js';
import { median, quantile } from '../../src/frame/verbs/quantile.js';
import { mean, std, sum, weightedMean } from '../../src/frame/verbs/sum-and-mean.js';
import { profits, same, unknown } from './frames.js';

const groups = groupBy(profits, ['wallet', 'closed']).rollup({
  total: sum('pnl'),
  since: min('date'),
  until: max('date'),
  start: first('closed'),
  end: last('trades'),
  rows: count(),
  days: nUnique('date'),
  price: weightedMean('pnl', 'trades'),
});
const totals = column(groups, 'total');
same<typeof totals, Float64Array>(true);
const wallets = column(groups, 'wallet');
same<typeof wallets, string[]>(true);
const since = column(groups, 'since');
same<typeof since, string[]>(true);
const starts = column(groups, 'start');
same<typeof starts, (boolean | null)[]>(true);
const ends = column(groups, 'end');
same<typeof ends, Float64Array>(true);
groupBy(profits, []).rollup({ a: mean('pnl'), b: std('pnl'), c: median('pnl'), d: quantile('pnl', 0.9) });
groupBy(profits, []).rollup({ trades: sum('trades'), day: median('trades') });
declare const loose: DataFrame<{ cell: string | number | null; any: unknown }>;
groupBy(loose, []).rollup({ cell: sum('cell'), any: sum('any') });
const untyped = groupBy(unknown, 'anything').rollup({ total: sum('whatever') });
column(untyped, 'anything');
column(untyped, 'total');

// @ts-expect-error A misspelt key.
groupBy(profits, 'walet');
// @ts-expect-error A misspelt key among others.
groupBy(profits, ['wallet', 'dat']);
// @ts-expect-error A misspelt measured column.
groupBy(profits, 'wallet').rollup({ total: sum('pln') });
// @ts-expect-error A sum of text.
groupBy(profits, 'wallet').rollup({ total: sum('date') });
// @ts-expect-error A mean of booleans.
groupBy(profits, 'wallet').rollup({ total: mean('closed') });
// @ts-expect-error A weight that is text.
groupBy(profits, 'wallet').rollup({ total: weightedMean('pnl', 'date') });
// @ts-expect-error A misspelt counted column.
groupBy(profits, 'wallet').rollup({ total: count('pln') });
// @ts-expect-error A misspelt weight.
groupBy(profits, 'wallet').rollup({ total: weightedMean('pnl', 'trade') });
// @ts-expect-error A column that the rollup has not.
column(groups, 'pnl');
// @ts-expect-error A misspelt column of the rollup.
column(groups, 'totals');
