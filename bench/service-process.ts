import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/base/packages.js';
import { createKey } from '../src/service/accounts/api-keys.js';
import { cpuTime } from './cpu-time.js';

/** A server in a process of its own. */
export interface ServerProcess {
  /** Base address. */
  url: string;
  /** The API key to send; peers ignore it. */
  key?: string;
  /** Processor time of it and its descendants so far, in seconds. */
  cpu(): number;
  /** Memory in use, in MB. */
  memory(): number;
  end(): Promise<void>;
}

/**
 * Starts the built service over a data folder. As in production, it checks a key and logs every request; nothing reads
 * the log.
 *
 * @param workers Number of worker processes. Default 1.
 */
export async function startService(folder: string, workers = 1): Promise<ServerProcess> {
  const main = join(packageRoot(), 'dist', 'cli', 'main.js');
  const { key } = await createKey(folder, 'benchmark');
  const words = ['serve', '--port', '0', '--workers', String(workers), '--log-level', 'info', '--data', folder];
  return { ...(await start(process.execPath, [main, ...words], 'ignore')), key };
}

/** Starts a server of `bench/in-child/`, which prints its address as its first line. */
export function startPeer(module: string, ...words: string[]): Promise<ServerProcess> {
  const script = join(packageRoot(), 'scripts/run-ts.mjs');
  return start(process.execPath, [script, join(packageRoot(), 'bench/in-child', module), ...words]);
}

async function start(
  command: string,
  args: readonly string[],
  errors: 'inherit' | 'ignore' = 'inherit',
): Promise<ServerProcess> {
  // A process group of its own, because run-ts.mjs does not pass signals on.
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', errors], detached: true });
  const line = await Promise.race([
    once(child.stdout, 'data').then(([bytes]) => String(bytes).trim()),
    once(child, 'exit').then(() => undefined),
  ]);
  if (line === undefined) throw new Error(`${args.join(' ')} ended before it gave an address`);
  // A server that still runs after the last benchmark must not keep this process from reaching its exit, which ends it.
  child.unref();
  (child.stdout as unknown as { unref(): void }).unref();
  return {
    url: line,
    cpu: () => cpuTime(Number(child.pid)),
    memory: () => residentOf(child),
    async end() {
      child.ref();
      const over = once(child, 'exit');
      process.kill(-Number(child.pid), 'SIGTERM');
      await over;
    },
  };
}

function residentOf({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}
