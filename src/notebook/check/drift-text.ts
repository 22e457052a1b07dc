import type { Drift } from './compare-notebooks.js';
import { type ChangedLine, changedLines } from './line-diff.js';
import { type NumberPair, numbersApart } from './same-text.js';

/** How many lines and how many numbers are shown of one output. */
const MOST_LINES = 30;
const MOST_NUMBERS = 5;

/** How much of a line is shown. */
const WIDTH = 160;

/**
 * Drifts as text for a reader: for each output its cell, what happened to it, the lines that differ (`-` stored, `+`
 * now), and the numbers that differ. Empty if there is no drift.
 *
 * @param options.color Whether to colour it for a terminal. Default false.
 */
export function driftText(drifts: readonly Drift[], name: string, options: { color?: boolean } = {}): string {
  const paint: Paint = (code, text) => (options.color ? `\x1b[${code}m${text}\x1b[0m` : text);
  const [first] = drifts;
  if (!first) return '';
  if (first.kind === 'nothing-stored') {
    return `${paint(BOLD, `${name} ${first.problem}.`)}\nRun it with --out, look at the result, and keep that as the notebook.\n`;
  }
  const outputs = drifts.length === 1 ? '1 output is' : `${drifts.length} outputs are`;
  const title = paint(BOLD, `${name}: ${outputs} not as stored`);
  return [title, ...drifts.flatMap((drift, index) => driftLines(drift, drifts[index - 1], paint)), ''].join('\n');
}

type Paint = (code: number, text: string) => string;

const [BOLD, RED, GREEN, FAINT] = [1, 31, 32, 2];

function driftLines(drift: Drift, previous: Drift | undefined, paint: Paint): string[] {
  const isSameCell = previous?.cell === drift.cell && previous.source === drift.source;
  const head = isSameCell ? [] : ['', paint(BOLD, `cell ${drift.cell}: ${cut(drift.source, 0, 80)}`)];
  const also = drift.also.length > 0 ? `; so does ${drift.also.join(', ')}` : '';
  return [...head, `  ${drift.output} ${drift.problem}${also}`, ...bodyLines(drift, paint)];
}

function bodyLines({ stored, now, rule }: Drift, paint: Paint): string[] {
  if (stored === undefined && now === undefined) return [];
  const lines = changedLines(stored ?? '', now ?? '', rule);
  if (lines.length === 0) return endLines(stored ?? '', now ?? '');
  const pairs = pairedLines(lines);
  const others = new Map(pairs.flatMap(([left, right]) => [[left, right] as const, [right, left] as const]));
  const numbers = numberChanges(
    pairs.flatMap(([left, right]): NumberPair[] => numbersApart(left.text, right.text, rule)),
  );
  const shown = lines.slice(0, MOST_LINES).map((line) => `    ${shownLine(line, others, paint)}`);
  const more = lines.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [paint(FAINT, `    … and ${more} more lines`)] : []),
    ...numbers.slice(0, MOST_NUMBERS).map((change) => `    ${change}`),
    ...(numbers.length > MOST_NUMBERS ? [`    and ${numbers.length - MOST_NUMBERS} more numbers`] : []),
  ];
}

/** The difference of texts whose lines are equal: whether a line end follows the last. */
function endLines(stored: string, now: string): string[] {
  if (stored.endsWith('\n') === now.endsWith('\n')) return [];
  return [`    it ends ${now.endsWith('\n') ? 'with' : 'without'} a line end now, unlike as stored`];
}

type TextLine = Exclude<ChangedLine, { side: 'gap' }>;

/** Pairs of a removed line and the line that replaced it. */
function pairedLines(lines: readonly ChangedLine[]): [TextLine, TextLine][] {
  const pairs: [TextLine, TextLine][] = [];
  let gone: TextLine[] = [];
  for (const line of lines) {
    if (line.side === 'stored') gone.push(line);
    else if (line.side === 'now') {
      const other = gone.shift();
      if (other) pairs.push([other, line]);
    } else gone = [];
  }
  return pairs;
}

function shownLine(line: ChangedLine, others: ReadonlyMap<TextLine, TextLine>, paint: Paint): string {
  if (line.side === 'gap') return paint(FAINT, `  … ${line.count} equal ${line.count === 1 ? 'line' : 'lines'}`);
  const at = firstDifference(line.text, others.get(line)?.text);
  if (line.side === 'both') return paint(FAINT, `  ${cut(line.text, at)}`).trimEnd();
  // Spaces at the end of a line may be all that differs.
  const text = cut(line.text, at).replace(/\s+$/, (spaces) => '·'.repeat(spaces.length));
  return line.side === 'stored' ? paint(RED, `- ${text}`) : paint(GREEN, `+ ${text}`);
}

function firstDifference(text: string, other: string | undefined): number {
  if (other === undefined) return 0;
  let at = 0;
  while (at < text.length && text.charAt(at) === other.charAt(at)) at += 1;
  return at;
}

/** The part of a long line around an index. */
function cut(text: string, at: number, width = WIDTH): string {
  if (text.length <= width) return text;
  const start = Math.max(0, Math.min(at - Math.floor(width / 3), text.length - width));
  const end = start + width;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Describes each pair of numbers that differ: `12.5 → 12.6, off by 0.8 %`. Repeated descriptions are left out. */
function numberChanges(pairs: readonly NumberPair[]): string[] {
  const changes = pairs.map(
    ({ stored, now }) => `${stored.text} → ${now.text}, off by ${distance(stored.value, now.value)}`,
  );
  return [...new Set(changes)];
}

function distance(stored: number, now: number): string {
  const apart = Math.abs(now - stored);
  return stored === 0 ? rounded(apart) : `${rounded((apart / Math.abs(stored)) * 100)} %`;
}

function rounded(value: number): string {
  const short = Number(value.toPrecision(2));
  return short < 1e-3 ? short.toExponential() : short.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
