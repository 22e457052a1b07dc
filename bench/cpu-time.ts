import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of `/proc`, on every Linux that Node runs on. */
const TICKS = 100;

/** The system's counts of a process. */
interface Process {
  parent: number;
  /** User and system time, in seconds. */
  seconds: number;
}

/** Processor time that processes and all that they started have taken so far, in seconds; NaN where it is not Linux. */
export function cpuTime(...roots: readonly number[]): number {
  if (process.platform !== 'linux') return Number.NaN;
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(name) : undefined;
    if (found) all.set(Number(name), found);
  }
  const isOurs = (pid: number): boolean => roots.includes(pid) || (pid > 1 && isOurs(all.get(pid)?.parent ?? 0));
  let seconds = 0;
  for (const [pid, each] of all) if (isOurs(pid)) seconds += each.seconds;
  return seconds;
}

/** Undefined where it ended meanwhile. */
function readProcess(pid: string): Process | undefined {
  try {
    // Its name comes first, in brackets, and may hold anything.
    const words = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return { parent: Number(words[1]), seconds: (Number(words[11]) + Number(words[12])) / TICKS };
  } catch {
    return undefined;
  }
}
