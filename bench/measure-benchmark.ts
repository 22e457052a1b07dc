import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../src/package-root.js';
import { type Benchmark, type Contender, Unavailable } from './benchmark.js';

/** A measure, beside what it is compared with. */
export interface MeasuredMeasure<Inputs> {
  readonly measure: string;
  readonly rows: number;
  readonly inputs: () => Inputs;
  readonly ours: (inputs: Inputs) => unknown;
  readonly plainLoop: (inputs: Inputs) => unknown;
  /** The script below `bench/peers` that makes the same rows by the same formulas, and its name of the measure. */
  readonly pandas: readonly [script: string, measure: string];
}

/** A measure may take less than three times as long as a plain loop over its inputs, and less than pandas. */
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

/** Calls in a round, of which the median counts, as in the scripts for pandas. */
const CALLS = 5;
/** Calls before them, and for how long at least, until their loops are compiled, which another thread does. */
const WARM = 4;
const WARM_MS = 50;

/** CPU time of this process in ms: the wall clock would measure what else the machine does. */
function onInputs<Inputs>(name: string, make: () => Inputs, work: (inputs: Inputs) => unknown): Contender {
  return {
    name,
    async prepare() {
      const inputs = make();
      return {
        async measure() {
          // A measure is called many times in a session, so compiling it is no part of its cost; the forced garbage
          // collection before each round throws compiled code away.
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

/** In CPU ms of its own process. */
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
