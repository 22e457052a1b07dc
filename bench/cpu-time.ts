import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in `/proc`, the same on every Linux that Node runs on. */
const TICKS = 100;

/** What `/proc` says of a process. */
interface Process {
  parent: number;
  /** User and system time, in seconds. */
  seconds: number;
}

/** The processor time of processes and all their descendants so far, in seconds; NaN on systems other than Linux. */
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

/** Reads one process from `/proc`; undefined if it has ended. */
function readProcess(pid: string): Process | undefined {
  try {
    // The process's name comes first, in brackets, and may hold any characters.
    const words = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return { parent: Number(words[1]), seconds: (Number(words[11]) + Number(words[12])) / TICKS };
  } catch {
    return undefined;
  }
}
