import { greatestOf } from '../base/many.js';
import { counted, withoutEscapes } from '../base/texts.js';
import type { AnswerDiff, FieldChange, RecordChange, SnapshotDiff } from '../client/snapshot/diff-snapshots.js';
import { recordedQueryText } from '../client/snapshot/recorded-query.js';
import type { SnapshotEntry } from '../client/snapshot/snapshot-manifest.js';

/** The differences between two snapshots as text for a terminal; one line if there are none. */
export function diffText(diff: SnapshotDiff): string {
  const lines = [
    ...diff.removed.map((entry) => `- ${recordedQueryText(entry)} (${counted(entry.records, 'record')})`),
    ...diff.added.map((entry) => `+ ${recordedQueryText(entry)} (${counted(entry.records, 'record')})`),
    ...diff.changed.flatMap(answerLines),
    diffSummary(diff),
  ];
  return `${withoutEscapes(lines.join('\n'))}\n`;
}

/** The differences in one sentence. */
export function diffSummary({ added, removed, changed, same }: SnapshotDiff): string {
  if (added.length + removed.length + changed.length === 0)
    return `${counted(same, 'query', 'queries')}, all with equal answers.`;
  const parts = [`${changed.length} changed`, `${added.length} added`, `${removed.length} removed`, `${same} equal`];
  return `Queries: ${parts.join(', ')}.`;
}

/** The queries of a snapshot as text for a terminal, one line each. */
export function listText(entries: readonly SnapshotEntry[]): string {
  const rows = entries.map((entry) => [
    counted(entry.records, 'record'),
    `${(entry.bytes / 1024).toFixed(1)} KiB`,
    entry.recordedAt.replace(/\.\d+Z$/, 'Z'),
    entry.sha256.slice(0, 12),
    recordedQueryText(entry),
  ]);
  const widths = [0, 1].map((at) => greatestOf([0, ...rows.map((row) => row[at]?.length ?? 0)]));
  const lines = rows.map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '));
  return withoutEscapes([...lines, `${counted(entries.length, 'query', 'queries')}.`].join('\n').concat('\n'));
}

function answerLines({ before, after, added, removed, changed, fields, examples }: AnswerDiff): string[] {
  const alone = added + removed + changed === 0;
  const what = alone
    ? 'the same records in another order or notation'
    : `${added} added, ${removed} removed, ${changed} changed`;
  const from = before.records === after.records ? '' : `${before.records.toLocaleString('en-US')} → `;
  const sizes = from + counted(after.records, 'record');
  return [
    `~ ${recordedQueryText(after)}: ${sizes}, ${what}`,
    ...fields.map(({ name, records, largest }) => {
      const far = largest === undefined ? '' : `, by ${signed(largest)} at most`;
      return `    ${name} differs in ${counted(records, 'record')}${far}`;
    }),
    ...(['removed', 'added', 'changed'] as const).flatMap((kind) =>
      exampleLines(
        examples.filter((example) => example.kind === kind),
        { added, removed, changed }[kind],
      ),
    ),
  ];
}

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

function exampleLines(examples: readonly RecordChange[], total: number): string[] {
  const lines = examples.map(({ kind, record, fields }) => {
    const changes = fields.length > 0 ? `  ${fields.map(changeText).join(', ')}` : '';
    return `    ${MARKS[kind]} ${fieldsText(record)}${changes}`;
  });
  return total > examples.length && examples.length > 0
    ? [...lines, `      … and ${total - examples.length} more`]
    : lines;
}

function fieldsText(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([name, value]) => `${name} ${shown(value)}`)
    .join(', ');
}

function changeText({ name, before, after, difference }: FieldChange): string {
  const by = difference === undefined ? '' : ` (${signed(difference)})`;
  return `${name} ${shown(before)} → ${shown(after)}${by}`;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function signed(difference: number): string {
  const text = difference.toLocaleString('en-US', { maximumFractionDigits: 6 });
  return difference > 0 ? `+${text}` : text;
}
