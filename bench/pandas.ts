import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../src/base/packages.js';
import { type Contender, Unavailable } from './benchmark.js';

/** One job of `peers/pandas_peer.py`. */
export interface PandasJob {
  work: 'load' | 'pages' | 'group' | 'sort' | 'filter' | 'csv';
  path?: string;
}

/**
 * Pandas in a Python process of its own; it times the work itself.
 *
 * @param jobs Makes the jobs when the benchmark begins: all but the last prepare, the last is measured.
 */
export function pandas(name: string, jobs: () => Promise<PandasJob[]> | PandasJob[]): Contender {
  return {
    name: `pandas: ${name}`,
    async prepare() {
      const script = join(packageRoot(), 'bench/peers/pandas_peer.py');
      const child = spawn('/usr/bin/python3', [script], { stdio: ['pipe', 'pipe', 'ignore'] });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const failed = once(child, 'error').then(([error]) => ({ done: true, value: String(error) }));
      const first = await Promise.race([lines.next(), failed]);
      if (first.done) throw new Unavailable('Debian package python3-pandas is not installed');
      const ask = async (job: PandasJob) => {
        child.stdin.write(`${JSON.stringify(job)}\n`);
        return Number((await lines.next()).value);
      };
      const all = await jobs();
      for (const job of all.slice(0, -1)) await ask(job);
      const measured = all.at(-1) ?? { work: 'load' };
      return { measure: () => ask(measured), end: () => void child.stdin.end() };
    },
  };
}
