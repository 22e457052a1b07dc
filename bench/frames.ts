import type { PnlRecord } from '../src/client/connect.js';
import type { DataFrame } from '../src/frame/danfo/danfo.js';
import { vectorsOf } from '../src/frame/tabular/tabular.js';
import { filterRows } from '../src/frame/verbs/filter-rows.js';
import { groupBy } from '../src/frame/verbs/group-by.js';
import { sortBy } from '../src/frame/verbs/sort-by.js';
import { sum } from '../src/frame/verbs/sum-and-mean.js';
import type { Benchmark, Contender } from './benchmark.js';
import { type PandasJob, pandas } from './pandas.js';
import {
  arqueroTable,
  type DanfoFrame,
  danfoFrame,
  type Polars,
  type PolarsFrame,
  polarsFrame,
} from './peer-frames.js';
import { pagesFile, pnlFrame } from './shared-frame.js';
import { timed } from './timed.js';

const MILLION = 1_000_000;
const TENTH = 100_000;
const WALLETS = 20_000;

const ours = (name: string, rows: number, work: (frame: DataFrame<PnlRecord>) => unknown): Contender =>
  timed(name, () => pnlFrame(rows, WALLETS), work);

const danfo = (name: string, rows: number, work: (frame: DanfoFrame) => unknown, slow?: true): Contender =>
  timed(`danfo: ${name}`, () => danfoFrame(rows, WALLETS), work, slow ? { slow } : {});

const polarsOn = (name: string, rows: number, work: (frame: PolarsFrame, pl: Polars) => unknown): Contender =>
  timed(
    `polars: ${name}`,
    () => polarsFrame(rows, WALLETS),
    ({ frame, pl }) => work(frame, pl),
  );

const pandasOn = (work: PandasJob['work'], rows: number): Contender =>
  pandas(work, async () => [{ work: 'load', path: await pagesFile(rows, WALLETS) }, { work }]);

/** Our verbs take the rows of a column when it is read, polars those of all at once: hence the same with all read. */
const everyColumnRead = (rows: number): Benchmark[] => [
  {
    area: 'frames',
    bench: `sort by a number and read every column, ${rows} rows`,
    metric: 'ms',
    better: 'less',
    ours: ours('sortBy', rows, (frame) => vectorsOf(sortBy(frame, 'pnl'))),
    peers: [{ target: 1, contender: polarsOn('sort', rows, (frame) => frame.sort('pnl')) }],
  },
  {
    area: 'frames',
    bench: `filter by a number and read every column, ${rows} rows`,
    metric: 'ms',
    better: 'less',
    ours: ours('filterRows', rows, (frame) => vectorsOf(filterRows(frame, ({ pnl }) => pnl > 0))),
    peers: [{ target: 1, contender: polarsOn('filter', rows, (frame, pl) => frame.filter(pl.col('pnl').gt(0))) }],
  },
];

export const frameBenchmarks: Benchmark[] = [
  {
    area: 'frames',
    bench: `sum by wallet, ${MILLION} rows of ${WALLETS} wallets`,
    metric: 'ms',
    better: 'less',
    ours: ours('groupBy().rollup()', MILLION, (frame) => groupBy(frame, 'proxy_wallet').rollup({ pnl: sum('pnl') })),
    peers: [
      {
        target: 100,
        contender: danfo(
          'groupby().col().sum()',
          MILLION,
          (frame) => frame.groupby(['proxy_wallet']).col(['pnl']).sum(),
          true,
        ),
      },
      {
        target: 1 / 1.5,
        contender: polarsOn('groupBy().agg()', MILLION, (frame, pl) =>
          frame.groupBy('proxy_wallet').agg(pl.col('pnl').sum()),
        ),
      },
      {
        target: 1,
        contender: timed(
          'arquero: groupby().rollup()',
          () => arqueroTable(MILLION, WALLETS),
          ({ table, op }) => table.groupby('proxy_wallet').rollup({ pnl: op.sum('pnl') }),
        ),
      },
      { target: 1, contender: pandasOn('group', MILLION) },
    ],
  },
  {
    area: 'frames',
    bench: `sort by a number, ${TENTH} rows`,
    metric: 'ms',
    better: 'less',
    ours: ours('sortBy', TENTH, (frame) => sortBy(frame, 'pnl')),
    peers: [
      { target: 150, contender: danfo('sortValues', TENTH, (frame) => frame.sortValues('pnl'), true) },
      { target: 1, contender: polarsOn('sort', TENTH, (frame) => frame.sort('pnl')) },
      {
        target: 1,
        contender: timed(
          'arquero: orderby().reify()',
          () => arqueroTable(TENTH, WALLETS),
          ({ table }) => table.orderby('pnl').reify(),
        ),
      },
      { target: 1, contender: pandasOn('sort', TENTH) },
    ],
  },
  {
    area: 'frames',
    bench: `sort by a number, ${MILLION} rows`,
    metric: 'ms',
    better: 'less',
    ours: ours('sortBy', MILLION, (frame) => sortBy(frame, 'pnl')),
    peers: [
      { target: 1, contender: polarsOn('sort', MILLION, (frame) => frame.sort('pnl')) },
      { target: 1, contender: pandasOn('sort', MILLION) },
    ],
  },
  {
    area: 'frames',
    bench: `filter by a number, ${TENTH} rows`,
    metric: 'ms',
    better: 'less',
    ours: ours('filterRows', TENTH, (frame) => filterRows(frame, ({ pnl }) => pnl > 0)),
    peers: [
      { target: 6, contender: danfo('query', TENTH, (frame) => frame.query(frame.column('pnl').gt(0))) },
      { target: 1, contender: polarsOn('filter', TENTH, (frame, pl) => frame.filter(pl.col('pnl').gt(0))) },
      { target: 1, contender: pandasOn('filter', TENTH) },
    ],
  },
  {
    area: 'frames',
    bench: `filter by a number, ${MILLION} rows`,
    metric: 'ms',
    better: 'less',
    ours: ours('filterRows', MILLION, (frame) => filterRows(frame, ({ pnl }) => pnl > 0)),
    peers: [
      { target: 1, contender: polarsOn('filter', MILLION, (frame, pl) => frame.filter(pl.col('pnl').gt(0))) },
      { target: 1, contender: pandasOn('filter', MILLION) },
    ],
  },
  ...everyColumnRead(TENTH),
  ...everyColumnRead(MILLION),
];
