import { MARKETS } from '../src/contract/markets.js';
import { PNL, PNL_COLUMNS } from '../src/contract/pnl.js';
import { FrameBuilder } from '../src/frame/decode/frame-builder.js';
import type { Benchmark, Contender } from './benchmark.js';
import { httpBenchmarks } from './http.js';
import { inChild } from './in-child.js';
import { pandas } from './pandas.js';
import { danfo, polars } from './peer-frames.js';
import { marketPages, pnlPages } from './records.js';
import { pagesFile } from './shared-frame.js';
import { timed } from './timed.js';

const NUMERIC = PNL_COLUMNS.filter(({ dtype }) => dtype === 'float64').map(({ name }) => name);
const PAGE = 1000;

const parse = (pages: readonly string[]): object[][] => pages.map((page) => JSON.parse(page));

function danfoAsItsManualShows(pages: readonly string[]): unknown {
  let frame = new (danfo().DataFrame)(parse(pages).flat());
  for (const name of NUMERIC) frame = frame.asType(name, 'float32');
  return frame;
}

function fromBytes(rows: number): Contender {
  const pages = () => pnlPages(rows, PAGE).map((page) => Buffer.from(page));
  return timed('FrameBuilder, from bytes', pages, (bytes) => {
    const builder = new FrameBuilder(PNL_COLUMNS, { key: PNL.key });
    for (const page of bytes) builder.appendText(page);
    const frame = builder.build();
    if (frame.shape[0] !== rows) throw new Error(`${frame.shape[0]} rows came of ${rows}`);
    return frame;
  });
}

function polarsFromPages(rows: number): Contender {
  return timed(
    'polars: JSON.parse, readRecords, decimals cast',
    async () => ({ pl: await polars(), pages: pnlPages(rows, PAGE) }),
    ({ pl, pages }) =>
      pl.readRecords(parse(pages).flat()).withColumns(...NUMERIC.map((name) => pl.col(name).cast(pl.Float64))),
  );
}

const pagesBenchmark = (rows: number): Benchmark => ({
  area: 'client',
  bench: `pages of text to a typed frame, ${rows} PnL records`,
  metric: 'ms',
  better: 'less',
  ours: fromBytes(rows),
  peers: [
    { target: 1, contender: timed('JSON.parse alone, of the text', () => pnlPages(rows, PAGE), parse) },
    {
      target: 4,
      contender: timed(
        'danfo, constructor and asType as its manual shows',
        () => pnlPages(rows, PAGE),
        danfoAsItsManualShows,
      ),
    },
    {
      target: 1.8,
      contender: pandas('json.loads, from_records, astype', async () => [
        { work: 'pages', path: await pagesFile(rows) },
      ]),
    },
    { target: 1, contender: polarsFromPages(rows) },
  ],
});

export const clientBenchmarks: Benchmark[] = [
  pagesBenchmark(100_000),
  pagesBenchmark(1_000_000),
  {
    area: 'client',
    bench: 'pages of text to a typed frame, 100000 market records of text that hardly repeats',
    metric: 'ms',
    better: 'less',
    ours: timed(
      'FrameBuilder, from bytes',
      () => marketPages(100_000, PAGE).map((page) => Buffer.from(page)),
      (bytes) => {
        const builder = new FrameBuilder(MARKETS.columns, { key: MARKETS.key });
        for (const page of bytes) builder.appendText(page);
        return builder.build();
      },
    ),
    peers: [{ target: 1, contender: timed('JSON.parse alone, of the text', () => marketPages(100_000, PAGE), parse) }],
  },
  {
    area: 'client',
    bench: 'pages of text to a typed frame, 1000000 PnL records, the pages read one after the other',
    metric: 'MB at the peak of a process',
    better: 'less',
    ours: inChild('FrameBuilder', 'peak-memory.ts', 'ours'),
    peers: [{ target: 2, contender: inChild('danfo, constructor and asType', 'peak-memory.ts', 'danfo') }],
  },
  ...httpBenchmarks,
  {
    area: 'client',
    bench: "import 'oddslab'",
    metric: 'ms',
    better: 'less',
    ours: inChild('in a fresh process', 'import-cost.ts', 'ms'),
    peers: [{ target: 1, contender: limit('the limit that we set ourselves', 60) }],
  },
  {
    area: 'client',
    bench: "import 'oddslab'",
    metric: 'MB of the process, RSS',
    better: 'less',
    ours: inChild('in a fresh process', 'import-cost.ts', 'MB'),
    peers: [{ target: 1, contender: limit('the limit that we set ourselves', 60) }],
  },
];

function limit(name: string, value: number): Contender {
  return { name, prepare: async () => ({ measure: async () => value }) };
}
