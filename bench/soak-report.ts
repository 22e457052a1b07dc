import type { MemoryVerdict } from './soak-memory.js';
import type { SoakReport } from './soak-run.js';

/** The most failures shown. */
const SHOWN = 20;

/** Whether nothing failed and all memory is flat. */
export function isAllWell({ failures, memory }: SoakReport): boolean {
  return failures.length === 0 && memory.every(({ isFlat }) => isFlat !== false);
}

/** A report as text. */
export function soakReport(report: SoakReport): string {
  const { seconds, kills, switches, versions, failures, brokenByKill, times, memory } = report;
  const all = [...times.values()].reduce((sum, { length }) => sum + length, 0);
  return [
    `${all} requests in ${seconds} s, ${failures.length} failures`,
    `${kills} workers killed; ${brokenByKill} raw connections broke with them`,
    `${switches} switches of the data; answers named ${versions.size} versions and held what these hold`,
    '',
    'ms                     requests      p50      p99      max',
    ...[...times].sort().map(([kind, of]) => timesLine(kind, of)),
    '',
    'memory: over the second half of its life, the straight line through that of a process may rise by a tenth and 8 MB',
    ...memory.filter(({ isFlat }) => isFlat !== undefined).map(memoryLine),
    `${memory.filter(({ isFlat }) => isFlat === undefined).length} processes did not live long enough to tell`,
    '',
    ...failures.slice(0, SHOWN),
    ...(failures.length > SHOWN ? [`and ${failures.length - SHOWN} failures more`] : []),
    isAllWell(report) ? 'all is as it must be' : 'NOT as it must be',
  ].join('\n');
}

function timesLine(kind: string, times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  const numbers = [String(sorted.length), at(0.5), at(0.99), at(1)];
  return `${kind.padEnd(20)} ${numbers.map((number, n) => number.padStart(n === 0 ? 10 : 8)).join(' ')}`;
}

function memoryLine({ name, megabytes, growth, seconds, isFlat }: MemoryVerdict): string {
  const gained = `${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB in ${seconds.toFixed(0)} s`;
  return `${name.padEnd(12)} ${megabytes.toFixed(0).padStart(5)} MB, ${gained}: ${isFlat ? 'flat' : 'GROWS'}`;
}
