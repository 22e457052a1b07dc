import type { MemoryVerdict } from './soak-memory.js';
import type { SoakReport } from './soak-run.js';

/** The most failures shown. */
const SHOWN = 20;

/** Whether nothing failed and all memory is flat. */
export function isAllWell({ failures, memory }: SoakReport): boolean {
  return failures.length === 0 && memory.every(({ isFlat }) => isFlat !== false);
}

/** A report as text: what was done, the requests by kind, the memory by process, failures and a verdict. */
export function soakReport(report: SoakReport): string {
  const { seconds, kills, switches, keys, versions, failures, sentAgain, memory } = report;
  const end = Math.max(...memory.map(({ lived: [, to] }) => to));
  const shown = memory.filter((each) => isShown(each, end));
  return [
    `${seconds} s; ${switches} switches of the data: answers named ${versions.size} versions and were compared with them`,
    `${kills} workers killed; ${sentAgain} requests sent again that these held`,
    `${keys.made} keys made and ${keys.revoked} revoked; each has to be in force at once`,
    '',
    ...requestTable(report),
    '',
    'memory, MB            begin  middle     end   2nd half',
    ...shown.map(memoryLine),
    `flat: over the second half of its life, a process gains less than a tenth and 8 MB along a straight line; ${memory.length - shown.length} more lived briefly`,
    '',
    ...failures.slice(0, SHOWN).map(({ kind, text }) => `${kind}: ${text}`),
    ...(failures.length > SHOWN ? [`and ${failures.length - SHOWN} failures more`] : []),
    isAllWell(report) ? 'all is as it must be' : 'NOT as it must be',
  ].join('\n');
}

function requestTable({ times, failures }: SoakReport): string[] {
  const failed = (kind: string) => failures.filter((failure) => failure.kind === kind).length;
  const kinds = [...new Set([...times.keys(), ...failures.map(({ kind }) => kind)])].sort();
  const all = [...times.values()].flat();
  return [
    'ms                     requests  failures      p50      p99      max',
    ...kinds.map((kind) => timesLine(kind, times.get(kind) ?? [], failed(kind))),
    timesLine('all', all, failures.length),
  ];
}

function timesLine(kind: string, times: readonly number[], failures: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  const numbers = [String(sorted.length), String(failures), at(0.5), at(0.99), at(1)];
  return `${kind.padEnd(20)} ${numbers.map((number, n) => number.padStart(n < 2 ? 10 : 8)).join(' ')}`;
}

/** Whether a process lived long enough to be judged, or to the last sample. */
function isShown({ isFlat, lived: [, to] }: MemoryVerdict, end: number): boolean {
  return isFlat !== undefined || to === end;
}

function memoryLine({ name, over, growth, seconds, isFlat }: MemoryVerdict): string {
  const numbers = over.map((megabytes) => megabytes.toFixed(0).padStart(7)).join(' ');
  const gained = `${growth >= 0 ? '+' : ''}${growth.toFixed(1)} MB in ${seconds.toFixed(0)} s`;
  const verdict = isFlat === undefined ? 'too short to tell' : isFlat ? 'flat' : 'GROWS';
  return `${name.padEnd(19)} ${numbers}   ${gained}: ${verdict}`;
}
