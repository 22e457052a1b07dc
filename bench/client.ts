import { PNL_COLUMNS } from '../src/contract/pnl.js';
import { DataFrame } from '../src/frame/danfo.js';
import { FrameBuilder } from '../src/frame/frame-builder.js';
import type { Benchmark, Contender } from './benchmark.js';
import { pnlPages } from './records.js';

const ROWS = 100_000;
const NUMERIC = PNL_COLUMNS.filter(({ dtype }) => dtype === 'float64').map(({ name }) => name);

/** Times work on the same pages of text, in ms. */
function onPages(name: string, work: (pages: readonly string[]) => unknown): Contender {
  return {
    name,
    async prepare() {
      const pages = pnlPages(ROWS, 1000);
      return {
        async measure() {
          const start = performance.now();
          work(pages);
          return performance.now() - start;
        },
      };
    },
  };
}

const parse = (pages: readonly string[]): object[][] => pages.map((page) => JSON.parse(page));

export const clientBenchmarks: Benchmark[] = [
  {
    area: 'client',
    bench: `pages of text to a typed frame, ${ROWS} PnL records`,
    metric: 'ms',
    better: 'less',
    ours: onPages('FrameBuilder', (pages) => {
      const builder = new FrameBuilder(PNL_COLUMNS);
      for (const page of parse(pages)) builder.append(page);
      return builder.build();
    }),
    peers: [
      {
        target: 2,
        contender: onPages('danfo, constructor and asType as its manual shows', (pages) => {
          let frame: { asType(name: string, dtype: string): unknown } = new DataFrame(parse(pages).flat()) as never;
          for (const name of NUMERIC) frame = frame.asType(name, 'float32') as typeof frame;
          return frame;
        }),
      },
      { target: 0.4, contender: onPages('JSON.parse alone', parse) },
    ],
  },
];
