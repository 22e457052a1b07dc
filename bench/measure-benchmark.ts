import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../src/base/packages.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';

/** A measure and what it is compared with. */
export interface MeasuredMeasure<Inputs> {
  readonly measure: string;
  readonly rows: number;
  readonly inputs: () => Inputs;
  readonly ours: (inputs: Inputs) => unknown;
  readonly plainLoop: (inputs: Inputs) => unknown;
  /** The script in `bench/peers` that makes the same rows by the same formulas, and its name for the measure. */
  readonly pandas: readonly [script: string, measure: string];
}

/** A benchmark of a measure: it should take under three times as long as a plain loop, and less than pandas. */
export function measureBenchmark<Inputs>(about: MeasuredMeasure<Inputs>): Benchmark {
  const { measure, rows, inputs, ours, plainLoop, pandas } = about;
  return {
    area: 'analysis',
    bench: `${measure} over ${rows} rows`,
    metric: 'CPU ms',
    better: 'less',
    ours: onInputs(measure, inputs, ours),
    peers: [
      { target: 1 / 3, contender: onInputs('a plain loop over its inputs', inputs, plainLoop) },
      { target: 1, contender: byPandas(pandas, rows) },
    ],
  };
}

/** Calls per round, whose median counts, as in the pandas scripts. */
const CALLS = 5;
/** The least number and duration of warm-up calls, while another thread compiles the loops. */
const WARM = 4;
const WARM_MS = 50;

/** Measures CPU time of this process in ms: the wall clock would include what else the machine does. */
function onInputs<Inputs>(name: string, make: () => Inputs, work: (inputs: Inputs) => unknown): Contender {
  return {
    name,
    async prepare() {
      const inputs = make();
      return {
        async measure() {
          // A session calls a measure many times, so compiling is not part of its cost. The garbage collection before
          // each round discards compiled code.
          const begun = performance.now();
          for (let warm = 0; warm < WARM || performance.now() - begun < WARM_MS; warm += 1) work(inputs);
          const times = Array.from({ length: CALLS }, () => {
            const start = process.cpuUsage();
            work(inputs);
            const { user, system } = process.cpuUsage(start);
            return (user + system) / 1000;
          });
          return times.sort((a, b) => a - b)[CALLS >> 1] ?? Number.NaN;
        },
      };
    },
  };
}

/** Measures CPU time of the Python process in ms. */
function byPandas([script, measure]: readonly [string, string], rows: number): Contender {
  return {
    name: 'pandas',
    slow: true,
    async prepare() {
      if (!existsSync('/usr/lib/python3/dist-packages/pandas'))
        throw new Unavailable('Debian package python3-pandas is not installed');
      return {
        async measure() {
          const path = join(packageRoot(), 'bench/peers', script);
          const { stdout } = await promisify(execFile)('/usr/bin/python3', [path, measure, String(rows)]);
          return Number(stdout);
        },
      };
    },
  };
}
