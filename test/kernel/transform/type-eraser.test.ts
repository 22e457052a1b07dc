import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/packages.js';
import { Edits } from '../../../src/kernel/transform/edits.js';
import { stripTypes } from '../../../src/kernel/transform/strip-types.js';
import { walk } from '../../../src/kernel/transform/syntax-tree.js';
import { transformCell } from '../../../src/kernel/transform/transform.js';
import { TypeEraser } from '../../../src/kernel/transform/type-eraser.js';
import fc, { cases } from '../../support/fast-check.js';

const source = join(packageRoot(), 'src');
const TRANSFORM = { filename: 'cell.ts', lang: 'ts', keepImports: true } as const;

/** The text without its types; undefined where that is left to the transform, or the text is no TypeScript. */
function erased(text: string): string | undefined {
  const { program, errors } = parseSync('cell.ts', text, { lang: 'ts', sourceType: 'module' });
  if (errors.length > 0) return undefined;
  const edits = new Edits(text);
  const eraser = new TypeEraser(text, edits);
  walk(program, (node, parent) => eraser.visit(node, parent));
  return eraser.isPossible ? edits.apply().text : undefined;
}

/** What a program does, without how it is written; undefined where it is none: then a cell is transformed after all. */
function meaning(code: string): unknown {
  const { program, errors } = parseSync('cell.js', code, { lang: 'js', sourceType: 'module' });
  return errors.length > 0 ? undefined : bare(program.body);
}

const WRITING = new Set(['start', 'end', 'raw', 'shorthand']);

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare).filter((each) => each !== undefined);
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value;
  if ('type' in value && value.type === 'EmptyStatement') return undefined;
  if ('type' in value && value.type === 'ParenthesizedExpression' && 'expression' in value)
    return bare(value.expression);
  // The transform puts braces where two `else` could be mistaken.
  if ('type' in value && value.type === 'BlockStatement' && 'body' in value && isOne(value.body))
    return bare(value.body[0]);
  const kept = Object.entries(value).filter(([key]) => !WRITING.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, bare(inner)]));
}

function isOne(body: unknown): body is unknown[] {
  return Array.isArray(body) && body.length === 1;
}

function expectSame(text: string): boolean {
  const quick = meaning(erased(text) ?? '?');
  if (quick === undefined) return false;
  const thorough = stripTypes(text, TRANSFORM);
  if ('fault' in thorough) return false;
  expectEqual(quick, meaning(thorough.code), text);
  return true;
}

/** Compares syntax trees: Vitest takes long over large ones, and is asked only for what differs. */
function expectEqual(found: unknown, expected: unknown, text: string): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, text).toEqual(expected);
}

/** Statements that may stand one behind the other with and without a semicolon, in one line and in several. */
const STATEMENTS = [
  'let a: number',
  'const b: string = c',
  'd = e as T',
  'd = e satisfies T',
  'd = e!',
  'type F = G',
  'type F = { a: 1 } | [b: 2]',
  'interface F { (a: 1): 2 }',
  '(function () {})()',
  '(d as any) = 1',
  '[d!] = e',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code that is tested.
  '`${d as any}`',
  '/a/.test(d!)',
  '+d!',
  '--d',
  'd! ++',
  'in_ = 1',
  'if (d as any) e!; else f()',
  'f<number>(d)',
  'new Map<string, number>',
  'new Map<string, number>()',
  'class A<T>extends B<T> { a: T\n["b"] = 1\nc?(): void }',
  'class A { get: number\nb() {} }',
  'class A { static: T\n*c(): Generator<T> {} }',
  'class A { #a: number = 1; static b<T>(this_: T): T { return this_ } }',
  'class A { b = 1; constructor(readonly c: T, private d?: T, public e = 1, f = 2) { f } }',
  'class A<T> { constructor(protected override readonly b: T) {} }',
  'class A extends B { constructor(readonly c: T) { super() } }',
  'function f<T,>(a?: T, { b }: C = {}, ...d: E[]): asserts a is T {}',
  'const f = <T,>(a: T): T => a as T',
  'const f = async (a: T): Promise<T> => ({}) as T',
  'const f = (a: T)\n: T => a',
  'for (const a of b as C) d!',
  'for (let a: number = 0; a! < 1; a!++) {}',
  'try {} catch (e: unknown) {}',
  'd = e ? f as T : g!',
  'd = { a: e as T, b: <T>(c: T) => c, d!: 1 }',
  'd = a as T as U',
  'd = a as const',
  'd = a! as T, e = b',
  'd ??= a as T',
  'a?.b!.c',
  'a!?.b',
  'a! !== b!',
  'a < b, c > (d)',
  'a as T\n? b : c',
  'throw a as Error',
  'label: for (;;) break label',
  'd = a as T // note',
  'd = /v/v as T',
  'd = a as unknown as {}',
  'enum A { B }',
  'var a: number',
  'var a: number = 1',
  '{ var a = 1 }',
  'export const a: T = 1',
  'export default a as T',
  'import type { A } from "a"',
  'import { b } from "a"',
];

/** Statements of which something is rewritten or moves away. */
const REWRITTEN = [
  'await a',
  'if (b) await a',
  'if (b) { c\nawait a }',
  'try { c\nawait a } catch (e) { d\nawait e }',
  'for await (const a of b) c',
  'for await (const a of b) { c }',
  'var a = 1',
  'var a = 1, b = 2',
  'const a = b',
  'let a = () => {}',
  'throw a',
  'import "a"',
  'import a from "a"',
  'export * from "a"',
  'export { a } from "a"',
  'export { a }',
  'export const a = 1',
  'export default a',
  'export default function () {}',
  'function a() {}',
  'async function* a() { yield <T>\n(b: T) => b }',
  'class A {}',
  'import("a")',
  '[a].map(b)',
  '(a).b',
  '"use strict"',
  'do a; while (b)',
  'a: for (;;) { break a }',
  'URL = a as any',
  'const f = g',
  'f = function () {}',
];

describe('leaving types out', () => {
  it('means the same as the transform, however statements follow each other', () => {
    const separator = fc.constantFrom(';', '\n', ';\n', ' ', '\n\n// note\n', '/* a */');
    const pieces = fc.array(fc.tuple(fc.constantFrom(...STATEMENTS), separator), { minLength: 1, maxLength: 4 });
    let [tried, compared] = [0, 0];
    fc.assert(
      fc.property(pieces, (list) => {
        tried += 1;
        if (expectSame(list.flat().join(''))) compared += 1;
      }),
      { numRuns: cases(6000) },
    );
    expect(compared).toBeGreaterThan(0.08 * tried);
  });

  it('leaves cells as they are when they are transformed, whatever is rewritten in them', () => {
    const piece = fc.oneof(fc.constantFrom(...REWRITTEN), fc.constantFrom(...STATEMENTS));
    const separator = fc.constantFrom('\n', '\n', ';\n', '\n// note\n');
    let [tried, compared] = [0, 0];
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, separator), { minLength: 2, maxLength: 5 }), (list) => {
        tried += 1;
        const text = list.flat().join('');
        const quick = transformCell(text);
        if ('fault' in quick || !quick.isQuick) return;
        const thorough = transformCell(text, undefined, { isThorough: true });
        if ('fault' in thorough) return;
        const found = meaning(quick.code);
        if (found === undefined) return;
        compared += 1;
        expectEqual(found, meaning(thorough.code), text);
      }),
      { numRuns: cases(6000) },
    );
    expect(compared).toBeGreaterThan(0.08 * tried);
  });

  it('means the same in each file of this package', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /(?<!\.d)\.ts$/.test(name) && !name.includes('node_modules'),
    );
    const texts = files.map((name) => readFileSync(join(source, name), 'utf8'));
    // Most files import types, which cells seldom do: that alone would leave them to the transform.
    const compared = texts.map((text) => text.replace(/^import [^;]*;/gm, '').replace(/^export (?=\w+ )/gm, ''));
    expect(compared.filter(expectSame).length).toBeGreaterThan(files.length / 2);
  });
});
