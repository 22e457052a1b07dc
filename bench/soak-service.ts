import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../src/base/packages.js';

/** The service under load, as its log describes it. */
export interface SoakService {
  readonly url: string;
  readonly pid: number;
  /** Process ids of the workers that answer, by worker number. */
  readonly workers: ReadonlyMap<number, number>;
  /** When each killed worker was killed, in `performance.now()`, by worker number. */
  readonly killed: ReadonlyMap<number, number>;
  /** The worker that answers each connection, by the number that the connection puts into its request ids. */
  readonly workerOf: ReadonlyMap<string, number>;
  /** Log lines that are not complete JSON, and failures that the log reports. */
  readonly faults: string[];
  /** Kills a random worker, if another one answers. */
  kill(): void;
  /** The memory of a process, in MB; undefined if it has ended. */
  memoryOf(pid: number): number | undefined;
  /** Stops the service. @returns Its exit code. */
  stop(): Promise<number | null>;
}

/** Ids of the requests of a raw connection: `soak-CONNECTION-REQUEST`. */
const OURS = /^soak-(\d+)-/;

/** Starts `oddslab serve` with two workers over a data folder and follows its log. */
export async function startSoakService(folder: string): Promise<SoakService> {
  const main = join(packageRoot(), 'dist', 'cli', 'main.js');
  const words = ['serve', '--workers', '2', '--port', '0', '--data', folder];
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [workers, killed] = [new Map<number, number>(), new Map<number, number>()];
  const [workerOf, faults] = [new Map<string, number>(), [] as string[]];
  createInterface({ input: child.stderr }).on('line', (text) => hear(text, { workers, killed, workerOf, faults }));
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`the service did not start: ${faults.join('\n')}`))),
  ])) as [Buffer];
  return {
    url: String(line).trim(),
    pid: Number(child.pid),
    workers,
    killed,
    workerOf,
    faults,
    kill() {
      const numbers = [...workers.keys()];
      const number = numbers[Math.floor(Math.random() * numbers.length)];
      if (number === undefined || numbers.length < 2) return;
      killed.set(number, performance.now());
      process.kill(workers.get(number) ?? 0, 'SIGKILL');
      workers.delete(number);
    },
    memoryOf,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}

type Heard = {
  workers: Map<number, number>;
  killed: ReadonlyMap<number, number>;
  workerOf: Map<string, number>;
  faults: string[];
};

function hear(text: string, { workers, killed, workerOf, faults }: Heard): void {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(text);
  } catch {
    faults.push(`no whole line: ${text}`);
    return;
  }
  const worker = Number(line.worker);
  if (line.msg === 'worker ready') workers.set(worker, Number(line.pid));
  else if (line.msg === 'worker ended') {
    workers.delete(worker);
    if (!killed.has(worker)) faults.push(text);
  } else if (line.level === 'error' || line.level === 'warn') faults.push(text);
  const [, connection] = OURS.exec(String(line.id ?? '')) ?? [];
  if (connection !== undefined) workerOf.set(connection, worker);
}

function memoryOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
  } catch {
    return undefined;
  }
}
