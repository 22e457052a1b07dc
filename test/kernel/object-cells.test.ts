import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openTypeService } from '../../src/kernel/types/open-type-service.js';
import { TestNotebook } from './run-cells.js';

const notebook = new TestNotebook();
const folder = mkdtempSync(join(tmpdir(), 'oddslab-object-'));
const types = openTypeService({ folder });
afterAll(async () => {
  await Promise.all([notebook.close(), types.close()]);
  rmSync(folder, { recursive: true });
});

it.each([
  ['{ a: 1, b: 2 }', '{ a: 1, b: 2 }'],
  ['{ a: 1 }', '{ a: 1 }'],
  ['{}', '{}'],
  [' \n{\n  a: [1],\n  "b c": { d: 2 },\n}\n', "{ a: [ 1 ], 'b c': { d: 2 } }"],
  ['{ a: 1 } // told', '{ a: 1 }'],
  [
    '{ x, ...{ y: 1 }, [`z`]: 2, f() { return 1 }, get g() { return 3 } }',
    '{ x: 7, y: 1, z: 2, f: [Function: f], g: [Getter] }',
  ],
  ['{ a: await Promise.resolve(3) as number }', '{ a: 3 }'],
  ['{ a: 1 }.a', '1'],
  ['// leading\n{ a: 1, b: 2 }', '{ a: 1, b: 2 }'],
  ['/* some\nmore */ // and\n { a: 1 }\n', '{ a: 1 }'],
  ['{ a: 1 } // note;', '{ a: 1 }'],
  ['{ f(a: number) { return a }, if: 1 }', '{ f: [Function: f], if: 1 }'],
  ['{ a: { g() { } } }', '{ a: { g: [Function: g] } }'],
  ['{ a: new (class { private n = 1; accessor m = 2; sum() { return this.n + this.m } })().sum() }', '{ a: 3 }'],
])('%s is an object', async (code, shown) => {
  expect(await notebook.value('const x = 7;', code)).toBe(shown);
});

it.each([
  ['{ a: 1 };', undefined],
  ['{ a: 1 } ;', undefined],
  ['{ a: 1 }; // note', undefined],
  ['{ x }\n;', undefined],
  ['{ let y = 1; log.push(y) }', undefined],
  ['{ log.push(1); log.length }', undefined],
  ['{\n  log.push(1)\n}\n{\n  log.push(2)\n}', undefined],
  ['outer: for (;;) { break outer }', undefined],
  ['{ again: for (;;) break again; }', undefined],
  ['{ const z = 1 } [1, 2]', '[ 1, 2 ]'],
])('%s is the block or label that it is in a file', async (code, shown) => {
  expect(await notebook.value('const log: number[] = [];', code)).toBe(shown);
});

it.each([
  "{ if (x) { log.push('ran') } }",
  "{\n  if (x) {\n    log.push('ran');\n  }\n}",
  "{ while (x) { log.push('ran'); break } }",
  "{ while (x) { log.push('ran'); x = 0 } }",
  "{ for (n of [1]) { log.push('ran') } }",
  "{ switch (x) { case 1: log.push('ran') } }",
  "{\n push('ran')\n { log }\n}",
  "{ again: { if (x) { log.push('ran') } } }",
  "// said before\n{ if (x) { log.push('ran') } }",
  "{ log }\n[1].forEach(() => log.push('ran'))",
])('%j is run as a block', async (code) => {
  const setup = 'const log: string[] = []; let x = 1, n = 0; const push = (text: string) => { log.push(text) };';
  expect(await notebook.value(setup, code, 'log')).toBe("[ 'ran' ]");
});

it('tells the places of errors', async () => {
  for (const code of ['{ a: 1, b: missing }', '{ a: 1, b: await missing }'])
    expect((await notebook.run(code)).outcome).toMatchObject({
      fault: { name: 'ReferenceError', at: { line: 1, column: code.indexOf('missing') + 1 } },
    });
  const lines = await notebook.run('{\n  a: missing,\n}');
  expect(lines.outcome).toMatchObject({ fault: { at: { line: 2, column: 6 } } });
  const wrong = await notebook.run('{ a: 1, b: }');
  expect(wrong.outcome).toMatchObject({ fault: { name: 'SyntaxError', at: { line: 1 } } });
});

it('has its types checked', async () => {
  const told: string[] = [];
  for (const code of ['const n = 5;', '{ a: n, b: 2 }', '{\n  a: n.missing,\n}', '{ a: n.other, b: 1 }']) {
    const diagnostics = await types.add(code, 'cell').diagnostics;
    told.push(...diagnostics.map(({ code: number, start }) => `${start.line}:${start.column} ${number}`));
  }
  expect(told).toEqual(['2:8 2339', '1:8 2339']);
});
