import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { Completion, Hover } from '../../../src/kernel/types/type-service.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
mkdirSync(join(folder, 'node_modules/@sc/pkg'), { recursive: true });
writeFileSync(join(folder, 'node_modules/@sc/pkg/package.json'), '{"name":"@sc/pkg","types":"i.d.ts"}');
writeFileSync(join(folder, 'node_modules/@sc/pkg/i.d.ts'), 'export const there: number;');
mkdirSync(join(folder, '.checkpoints/inner'), { recursive: true });
writeFileSync(join(folder, 'edges.ts'), 'export const edge = 1;\nexport const edgeWidth = 2;\n');
const types = openTypeService({ folder });

beforeAll(async () => {
  const cells = [
    'import { openLab, column } from "oddslab";\nimport * as fs from "node:fs";',
    '/**\n * Adds **two** numbers.\n *\n * @param a The first.\n * @returns Their sum.\n * @example\n * add(1, 2);\n */\nfunction add(a: number, b = 1): number { return a + b; }',
    'class Trade { constructor(readonly price: number, private secret = 1) {}\n  cost(size: number) { return this.price * size; } }\nlet trade = new Trade(0.5); const tradeCount = 3; interface TradeRow { id: string }',
    'const lab = await openLab(); const pnl = await lab.pnl({ wallet: "0x1", granularity: "1d" }).frame();',
    "const odd = [{ one: 1, 'odd key': 2, both: { x: 1 } }];\ninterface Odd { size?: number; mode: 'al\\'pha' | 'beta' }\nconst setMode = (mode: Odd['mode'], level: 1 | 2) => [mode, level]; let oddity!: Odd;",
    'const Bet = { parse: () => ({ pnl: 1 }) };',
    'type Bet = ReturnType<typeof Bet.parse>;',
    '/** What a bet costs. */ const stake = 5; const found = [1].find(Boolean); if (!found) throw stake; console.log(stake)',
  ];
  for (const code of cells) expect(await types.add(code, 'cell').diagnostics).toEqual([]);
});
afterAll(async () => {
  await types.close();
  rmSync(folder, { recursive: true });
});

/** What completes a text at its `|`. */
function complete(marked: string): Promise<Completion> {
  return types.complete(marked.replace('|', ''), marked.indexOf('|'));
}

/** What is known at the `|` of a text. */
function hover(marked: string): Promise<Hover | undefined> {
  return types.hover(marked.replace('|', ''), marked.indexOf('|'));
}

const texts = async (marked: string) => (await complete(marked)).items.map(({ text }) => text);

it('completes members, with kind and type', async () => {
  expect(await complete('trade.|')).toEqual({
    start: 6,
    end: 6,
    items: [
      { text: 'cost', kind: 'method', signature: '(size: number): number' },
      { text: 'price', kind: 'property', signature: 'number' },
    ],
  });
});

it('completes at once behind a word of many characters', async () => {
  expect(await texts(`const data = '${'0a'.repeat(75_000)}'; trade.PR|`)).toEqual(['price']);
});

it('filters by what is written before the cursor, in any case, and keeps what stands after it', async () => {
  expect(await complete('const x = 1;\ntrade.PR|x + 1')).toEqual({
    start: 19,
    end: 21,
    items: [{ text: 'price', kind: 'property', signature: 'number' }],
  });
});

it('completes names of earlier cells, before globals', async () => {
  expect(await texts('trade|')).toEqual(['trade', 'tradeCount', 'Trade', 'TradeRow']);
  expect(await texts('const t: TradeR|')).toEqual(['TradeRow']);
  expect((await texts('|')).slice(0, 3)).toEqual(['add', 'Bet', 'column']);
});

it('completes names of the cell itself and globals', async () => {
  expect(await texts('const ownName = 1; function f(ownArgument: number) { own| }')).toEqual([
    'ownArgument',
    'ownName',
  ]);
  expect(await texts('proce|')).toEqual(['process']);
  expect(await texts('displa|')).toContain('display');
});

it('completes text that does not parse yet', async () => {
  expect(await texts('for (const x of [trade]) { if (x.|')).toEqual(['cost', 'price']);
  expect(await texts('add(trade.|, ')).toEqual(['cost', 'price']);
  expect(await texts('const { pri| } = trade;')).toEqual(['price']);
});

it('completes paths and names of imports', async () => {
  expect(await texts('import { readFileS| } from "node:fs"')).toEqual(['readFileSync']);
  expect(await texts('import fs from "node:fs/prom|"')).toEqual(['promises']);
  expect(await complete('import { edge } from "./ed|"')).toMatchObject({
    start: 24,
    end: 26,
    items: [{ text: 'edges' }],
  });
  expect(await texts('import { edg| } from "./edges"')).toEqual(['edge', 'edgeWidth']);
  expect(await texts('import {} from "odds|"')).toContain('oddslab');
});

it('completes scopes and their packages', async () => {
  expect(await texts('import { edge } from "./|"')).toEqual(['edges', 'node_modules']);
  expect(await texts('import { edge } from "./.c|"')).toEqual(['.checkpoints']);
  expect(await complete('import x from "@s|"')).toMatchObject({ start: 15, end: 17, items: [{ text: '@sc' }] });
  const items = [{ text: 'pkg', kind: 'folder', signature: '' }];
  expect(await complete('import x from "@sc/|"')).toEqual({ start: 19, end: 19, items });
  expect(await complete('import x from "@sc/p|"')).toEqual({ start: 19, end: 20, items });
  expect(await texts('import { th| } from "@sc/pkg"')).toEqual(['there']);
});

it('writes what can stand at the place', async () => {
  expect(await texts('odd[0].|')).toEqual(['both', 'one']);
  expect(await texts("odd[0]['|")).toEqual(['both', 'odd key', 'one']);
  expect(await texts('const o: Odd = { s|')).toEqual(['size']);
  expect(await texts('oddity.s|')).toEqual(['size']);
  expect((await texts('setMode(|')).slice(0, 2)).toEqual(["'al\\'pha'", "'beta'"]);
  expect(await texts("setMode('|'")).toContain('beta');
  expect((await texts("setMode('beta', |")).slice(0, 2)).toEqual(['1', '2']);
  expect((await texts('const o: Odd = { mode: b|'))[0]).toBe("'beta'");
});

it('tells a type over several lines in one', async () => {
  expect((await complete('odd|')).items[0]).toEqual({
    text: 'odd',
    kind: 'variable',
    signature: "{ one: number; 'odd key': number; both: { x: number; }; }[]",
  });
  expect((await complete("odd[0]['odd|")).items).toEqual([{ text: 'odd key', kind: 'property', signature: 'number' }]);
});

it('knows a value and a type of one name from two cells', async () => {
  expect(await texts('Bet.|')).toEqual(['parse']);
  expect(await texts('declare const b: Bet; b.|')).toEqual(['pnl']);
  expect(await texts('Be|')).toEqual(['Bet']);
  expect(await hover('B|et.parse()')).toMatchObject({
    signature: 'const Bet: {\n    parse: () => {\n        pnl: number;\n    };\n}',
  });
  expect(await hover('let b: B|et')).toMatchObject({ signature: 'type Bet = {\n    pnl: number;\n}' });
});

it('completes and tells of what is declared again', async () => {
  expect(await texts('const odd = odd[0].o|; 1')).toEqual(['one']);
  expect(await hover('const odd = o|dd[0]; 1')).toMatchObject({
    signature: "const odd: {\n    one: number;\n    'odd key': number;\n    both: {\n        x: number;\n    };\n}[]",
    start: 12,
    end: 15,
  });
});

it('completes columns of our frames', async () => {
  expect(await texts('column(pnl, "w|")')).toContain('wins');
});

it('offers no names of its own making, and nothing to import', async () => {
  expect(await texts('oddslab|')).toEqual([]);
  expect(await texts('winRa|')).toEqual([]);
});

it('tells declaration and documentation at a place', async () => {
  expect(await hover('const x = a|dd(1);')).toEqual({
    signature: 'function add(a: number, b?: number): number',
    documentation:
      'Adds **two** numbers.\n\n*@param* `a` — The first.\n\n*@returns* — Their sum.\n\n*@example*\n```tsx\nadd(1, 2);\n```',
    start: 10,
    end: 13,
  });
});

it('tells of variables, types, members and the second line', async () => {
  expect(await hover('tra|de')).toMatchObject({ signature: 'let trade: Trade', documentation: '', start: 0, end: 5 });
  expect(await hover('\n  trade.co|st(1)')).toMatchObject({
    signature: '(method) Trade.cost(size: number): number',
    start: 9,
    end: 13,
  });
  expect(await hover('let t: Tra|de')).toMatchObject({ signature: 'class Trade' });
  expect((await hover('open|Lab()'))?.documentation).toMatch(/^Opens a lab/);
});

it('tells of the call around a place where no name is', async () => {
  const sum = {
    signature: 'add(a: number, b?: number): number',
    documentation: 'Adds **two** numbers.\n\n*@param* `a` — The first.',
  };
  expect(await hover('add(|)')).toEqual({ ...sum, start: 4, end: 4 });
  expect(await hover('add(1, |')).toEqual({ ...sum, start: 7, end: 7 });
  expect(await hover('\n`$' + '{add(|)}`')).toEqual({ ...sum, start: 8, end: 8 });
  expect(await hover('add(Math.max(1), |2)')).toMatchObject(sum);
  expect(await hover('add(`a|b`')).toMatchObject(sum);
  expect(await hover('Math.max(1, |')).toMatchObject({
    signature: 'max(...values: number[]): number',
    documentation: expect.stringMatching(/^Returns the larger .*\n\n\*@param\* `values` — Numeric/),
  });
  expect(await hover('add(Math.max(|), 2)')).toMatchObject({ signature: 'max(...values: number[]): number' });
  expect(await hover('new Trade(|')).toMatchObject({ signature: 'Trade(price: number, secret?: number): Trade' });
});

it('tells of the name under the cursor, though it is an argument', async () => {
  expect(await hover('add(tradeC|ount)')).toMatchObject({ signature: 'const tradeCount: 3' });
  expect(await hover('a|dd(tradeCount)')).toMatchObject({ signature: 'function add(a: number, b?: number): number' });
  expect(await hover('add(nobody|)')).toMatchObject({ signature: 'add(a: number, b?: number): number' });
});

it('tells the overload that is meant first, and of many only some', async () => {
  const twice =
    '/** Of a text. */ declare function f(x: string): 1;\n/** Of two. */ declare function f(x: number, y: 2): 2;\n';
  expect(await hover(`${twice}f(1, |)`)).toMatchObject({
    signature: 'f(x: number, y: 2): 2\nf(x: string): 1',
    documentation: 'Of two.',
  });
  const many = Array.from({ length: 9 }, (_, at) => `declare function g(x: ${at}): ${at};`);
  expect((await hover(`${many.join('\n')}\ng(3|)`))?.signature.split('\n')).toEqual([
    ...[3, 0, 1, 2, 4, 5].map((at) => `g(x: ${at}): ${at}`),
    '// and 3 more',
  ]);
});

it('tells of a call of ours', async () => {
  const call = await hover('import { cumulativePnlChart } from "oddslab";\ncumulativePnlChart(pnl, |)');
  expect(call?.signature).toMatch(/^cumulativePnlChart\(frame: /);
  expect(call?.documentation).toMatch(/^[A-Z][\s\S]*\*@param\* `frame` — /);
});

it('names other places without leading to them', async () => {
  const link = await hover('/** See {@link trade} and [it](https://example.org). */ const linked = 1; link|ed');
  expect(link?.documentation).toBe('See trade and [it](https://example.org).');
});

it('knows nothing of nothing', async () => {
  expect(await hover('  |  ')).toBeUndefined();
  expect(await hover('|')).toBeUndefined();
  expect(await hover('nobodyDeclar|edThis')).toBeUndefined();
  expect(await hover('trade.nobo|dy')).toBeUndefined();
  expect(await hover('add(1)|; 1')).toBeUndefined();
  expect(await complete('"te|xt"')).toEqual({ start: 1, end: 3, items: [] });
});

it('tells what was checked as it is now, and what was merely used as it is declared', async () => {
  expect(await hover('fou|nd')).toMatchObject({ signature: 'const found: number' });
  expect(await hover('sta|ke')).toMatchObject({ signature: 'const stake: 5', documentation: 'What a bet costs.' });
});
