import type { Node, ObjectExpression, ParseResult, parseSync } from 'oxc-parser';
import { plainCell } from './cell-source.js';
import { walk } from './syntax-tree.js';

/** A cell as the parser reads it. */
export interface ReadCell {
  parsed: ParseResult;
  lang: 'ts' | 'tsx';
  /** What was parsed: the cell, see {@link plainCell}, or, if it is an object, that in brackets. */
  text: string;
  /** How many characters stand in it before the cell. */
  shift: 0 | 1;
}

/** A text as the parser reads it in a language. */
type Parse = (text: string, lang: 'ts' | 'tsx') => ParseResult;

/** Reads a cell by the parser, which is loaded only where it is needed; see {@link readCell}. */
export function parseCell(parser: typeof parseSync, text: string, filename = 'cell.ts'): ReadCell {
  return readCell(text, (read, lang) => parser(filename, read, { lang, sourceType: 'module' }));
}

/**
 * Reads a cell as Node's REPL does: as an object if it begins with a brace, does not end in a semicolon and can be one,
 * unless it rather is a block, see {@link isBlock}; else as statements. And as TypeScript with JSX where it holds JSX, else as TypeScript. If it is neither, the errors are
 * those of the language in which more of it can be read.
 */
export function readCell(written: string, parse: Parse): ReadCell {
  // The parsers make a node of a `#!` line, which would have to stay first; a comment of the same length need not.
  const text = plainCell(written).replace(/^#!/, '//');
  if (!BRACE.test(text)) return { ...readText(text, parse), text, shift: 0 };
  const object = `(${text}\n)`;
  const read = readText(object, parse);
  const statements = readText(text, parse);
  const isObject = read.parsed.errors.length === 0;
  return isObject && (statements.parsed.errors.length > 0 || !isBlock(read.parsed, object))
    ? { ...read, text: object, shift: 1 }
    : { ...statements, text, shift: 0 };
}

/** A text whose first brace nothing but comments stands before. */
export const BRACE = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*\{/;
/** What begins a statement that looks like a method: `{ if (done) { … } }`. */
const STATEMENTS = /^(if|while|for|switch|with|catch)$/;

/**
 * Whether what can be an object and a block was meant as a block: if the object would have a method that is named as a
 * statement is, or whose body begins on another line than its parameters end, or if more follows on another line.
 */
function isBlock({ program }: ParseResult, text: string): boolean {
  let outer: ObjectExpression | undefined;
  walk(program, (node) => {
    if (node.type === 'ObjectExpression') outer ??= node;
    return outer === undefined;
  });
  if (!outer) return false;
  const rest = text.slice(outer.end, -2);
  return hasStatements(outer, text) || /^\s*\n\s*[^\s/]/.test(rest);
}

function hasStatements(node: Node, text: string): boolean {
  if (node.type !== 'ObjectExpression') return false;
  return node.properties.some((each) => {
    if (each.type !== 'Property') return false;
    // A label may stand before a block.
    if (!each.method) return hasStatements(each.value, text);
    const { key, value } = each;
    const isNamedSo = key.type === 'Identifier' && STATEMENTS.test(key.name);
    const body = value.type === 'FunctionExpression' ? value.body?.start : undefined;
    return isNamedSo || (body !== undefined && /\n\s*$/.test(text.slice(0, body)));
  });
}

/** What closes JSX. Without it, `<T>(x: T) => x` and `<T>x` are what they are in TypeScript. */
const MARKUP = /<\/[\w.:$-]*\s*>|\/>/;
/** A tag of JSX that may not be closed yet, as while it is written. */
const TAG = /<[A-Za-z][\w.:$-]*[\s>]/;
/** Where TypeScript may have taken JSX for a type assertion: not in a text that only quotes HTML. */
const ASSERTION = /(?<![\w$'"`\]).]\s*|[^=]>\s*)<[A-Za-z$_]/;

function readText(text: string, parse: Parse): Pick<ReadCell, 'parsed' | 'lang'> {
  const plain = parse(text, 'ts');
  const isPlain = plain.errors.length === 0;
  const isPerhapsMarked = isPlain
    ? MARKUP.test(text) && ASSERTION.test(text) && has(plain, 'TSTypeAssertion')
    : MARKUP.test(text) || TAG.test(text);
  if (!isPerhapsMarked) return { parsed: plain, lang: 'ts' };
  const marked = parse(text, 'tsx');
  const isMarked = marked.errors.length === 0 && hasJsx(marked);
  const isCloser = !isPlain && marked.errors.length > 0 && faultAt(marked) > faultAt(plain);
  return isMarked || isCloser ? { parsed: marked, lang: 'tsx' } : { parsed: plain, lang: 'ts' };
}

function faultAt({ errors }: ParseResult): number {
  return errors[0]?.labels[0]?.start ?? 0;
}

function hasJsx(parsed: ParseResult): boolean {
  return has(parsed, 'JSXElement') || has(parsed, 'JSXFragment');
}

function has({ program }: ParseResult, type: string): boolean {
  let isFound = false;
  walk(program, (node) => {
    isFound ||= node.type === type;
    return !isFound;
  });
  return isFound;
}
