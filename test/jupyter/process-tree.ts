import { readdirSync, readFileSync } from 'node:fs';

/** The ids of a process and its descendants, from Linux's /proc; without /proc, only its own id. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of runningIds()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [root];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

/** Whether a process runs: it has not ended and is no zombie. */
export function isRunning(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && stat[0] !== 'Z';
}

/**
 * The memory of a process and its descendants, in MB: resident (a shared page counts in each process) and proportional
 * (a shared page counts once).
 */
export function memoryOfTree(root: number): { rss: number; pss: number } {
  const sum = { rss: 0, pss: 0 };
  for (const pid of processTree(root)) {
    const rollup = read(`/proc/${pid}/smaps_rollup`) ?? '';
    sum.rss += Number(/^Rss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
    sum.pss += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  }
  return sum;
}

function runningIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  const parent = statOf(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** The fields of /proc after the process's name: state, parent … */
function statOf(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
