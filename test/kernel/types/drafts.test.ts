import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { Diagnostic } from '../../../src/kernel/types/type-service.js';
import fc from '../../support/fast-check.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-drafts-'));
const types = openTypeService({ folder });
const wanted = () => new AbortController().signal;

const DEFINED = `/**
 * Adds.
 * @param a The **first**.
 */
function add(a: number, b = 1): number { return a + b; }
function pick<T>(list: (item: T) => T, item: T): T { return list(item); }
function over(a: string): string; function over(a: number, b: number): number; function over(a: unknown): unknown { return a; }
let count = 1; class Trade { price = 0.5; constructor(readonly size: number) {} }`;

beforeAll(async () => {
  expect(await types.add(DEFINED, 'cell 1').diagnostics).toEqual([]);
});
afterAll(async () => {
  await types.close();
  rmSync(folder, { recursive: true });
});

const short = ({ severity, code, message, start, end }: Diagnostic) =>
  `${start.line}:${start.column}-${end.line}:${end.column} ${severity} ${code} ${message}`;

const findings = async (code: string) => (await types.diagnose(code, wanted()))?.map(short);

/** The call at the `|` of a text: its active signature, with the active parameter in brackets. */
async function call(marked: string): Promise<string | undefined> {
  const found = await types.signatures(marked.replace('|', ''), marked.indexOf('|'), wanted());
  const active = found?.signatures[found.active];
  if (!found || !active) return undefined;
  const { label, parameters } = active;
  const at = found.parameter === undefined ? undefined : parameters[found.parameter];
  return at ? `${label.slice(0, at.start)}[${label.slice(at.start, at.end)}]${label.slice(at.end)}` : label;
}

const DRAFTS: [what: string, code: string][] = [
  ['a wrong type', "const n: number = 'a'"],
  ['an unknown name', 'nowhere + count'],
  ['a missing argument', 'add()'],
  ['a member that does not exist', 'new Trade(1).cost'],
  ['a name that is declared again', "let count = 'text'; count.length"],
  ['a class that is declared again', 'class Trade { other = 1 }; new Trade().size'],
  ['a constant that is assigned', 'const c = 1; c = 2'],
  ['an assigned function of an earlier cell', 'add = 1'],
  ['a doubtful statement', 'count, 2'],
  ['an unchecked cell', '// @ts-nocheck\nnowhere'],
  ['nothing', ''],
  ['what is right', 'add(count, 2)'],
];

for (const [what, code] of DRAFTS)
  it(`finds in a draft what it finds in the cell that runs: ${what}`, async () => {
    const draft = await findings(code);
    const ran = types.add(code, 'cell 2');
    expect(draft).toEqual((await ran.diagnostics).map(short));
    ran.withdraw();
  });

it('says where and why', async () => {
  expect(await findings("const n: number = 'a';\nadd('b');")).toEqual([
    "1:7-1:8 error 2322 Type 'string' is not assignable to type 'number'.",
    "2:5-2:8 error 2345 Argument of type 'string' is not assignable to parameter of type 'number'.",
  ]);
});

it('adds nothing', async () => {
  expect(await findings('const drafted = 1;')).toEqual([]);
  expect(await findings('drafted')).toEqual(["1:1-1:8 error 2304 Cannot find name 'drafted'."]);
  const { items } = await types.complete('draf', 4);
  expect(items).toEqual([]);
});

it('lets a cell be edited and declare its names again', async () => {
  const first = types.add('const edited = [1]; edited.length', 'cell 2');
  expect(await first.diagnostics).toEqual([]);
  expect(await findings("const edited = 'a'; edited.at(0)?.toUpperCase()")).toEqual([]);
  first.withdraw();
});

it('says of what does not parse what running it says', async () => {
  expect(await findings('const a = ;\nnowhere')).toEqual(['1:11-1:12 error 0 SyntaxError: Unexpected token']);
});

it('neither throws nor finds anything impossible in any beginning of a text', async () => {
  const code = `${DEFINED}\nfor (const [a, { b }] of [[1, { b: \`\${add(1)}\` }]] as const) { console.log(a, b) } /x/.test('😀')`;
  await fc.assert(
    fc.asyncProperty(fc.nat(code.length), async (length) => {
      const draft = code.slice(0, length);
      const lines = draft.split('\n');
      const found = await types.diagnose(draft, wanted());
      for (const { start, end } of found ?? []) {
        for (const { line, column } of [start, end]) {
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
      }
      expect(found).toBeDefined();
      await types.signatures(draft, length, wanted());
    }),
    { numRuns: 60 },
  );
});

it('answers undefined once nobody waits', async () => {
  const own = new AbortController();
  const asked = types.diagnose('nowhere', own.signal);
  const call = types.signatures('add(', 4, own.signal);
  own.abort();
  expect([await asked, await call]).toEqual([undefined, undefined]);
  expect(await types.diagnose('nowhere', own.signal)).toBeUndefined();
});

it('gives way to completion and to cells, and answers after them', async () => {
  const order: string[] = [];
  const noted = async (what: string, answer: Promise<unknown>) => {
    const value = await answer;
    order.push(what);
    return value;
  };
  const long = Array.from({ length: 300 }, (_, at) => `const v${at} = [${at}].map((x) => ({ x }));`).join('\n');
  const drafts = ['nowhere', `${long} nowhere`].map((code) => noted('draft', types.diagnose(code, wanted())));
  await pause(1);
  const cell = types.add('add(1)', 'cell 2');
  const others = [noted('completion', types.complete('cou', 3)), noted('cell', cell.diagnostics)];
  const found = await Promise.all(drafts);
  await Promise.all(others);
  expect(found.map((each) => (each as Diagnostic[]).map(({ code }) => code))).toEqual([[2304], [2304]]);
  expect(order.indexOf('completion')).toBeLessThan(order.lastIndexOf('draft'));
  expect(order.indexOf('cell')).toBeLessThan(order.lastIndexOf('draft'));
  cell.withdraw();
});

const CALLS: [what: string, marked: string, expected: string | undefined][] = [
  ['the first parameter', 'add(|', 'add([a: number], b?: number): number'],
  ['the second', 'add(1, |)', 'add(a: number, [b?: number]): number'],
  ['a nested call', 'add(1, Math.max(2, |', 'max([...values: number[]]): number'],
  ['the call around a nested one', 'add(Math.max(2), |', 'add(a: number, [b?: number]): number'],
  ['a generic function', 'pick((n) => n + 1, |2)', 'pick(list: (item: number) => number, [item: number]): number'],
  ['an overload by its arguments', 'over(1, |)', 'over(a: number, [b: number]): number'],
  ['an overload by the type of an argument', "over('a'|)", 'over([a: string]): string'],
  ['a constructor', 'new Trade(|', 'Trade([size: number]): Trade'],
  ['a method of a value of an earlier cell', 'count.toFixed(|', 'toFixed([fractionDigits?: number]): string'],
  ['too many arguments', 'add(1, 2, |)', 'add(a: number, b?: number): number'],
  ['within an object argument', 'JSON.stringify({ a: add(1, |', 'add(a: number, [b?: number]): number'],
  ['a name that the cell itself is to declare', 'const own = (x: string) => x; own(|', 'own([x: string]): string'],
  ['outside of calls', 'add(1)|', undefined],
  ['an unknown function', 'nowhere(|', undefined],
];

for (const [what, marked, expected] of CALLS)
  it(`knows the call around a place: ${what}`, async () => expect(await call(marked)).toBe(expected));

it('gives all overloads, with their documentation', async () => {
  const found = await types.signatures('add(', 4, wanted());
  expect(found?.signatures).toEqual([
    {
      label: 'add(a: number, b?: number): number',
      documentation: 'Adds.',
      parameters: [
        { start: 4, end: 13, documentation: 'The **first**.' },
        { start: 15, end: 25, documentation: '' },
      ],
    },
  ]);
  expect((await types.signatures('over(', 5, wanted()))?.signatures.map(({ label }) => label)).toEqual([
    'over(a: string): string',
    'over(a: number, b: number): number',
  ]);
});
