import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCsv } from '../src/frame/csv/write-csv.js';
import { writeParquet } from '../src/frame/files/parquet.js';
import { writeArrow } from '../src/frame/files/write-arrow.js';
import type { Benchmark } from './benchmark.js';
import { pandas } from './pandas.js';
import { danfo, danfoFrame, polars, polarsFrame } from './peer-frames.js';
import { arraysOf, marketFrame, pagesFile, pnlFrame } from './shared-frame.js';
import { timed } from './timed.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);

const csvBenchmark = (rows: number): Benchmark => ({
  area: 'exports',
  bench: `CSV file of ${rows} PnL records`,
  metric: 'ms',
  better: 'less',
  ours: timed(
    'writeCsv',
    () => pnlFrame(rows),
    (frame) => writeCsv(frame, file('ours.csv')),
  ),
  peers: [
    {
      target: 3.5,
      contender: timed(
        'danfo: toCSV, unquoted',
        () => danfoFrame(rows),
        (frame) => danfo().toCSV(frame, { filePath: file('danfo.csv') }),
      ),
    },
    {
      target: 5,
      contender: pandas('to_csv', async () => [
        { work: 'load', path: await pagesFile(rows) },
        { work: 'csv', path: file('pandas.csv') },
      ]),
    },
    {
      target: 1 / 1.5,
      contender: timed(
        'polars: writeCSV',
        () => polarsFrame(rows),
        ({ frame }) => frame.writeCSV(file('polars.csv')),
      ),
    },
  ],
});

export const exportBenchmarks: Benchmark[] = [
  csvBenchmark(100_000),
  csvBenchmark(1_000_000),
  {
    area: 'exports',
    bench: 'Parquet file, zstd, of 1000000 PnL records',
    metric: 'ms',
    better: 'less',
    rounds: 3,
    ours: timed(
      'writeParquet',
      () => pnlFrame(1_000_000),
      (frame) => writeParquet(frame, file('ours.parquet')),
    ),
    peers: [
      {
        target: 0.5,
        contender: timed(
          'polars: writeParquet',
          () => polarsFrame(1_000_000),
          ({ frame }) => frame.writeParquet(file('polars.parquet'), { compression: 'zstd' }),
        ),
      },
    ],
  },
  {
    area: 'exports',
    bench: 'Parquet file, zstd, of 200000 market records, most of whose texts are unique',
    metric: 'ms',
    better: 'less',
    ours: timed(
      'writeParquet',
      () => marketFrame(200_000),
      (frame) => writeParquet(frame, file('ours-markets.parquet')),
    ),
    peers: [
      {
        target: 0.5,
        contender: timed(
          'polars: writeParquet',
          async () => (await polars()).DataFrame(arraysOf(marketFrame(200_000))),
          (frame) => frame.writeParquet(file('polars-markets.parquet'), { compression: 'zstd' }),
        ),
      },
    ],
  },
  {
    area: 'exports',
    bench: 'Arrow file of 1000000 PnL records',
    metric: 'ms',
    better: 'less',
    rounds: 3,
    ours: timed(
      'writeArrow',
      () => pnlFrame(1_000_000),
      (frame) => writeArrow(frame, file('ours.arrow')),
    ),
    peers: [
      {
        target: 0.25,
        contender: timed(
          'polars: writeIPC',
          () => polarsFrame(1_000_000),
          ({ frame }) => frame.writeIPC(file('polars.arrow'), { compression: 'uncompressed' }),
        ),
      },
    ],
  },
];
