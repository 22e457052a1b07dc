import { withoutEscapes } from '../../base/texts.js';
import { type CodeCell, isMultiline, joinLines, type Output } from '../format/nbformat.js';
import { lastState } from '../format/overwritten.js';
import { type Sanitizer, sanitized } from './sanitizer.js';

/** One form of an output: text, which is compared by its lines, or bytes, which are equal or not. */
export type Part = { text: string; grouped: boolean } | { bytes: Buffer };

/** One output of a cell, in the form in which it is compared. */
export interface ShownOutput {
  kind: 'stdout' | 'stderr' | 'display' | 'result' | 'error' | 'output';
  /** The forms by MIME type; a stream and an error have one, `text/plain`. */
  parts: ReadonlyMap<string, Part>;
}

/**
 * The outputs of a cell in comparable form: each stream joined into one text and first, errors reduced to name and
 * message, keys of JSON sorted. Left out are colours, execution counts, the kernel's type messages, and empty displays
 * such as a progress line that was cleared.
 */
export function shownBy(cell: CodeCell, sanitizers: readonly Sanitizer[]): ShownOutput[] {
  const clean = (text: string): string => sanitized(withoutEscapes(text), sanitizers);
  const streams = (['stdout', 'stderr'] as const).flatMap((name) => {
    const pieces = cell.outputs.filter((output) => output.output_type === 'stream' && output.name === name);
    const whole = lastState(pieces.map((piece) => comparedText(piece.text)).join(''));
    const text = clean(name === 'stderr' ? withoutDiagnostics(withoutEscapes(whole)) : whole);
    return text === '' ? [] : [{ kind: name, parts: onePart(text) }];
  });
  const rest = cell.outputs.filter((output) => output.output_type !== 'stream' && !isEmptyDisplay(output));
  return [...streams, ...rest.map((output) => shownOf(output, clean))];
}

function isEmptyDisplay({ output_type: type, data }: Output): boolean {
  return (
    type === 'display_data' && Object.values(Object(data)).every((part) => isMultiline(part) && joinLines(part) === '')
  );
}

function shownOf(output: Output, clean: (text: string) => string): ShownOutput {
  const { output_type: type, data } = output;
  if (type === 'error') {
    return { kind: 'error', parts: onePart(clean(`${String(output.ename)}: ${String(output.evalue)}`)) };
  }
  const kind = type === 'execute_result' ? 'result' : type === 'display_data' ? 'display' : 'output';
  const entries = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return { kind, parts: new Map(entries.map(([mime, value]) => [mime, partOf(mime, value, clean)])) };
}

function partOf(mime: string, value: unknown, clean: (text: string) => string): Part {
  const isJson = /[/+]json$/.test(mime) || (!isMultiline(value) && typeof value === 'object');
  if (isJson) return { text: clean(JSON.stringify(sorted(value), null, 2) ?? ''), grouped: false };
  const text = comparedText(value);
  const isBinary = /^(?:image|audio|video|font)\//.test(mime) || mime === 'application/pdf';
  if (isBinary && mime !== 'image/svg+xml') return { bytes: Buffer.from(text, 'base64') };
  return { text: clean(text), grouped: mime !== 'image/svg+xml' };
}

function comparedText(value: unknown): string {
  return isMultiline(value) ? joinLines(value) : JSON.stringify(value ?? '');
}

function onePart(text: string): Map<string, Part> {
  return new Map([['text/plain', { text, grouped: true }]]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

/** The code frame below a diagnostic: numbered lines, with a caret under the one that is meant. */
const FRAME = String.raw`\n(?:(?:[> ] +\d+ \|.*| +\| *\^)(?:\n|$))+`;

/** A diagnostic; its message may continue over indented lines. */
const DIAGNOSTIC = String.raw`\bcell(?: \d+)?:\d+:\d+ - (?:error|warning) TS\d+: .*(?:\n|$)(?:[ \t]+\S.*(?:\n|$))*(?:${FRAME})?`;

/** Several diagnostics are separated by an empty line; after the last may stand how many more there are. */
const PATTERN = new RegExp(
  String.raw`${DIAGNOSTIC}(?:\n${DIAGNOSTIC})*(?:\n… and \d+ more in cell(?: \d+)?\.(?:\n|$))?`,
  'g',
);

/**
 * Removes the kernel's type messages from a text of stderr: a notebook saved in Jupyter holds them, and a run without
 * type checking writes none.
 */
export function withoutDiagnostics(text: string): string {
  return text.replace(PATTERN, '');
}
