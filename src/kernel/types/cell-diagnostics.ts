import type { Rewritten } from '../transform/edits.js';
import { codeFrame, LineIndex, type Position } from '../transform/source-lines.js';
import { severityOf, withAdvice } from './advice.js';
import type { NameKind } from './cell-names.js';
import { type Binding, plainNames } from './cell-scope.js';
import { type ServerDiagnostic, type ServerPosition, serverDiagnostics } from './language-server.js';
import type { Diagnostic } from './type-service.js';

const SHOWN = new Set([1, 2]);
/** Reported for an untyped variable only because the module exports it; 7005 reports reads in functions. */
const UNTYPED = 7034;
/** `<T>(x: T) => x` and `<T>x`, which are refused only in .mts files. */
const RESERVED = new Set([7059, 7060]);
/** A read before a redeclaration: the name still has its meaning from an earlier cell. */
const READ_EARLY = new Set([2448, 2454, 7022]);
/** An undeclared name: unknown, similar to another, from a newer library, or before a dot in a type. */
const UNDECLARED = new Set([2304, 2552, 2583, 2503]);
const ASSIGNED_IMPORT = 2632;
const CANNOT_ASSIGN: Partial<Record<NameKind, { code: number; what: string }>> = {
  const: { code: 2588, what: 'a constant' },
  enum: { code: 2628, what: 'an enum' },
  class: { code: 2629, what: 'a class' },
  function: { code: 2630, what: 'a function' },
  namespace: { code: 2631, what: 'a namespace' },
};

/**
 * Turns the language server's diagnostics of a cell's module into those of the cell: leaves out hints, duplicates and
 * what concerns the lines around the cell's text, and adds advice that fits cells.
 *
 * @param cell.body The cell's lines in the module, if they are not its text.
 */
export function cellDiagnostics(
  answer: unknown,
  cell: { code: string; bindings: Binding[]; body?: Rewritten | undefined },
): Diagnostic[] {
  // TypeScript honours the comment only at the top of a file, where the module has its imports.
  if (isUnchecked(cell.code)) return [];
  const last = cell.code.split('\n').length;
  const position = positions(cell);
  const kinds = new Map(cell.bindings.map(({ name, kind }) => [name, kind]));
  const found = new Map<string, Diagnostic>();
  for (const each of serverDiagnostics(answer)) {
    const { start, end } = each.range;
    if (!SHOWN.has(each.severity ?? 0) || start.line < 1 || start.line > last || isOfOurMaking(each, kinds)) continue;
    const related = (each.relatedInformation ?? []).map(({ message }) => message);
    const { code, message } = withAdvice(assignment(each, kinds), related);
    const place = position(start);
    const severity = severityOf(code, message);
    // The same message may come twice for one place with different ends, which nobody sees.
    const key = JSON.stringify([place, code, message]);
    if (!found.has(key)) found.set(key, { severity, code, message, start: place, end: position(end) });
  }
  return [...found.values()].sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
}

/** Whether a diagnostic does not apply to a cell that runs after others in this Node.js. */
function isOfOurMaking({ code = 0, message }: ServerDiagnostic, kinds: Map<string, NameKind>): boolean {
  const [, name = ''] = /'([^']+)'/.exec(message) ?? [];
  if (code === UNTYPED || RESERVED.has(code)) return true;
  // The types know no such global, but the cell will find it at run time.
  if (UNDECLARED.has(code)) return name === '__oddslab__' || Object.hasOwn(globalThis, name);
  return READ_EARLY.has(code) && (kinds.get(name) ?? 'type') !== 'type';
}

/** The server counts from 0 and has an additional line before the cell's first. */
function positions({ code, body }: { code: string; body?: Rewritten | undefined }) {
  const plain = ({ line, character }: ServerPosition): Position => ({ line, column: character + 1 });
  if (!body) return plain;
  const [from, to] = [new LineIndex(body.text), new LineIndex(code)];
  return (place: ServerPosition): Position => to.position(body.origin(from.offset(plain(place))));
}

/** A comment with nothing but comments before it; captures the text of a line comment. */
const TOP_COMMENT = /\s*(?:\/\/(.*)|\/\*[\s\S]*?\*\/)/gy;

/** Whether a cell asks not to be checked. */
export function isUnchecked(code: string): boolean {
  return [...code.matchAll(TOP_COMMENT)].some(([, line = '']) => /^\/*\s*@ts-nocheck\b/.test(line));
}

/** Rewords assignments to names of earlier cells: only the server sees them as imports. */
function assignment(
  { code = 0, message }: ServerDiagnostic,
  kinds: Map<string, NameKind>,
): { code: number; message: string } {
  const [, name = ''] = (code === ASSIGNED_IMPORT && /'([^']+)'/.exec(message)) || [];
  const cannot = CANNOT_ASSIGN[kinds.get(name) ?? 'import'];
  if (!cannot) return { code, message: plainNames(message) };
  return { code: cannot.code, message: `Cannot assign to '${name}' because it is ${cannot.what}.` };
}

/** What keeps a cell from parsing, in the words of the error that running it ends with. */
export function syntaxDiagnostic(
  code: string,
  { message, start, end }: { message: string; start: number; end: number },
): Diagnostic {
  const lines = new LineIndex(code);
  const [mark = '', number = 0] = /^TS\((\d+)\): /.exec(message) ?? [];
  const text = `SyntaxError: ${message.slice(mark.length)}`;
  return {
    severity: 'error',
    code: Number(number),
    message: text,
    start: lines.position(start),
    end: lines.position(end),
  };
}

/** Most diagnostics written for one cell: all those of a large one could take minutes, and nobody reads more. */
const MOST_TOLD = 100;

/**
 * Diagnostics as shown under a cell: place, number and message, then the lines around the place; at most the first
 * hundred and how many more there are. Ends with a line break; empty if there is nothing to report.
 *
 * @example diagnosticsText(found, code, 'cell 3'); // "cell 3:2:5 - error TS2322: Type 'number' is not …\n\n  1 | …"
 */
export function diagnosticsText(diagnostics: Diagnostic[], code: string, name: string): string {
  const told = diagnostics.filter(({ severity }) => severity !== 'hint');
  const texts = told.slice(0, MOST_TOLD).map(({ severity, code: number, message, start }) => {
    const head = `${name}:${start.line}:${start.column} - ${severity} TS${number}: ${message}\n`;
    const frame = codeFrame(code, start);
    return frame.length > 0 ? `${head}\n${frame.join('\n')}\n` : head;
  });
  if (told.length > MOST_TOLD) texts.push(`… and ${told.length - MOST_TOLD} more in ${name}.\n`);
  return texts.join('\n');
}
