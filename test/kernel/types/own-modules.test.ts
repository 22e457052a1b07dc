import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTypeService } from '../../../src/kernel/types/open-type-service.js';

let root: string;
let types: ReturnType<typeof openTypeService>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'oddslab-own-'));
  mkdirSync(join(root, 'notes'));
  types = openTypeService({ folder: join(root, 'notes') });
});
afterEach(async () => {
  await types.close();
  rmSync(root, { recursive: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

async function codesOf(code: string): Promise<number[]> {
  const checked = types.add(code, 'cell');
  const codes = (await checked.diagnostics).map((each) => each.code);
  expect(await checked.obstacle).toBeUndefined();
  return codes;
}

it('sees what changes in a package that is linked, and in what that imports', async () => {
  write(
    'ours/package.json',
    '{ "name": "@ours/fees", "exports": { ".": "./src/index.ts", "./more": "./src/more.ts" } }',
  );
  write('ours/src/index.ts', 'export { one } from "./one.js";');
  write('ours/src/one.ts', 'export const one = 1;');
  write('ours/src/more.ts', 'export const more = 1;');
  mkdirSync(join(root, 'notes/node_modules/@ours'), { recursive: true });
  symlinkSync(join(root, 'ours'), join(root, 'notes/node_modules/@ours/fees'));
  const code = 'import { one } from "@ours/fees"; import { two } from "@ours/fees/more"; one.toFixed(); two.toFixed()';
  expect(await codesOf(code)).toEqual([2305]);
  write('ours/src/more.ts', 'export const more = 1; export const two = 2;');
  expect(await codesOf(code)).toEqual([]);
  write('ours/src/one.ts', 'export const one = "1";');
  expect(await codesOf(code)).toEqual([2551]);
});

it('takes a class of a file by its types, whatever its methods are called', async () => {
  write(
    'notes/book.ts',
    `export class Book {
  orders: { id: number }[] = [];
  add(order: { id: number }) { this.orders.push(order); }
  push(order: { id: number }) { this.orders.push(order); }
  set(id: number, order: { id: number }) { this.orders[id] = order; }
}`,
  );
  const opened = 'import { Book } from "./book"; const book = new Book(); ';
  expect(await codesOf(`${opened}book.add({ id: 1 }); book.orders.length`)).toEqual([]);
  for (const put of ['book.add({ id: "1" })', 'book.push({ id: "1" })', 'book.set(1, { id: "1" })'])
    expect(await codesOf(`${opened}${put}; book.best`), put).toEqual([2322, 2339]);
});

it('sees what changes behind #imports', async () => {
  write(
    'notes/package.json',
    '{ "imports": { "#lib/*": { "types": "./lib/*.ts", "default": "./lib/*.ts" }, "#one": "./one.ts" } }',
  );
  write('notes/lib/fees.ts', 'export const fee = 1;');
  write('notes/one.ts', 'export const one = 1;');
  const code = 'import { fee, late } from "#lib/fees"; import { one } from "#one"; [fee, late, one.toFixed()]';
  expect(await codesOf(code)).toEqual([2305]);
  write('notes/lib/fees.ts', 'export const fee = 1, late = 2;');
  expect(await codesOf(code)).toEqual([]);
  write('notes/one.ts', 'export const one = "text";');
  expect(await codesOf(code)).toEqual([2551]);
});

it('finds what paths and baseUrl of a tsconfig.json name, where the runner finds it, as it changes', async () => {
  write('tsconfig.base.json', '{ "compilerOptions": { "baseUrl": "./shared" } }');
  write(
    'notes/tsconfig.json',
    '{ "extends": "../tsconfig.base.json", "compilerOptions": { "paths": { "@lib/*": ["../notes/lib/*"] } } }',
  );
  write('notes/lib/fees.ts', 'export const fee = "x";');
  write('shared/rates.ts', 'export const rate = 1;');
  const code = 'import { fee } from "@lib/fees"; import { rate } from "rates"; fee.toFixed(); rate.toFixed()';
  expect(await codesOf(code)).toEqual([2551]);
  write('notes/lib/fees.ts', 'export const fee = 1;');
  write('shared/rates.ts', 'export const rate = "late";');
  expect(await codesOf(code)).toEqual([2551]);
  write('shared/rates.ts', 'export const rate = 1;');
  expect(await codesOf(code)).toEqual([]);
});

it('says nothing of a file that it read while it was being written', async () => {
  write('notes/half.ts', 'export const whole = 1;');
  const code = 'import { whole } from "./half"; whole.toFixed()';
  expect(await codesOf(code)).toEqual([]);
  for (const half of ['', 'export const who']) {
    write('notes/half.ts', half);
    const codes = codesOf(code);
    await new Promise((resolve) => setTimeout(resolve, 60));
    write('notes/half.ts', 'export const whole = 1;');
    expect(await codes).toEqual([]);
  }
  const written = setInterval(() => {
    write('notes/half.ts', 'export const');
    setTimeout(() => write('notes/half.ts', 'export const whole = 1;'), 20);
  }, 50);
  for (let round = 0; round < 10; round++) expect(await codesOf(code)).toEqual([]);
  clearInterval(written);
  await new Promise((resolve) => setTimeout(resolve, 30));
});

it('says nothing of what a cell imports from a file that has changed since the cell began', async () => {
  write('notes/next.ts', 'export const n2 = 2;');
  const code = 'import { n1 } from "./next"; n1.toFixed(); [].no';
  const before = types.add(code, 'cell', Date.now() - 1000);
  expect((await before.diagnostics).map((each) => each.code)).toEqual([2339]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await codesOf(code)).toEqual([2305, 2339]);
});

it('reads a file again that was written once more within the same tick of the clock', async () => {
  const file = join(root, 'notes/now.ts');
  // A clock that stands still: one second that never ends.
  const now = new Date(Date.now() + 3_600_000);
  write('notes/now.ts', 'export const n1 = 1;');
  utimesSync(file, now, now);
  expect(await codesOf('import { n2 } from "./now"; n2')).toEqual([2305]);
  write('notes/now.ts', 'export const n2 = 1;');
  utimesSync(file, now, now);
  expect(await codesOf('import { n2 } from "./now"; n2')).toEqual([]);
});

it('knows the names of a cell that is too large to be checked as any', async () => {
  const rows = '[0.123, 4],\n'.repeat(100_000);
  const large = `const rows = [\n${rows}];\nlet last = 1;\nexport const [a, { b: c }] = [1, { b: 2 }];\nclass Row { x = 1 }\ninterface Kind<T> { x: T }\nasync function load() {}\nenum Side { Yes }\nnamespace Made { export type Kind = 1 }`;
  const checked = types.add(large, 'cell 1');
  expect(await checked.diagnostics).toEqual([]);
  expect(await checked.obstacle).toBe('It has more than 1,000,000 characters: keep its data in a file.');
  expect(
    await codesOf(
      'rows.length; last = "x"; a.b + c; new Row().y; const k: Kind<number> = 5; await load(); Side.No; nope',
    ),
  ).toEqual([2304]);
  const written =
    'const s: Side.Yes = 1; const k: Made.Kind<1, 2, 3, 4> = 5; class Mine extends Row { y = this.x } new Mine().z';
  expect(
    await codesOf(`${written}; Made.more(); const r: typeof Side.Yes = 2; let many: Row<1, 2, 3>[] = [1]`),
  ).toEqual([]);
  expect(await codesOf('rows.foo.bar; const r: Row = 5; const s: Side = 1; load<number>(); new Row<string>()')).toEqual(
    [],
  );
});

it('knows every name of a cell that is too large to be checked, however it is laid out', async () => {
  const large = `
    const first = 1, second = '${'x'.repeat(1_000_000)}'; function use(a) {} type Odds = { yes: number };
    import fs, { readFileSync as read } from 'node:fs'; import * as paths from 'node:path';
    if (first) { var inside = 1; let hidden = 2 }
    for (var i = 0; i < 2; i++) {}
    const { p: { q = 1 }, ...rest } = { p: {} }; export default class Named {}`;
  expect(await types.add(large, 'cell 1').diagnostics).toEqual([]);
  const uses =
    'first + second + inside + i + q; use(1); const o: Odds = 1; fs.x; read(1); paths.y; rest.z; new Named().x';
  expect(await codesOf(`${uses}; hidden`)).toEqual([2304]);
});
