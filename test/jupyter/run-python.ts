import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/packages.js';
import { type Ended, endOf } from '../support/run-command.js';
import { PYTHON } from './kernel-argv.js';

/** Runs one of this folder's Python scripts to its end. */
export function runPython(
  script: string,
  words: readonly string[],
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd?: string },
): Promise<Ended> {
  const path = join(packageRoot(), 'test/jupyter', script);
  return endOf(spawn(PYTHON, [path, ...words], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/**
 * Runs one of this folder's Python scripts, and reads the JSON that it prints.
 *
 * @throws If it fails; the message is what it wrote.
 */
export async function askPython<Answer>(...of: Parameters<typeof runPython>): Promise<Answer> {
  const { code, out, err } = await runPython(...of);
  if (code !== 0) throw new Error(`${of[0]} ended with ${code}:\n${err}${out}`);
  return JSON.parse(out);
}
