import { roi } from '../src/analysis/roi.js';
import { winRate } from '../src/analysis/win-rate.js';
import { PNL_COLUMNS } from '../src/contract/pnl.js';
import { FrameBuilder } from '../src/frame/build/frame-builder.js';
import { column } from '../src/frame/column.js';
import type { Benchmark, Contender } from './benchmark.js';
import { pnlPages } from './records.js';

const ROWS = 1_000_000;

type Row = { pnl: number; invested: number; wins: number; losses: number };

let shared: ReturnType<typeof makeFrame> | undefined;

function makeFrame() {
  const builder = new FrameBuilder<Row>(PNL_COLUMNS);
  for (const page of pnlPages(ROWS, 10_000)) builder.append(JSON.parse(page));
  return builder.build();
}

function onFrame(name: string, work: (frame: ReturnType<typeof makeFrame>) => unknown): Contender {
  return {
    name,
    async prepare() {
      shared ??= makeFrame();
      const frame = shared;
      return {
        async measure() {
          const start = performance.now();
          work(frame);
          return performance.now() - start;
        },
      };
    },
  };
}

/** The same sums over columns that are already typed arrays: what a measure could cost at the least. */
function plainLoop(...names: readonly ('pnl' | 'invested' | 'wins' | 'losses')[]): Contender {
  return {
    name: 'a plain loop over typed arrays',
    async prepare() {
      shared ??= makeFrame();
      const frame = shared;
      const arrays = names.map((name) => column(frame, name));
      return {
        async measure() {
          const start = performance.now();
          for (const array of arrays) {
            let sum = 0;
            for (let i = 0; i < array.length; i++) sum += array[i] ?? 0;
            if (Number.isNaN(sum)) throw new Error('the records hold no NaN');
          }
          return performance.now() - start;
        },
      };
    },
  };
}

export const analysisBenchmarks: Benchmark[] = [
  {
    area: 'analysis',
    bench: `winRate over ${ROWS} rows`,
    metric: 'ms',
    better: 'less',
    ours: onFrame('winRate', (frame) => winRate(frame)),
    peers: [
      { target: 0.33, contender: plainLoop('wins', 'losses') },
      {
        target: 10,
        contender: onFrame("danfo's column sums", (frame) => [
          frame.column('wins').sum(),
          frame.column('losses').sum(),
        ]),
      },
    ],
  },
  {
    area: 'analysis',
    bench: `roi over ${ROWS} rows`,
    metric: 'ms',
    better: 'less',
    ours: onFrame('roi', (frame) => roi(frame)),
    peers: [{ target: 0.33, contender: plainLoop('pnl', 'invested') }],
  },
];
