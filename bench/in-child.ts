import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../src/base/packages.js';
import type { Contender } from './benchmark.js';

/**
 * Measures work in a fresh process, for what only such a process can show: its peak memory or its start.
 *
 * @param module A file of `bench/in-child/` whose last printed line is the measured number.
 */
export function inChild(name: string, module: string, ...words: string[]): Contender {
  const script = join(packageRoot(), 'scripts/run-ts.mjs');
  return {
    name,
    async prepare() {
      return {
        async measure() {
          const args = [script, join(packageRoot(), 'bench/in-child', module), ...words];
          const { stdout } = await promisify(execFile)(process.execPath, args);
          return Number(stdout.trim().split('\n').at(-1));
        },
      };
    },
  };
}
