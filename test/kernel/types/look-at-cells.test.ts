import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';
import type { Completion, Hover } from '../../../src/kernel/types/type-service.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-types-'));
writeFileSync(join(folder, 'edges.ts'), 'export const edge = 1;\nexport const edgeWidth = 2;\n');
const types = openTypeService({ folder });

beforeAll(async () => {
  const cells = [
    'import { openLab, column } from "oddslab";\nimport * as fs from "node:fs";',
    '/**\n * Adds **two** numbers.\n *\n * @param a The first.\n * @returns Their sum.\n * @example\n * add(1, 2);\n */\nfunction add(a: number, b = 1): number { return a + b; }',
    'class Trade { constructor(readonly price: number, private secret = 1) {}\n  cost(size: number) { return this.price * size; } }\nlet trade = new Trade(0.5); const tradeCount = 3; interface TradeRow { id: string }',
    'const lab = await openLab(); const pnl = await lab.pnl({ wallet: "0x1", granularity: "1d" }).frame();',
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
  expect((await texts('|')).slice(0, 3)).toEqual(['add', 'column', 'fs']);
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

it('knows nothing of nothing', async () => {
  expect(await hover('  |  ')).toBeUndefined();
  expect(await hover('|')).toBeUndefined();
  expect(await complete('"te|xt"')).toEqual({ start: 1, end: 3, items: [] });
});
