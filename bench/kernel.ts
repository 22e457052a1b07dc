import type { Benchmark } from './benchmark.js';
import { cellBenchmarks } from './kernel-cells.js';
import { startBenchmarks } from './kernel-start.js';
import { typeBenchmarks } from './kernel-types.js';
import { volumeBenchmarks } from './kernel-volume.js';

/** The Jupyter kernel against tslab's, Deno's and Python's, all driven by one client over the same sockets. */
export const kernelBenchmarks: Benchmark[] = [
  ...startBenchmarks,
  ...cellBenchmarks,
  ...typeBenchmarks,
  ...volumeBenchmarks,
];
