import type { Position } from '../line-index.js';
import type { NameKind } from './cell-names.js';
import type { Binding } from './cell-scope.js';
import { plainNames } from './plain-names.js';
import type { Diagnostic } from './type-service.js';

const SEVERITIES = { 1: 'error', 2: 'warning' } as const;
/** An array without a type is only of an unknown one because the cell exports it. */
const UNTYPED_ARRAY = 7034;
/** Brackets, templates and comments that are open at the end of a cell end behind it only. */
const UNCLOSED = new Set([1005, 1010, 1160]);
const ASSIGNED_IMPORT = 2632;
const CANNOT_ASSIGN: Partial<Record<NameKind, { code: number; what: string }>> = {
  const: { code: 2588, what: 'a constant' },
  enum: { code: 2628, what: 'an enum' },
  class: { code: 2629, what: 'a class' },
  function: { code: 2630, what: 'a function' },
  namespace: { code: 2631, what: 'a namespace' },
};

interface ServerDiagnostic {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  severity?: number;
  code?: number;
  message: string;
}

/**
 * What the language server says of a cell's module, told of the cell: hints, what concerns the lines around the cell's
 * text, and what is said twice, are left out.
 *
 * @param answer Of `textDocument/diagnostic`.
 * @param cell Its text, and the names that it knows of earlier cells.
 */
export function cellDiagnostics(answer: unknown, cell: { code: string; bindings: Binding[] }): Diagnostic[] {
  // Node and browsers honour the comment at the top of a file alone, and there the module has its imports.
  if (isUnchecked(cell.code)) return [];
  const lines = cell.code.split('\n');
  const last = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
  const kinds = new Map(cell.bindings.map(({ name, kind }) => [name, kind]));
  const found = new Map<string, Diagnostic>();
  for (const each of serverDiagnostics(answer)) {
    const severity = SEVERITIES[each.severity as 1 | 2];
    const isBehind = each.range.start.line > lines.length;
    if (!severity || each.code === UNTYPED_ARRAY || each.range.start.line < 1) continue;
    if (isBehind && !UNCLOSED.has(each.code ?? 0)) continue;
    const [start, end] = isBehind ? [last, last] : [position(each.range.start), position(each.range.end)];
    const diagnostic: Diagnostic = { severity, ...assignment(each, kinds), start, end };
    found.set(JSON.stringify(diagnostic), diagnostic);
  }
  return [...found.values()].sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
}

/** The server counts from 0, and has a line before the cell's first. */
function position({ line, character }: { line: number; character: number }): Position {
  return { line, column: character + 1 };
}

/** Whether a cell asks not to be checked. */
function isUnchecked(code: string): boolean {
  return /^(\s*(\/\/.*|\/\*[\s\S]*?\*\/))*?\s*\/\/+\s*@ts-nocheck\b/.test(code);
}

function serverDiagnostics(answer: unknown): ServerDiagnostic[] {
  if (typeof answer !== 'object' || answer === null || !('items' in answer)) return [];
  return Array.isArray(answer.items) ? answer.items : [];
}

/** Names of earlier cells are imports only to the server: the user declared them as something else. */
function assignment(
  { code = 0, message }: ServerDiagnostic,
  kinds: Map<string, NameKind>,
): { code: number; message: string } {
  const [, name = ''] = (code === ASSIGNED_IMPORT && /'([^']+)'/.exec(message)) || [];
  const cannot = CANNOT_ASSIGN[kinds.get(name) ?? 'import'];
  if (!cannot) return { code, message: plainNames(message) };
  return { code: cannot.code, message: `Cannot assign to '${name}' because it is ${cannot.what}.` };
}
