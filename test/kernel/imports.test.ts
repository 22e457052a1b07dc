import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';
import { TestNotebook } from './run-cells.js';

describe('imports of a cell', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
    const modules = join(notebook.folder, 'node_modules');
    for (const name of ['esm-only', 'cjs-old', 'oddslab']) mkdirSync(join(modules, name), { recursive: true });
    notebook.write('node_modules/esm-only/package.json', '{"name":"esm-only","exports":{"import":"./index.mjs"}}');
    notebook.write(
      'node_modules/esm-only/index.mjs',
      'export const kind = await Promise.resolve("esm"); export default 1;',
    );
    notebook.write('node_modules/cjs-old/package.json', '{"name":"cjs-old","main":"main.js"}');
    notebook.write('node_modules/cjs-old/main.js', 'const all = {}; all.hidden = 7; module.exports = all;');
    notebook.write('node_modules/cjs-old/inner.js', 'module.exports = "inner";');
    notebook.write('data.json', '{"rows":[1,2]}');
    notebook.write('old.cjs', 'exports.answer = 42;');
    symlinkSync(join(packageRoot(), 'node_modules', 'zod'), join(modules, 'zod'));
  });
  afterAll(() => notebook.close());

  it.each([
    ['import one, { kind } from "esm-only"; [one, kind]', "[ 1, 'esm' ]"],
    ['import * as all from "esm-only"; Object.keys(all)', "[ 'default', 'kind' ]"],
    ['import { hidden } from "cjs-old"; hidden', '7'],
    ['import inner from "cjs-old/inner"; inner', "'inner'"],
    ['import data from "./data.json"; data', '{ rows: [ 1, 2 ] }'],
    ['import data2 from "./data.json" with { type: "json" }; data2.rows', '[ 1, 2 ]'],
    ['import { answer } from "./old.cjs"; answer', '42'],
    ['import { join } from "node:path"; import "node:fs"; join("a", "b")', "'a/b'"],
    ['import type { Nothing } from "not-installed"; 1', '1'],
    ['import { z, type ZodType } from "zod"; typeof z.object', "'function'"],
    ['(await import("node:os")).EOL', "'\\n'"],
    ['const fs = require("fs"); import path = require("path"); [typeof fs.statSync, path.sep]', "[ 'function', '/' ]"],
    ['import.meta.url.endsWith("notebook.ts")', 'true'],
  ])('%s', async (code, shown) => {
    expect(await notebook.value(code)).toBe(shown);
  });

  it('keeps an unused import for later cells', async () => {
    expect(await notebook.value('import { basename } from "node:path"', 'basename("/a/b")')).toBe("'b'");
  });

  it('prefers a package of the folder to our own', async () => {
    notebook.write('node_modules/oddslab/package.json', '{"name":"oddslab","type":"module","exports":"./index.js"}');
    notebook.write('node_modules/oddslab/index.js', 'export const mine = true;');
    expect(await notebook.value('import { mine } from "oddslab"; mine')).toBe('true');
  });

  it('reads a local module anew after an edit of it or of what it imports, and only then', async () => {
    notebook.write('deep.ts', 'export const depth: number = 1;');
    notebook.write(
      'mid.ts',
      'import { depth } from "./deep";\nexport interface Row { a: 1 }\nexport const state = { depth, seen: 0 };',
    );
    const read = 'import { state, Row } from "./mid"; state.seen += 1; state';
    expect(await notebook.value(read)).toBe('{ depth: 1, seen: 1 }');
    expect(await notebook.value(read)).toBe('{ depth: 1, seen: 2 }');
    notebook.write('deep.ts', 'export const depth: number = 22;');
    expect(await notebook.value(read)).toBe('{ depth: 22, seen: 1 }');
  });

  it('reads .ts for .js, an index of a folder, and modules that import each other', async () => {
    mkdirSync(join(notebook.folder, 'kit'));
    notebook.write('kit/index.ts', 'import { b } from "./b.js"; export const a = () => "a" + b(); export enum E { X }');
    notebook.write('kit/b.ts', 'import { E } from "./index.js"; export const b = () => String(E.X);');
    expect(await notebook.value('import { a } from "./kit"; a()')).toBe("'a0'");
  });

  it('gives the parts of a JSON file by its namespace too, and a file of JSX by its name', async () => {
    expect(await notebook.value("import * as data from './data.json'; [data.rows, data.default]")).toBe(
      '[ [ 1, 2 ], { rows: [ 1, 2 ] } ]',
    );
    notebook.write('shown.tsx', 'export const three = <N extends number,>(n: N): N => n;');
    expect(await notebook.value("import { three } from './shown.tsx'; three(3)")).toBe('3');
    expect(await notebook.value(`import { three as four } from 'file://${notebook.folder}/shown.tsx'; four(4)`)).toBe(
      '4',
    );
  });

  it('loads CommonJS files anew where a file that they require was edited, and only then', async () => {
    notebook.write('inner.cjs', 'exports.value = 1;');
    notebook.write('middle.cjs', 'exports.value = require("./inner.cjs").value;');
    notebook.write('outer.cjs', 'exports.value = require("./middle.cjs").value; exports.made = {};');
    expect(await notebook.value("import { value, made } from './outer.cjs'; let first = made; value")).toBe('1');
    expect(await notebook.value("import { made as same } from './outer.cjs'; same === first")).toBe('true');
    notebook.write('inner.cjs', 'exports.value = 22;');
    expect(await notebook.value("import { value as edited } from './outer.cjs'; edited")).toBe('22');
  });

  it('names the command that installs a missing package', async () => {
    const { outcome } = await notebook.run('import x from "left-pad"');
    const message = "Cannot find the package 'left-pad'. Install it in the notebook's folder: npm install left-pad";
    expect(outcome).toMatchObject({ status: 'error', fault: { message } });
  });

  it('names what a module exports where an import is misspelt', async () => {
    const { outcome } = await notebook.run('import { knd } from "esm-only"; knd');
    const message = "The module 'esm-only' has no export named 'knd'. It exports: default, kind";
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'SyntaxError', message } });
  });
});
