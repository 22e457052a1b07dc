import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/base/packages.js';
import type { Version } from '../src/service/folder/version.js';
import { ingest } from '../src/service/ingest/ingest-inputs.js';
import { type SimulateOptions, simulate } from '../src/service/sample/simulate-sample.js';

/** A service over a simulated sample, in a process of its own. */
export interface Served {
  /** Base address. */
  url: string;
  version: Version;
  end(): Promise<void>;
}

/** Simulates and ingests a sample of a given size, and serves it on a free port. */
export async function served(size: Omit<SimulateOptions, 'out'> = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-bench-'));
  const sample = await simulate({ ...size, out: join(folder, 'sample') });
  const { version } = await ingest({ folder, inputs: sample.files });
  await rm(join(folder, 'sample'), { recursive: true });
  const main = join(packageRoot(), 'dist', 'cli', 'main.js');
  const child = spawn(
    process.execPath,
    [main, 'serve', '--open', '--port', '0', '--log-level', 'error', '--data', folder],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return {
    url: String(line).trim(),
    version,
    async end() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
