import type { Benchmark } from './benchmark.js';
import { cellBenchmarks } from './kernel-cells.js';
import { startBenchmarks } from './kernel-start.js';
import { typeBenchmarks } from './kernel-types.js';
import { volumeBenchmarks } from './kernel-volume.js';

/** Compares the Jupyter kernel with tslab's, Deno's and Python's, all driven by the same client. */
export const kernelBenchmarks: Benchmark[] = [
  ...startBenchmarks,
  ...cellBenchmarks,
  ...typeBenchmarks,
  ...volumeBenchmarks,
];
