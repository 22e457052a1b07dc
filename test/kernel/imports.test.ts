import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { TestNotebook } from './run-cells.js';

let installed = 0;

const CAUSE: unknown = expect.stringMatching(/^ {2}\[cause\]: \[?InputError: /);

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
    mkdirSync(join(modules, 'wraps-old'));
    notebook.write('node_modules/wraps-old/package.json', '{"name":"wraps-old","exports":"./index.mjs"}');
    notebook.write('node_modules/wraps-old/index.mjs', 'export { default } from "cjs-old";');
    mkdirSync(join(modules, 'cjs-function'));
    notebook.write(
      'node_modules/cjs-function/index.js',
      `(function (give) { give(module); })((module) => {
      const call = () => 'called';
      call.count = 0;
      call.add = () => { call.count += 1; };
      Object.defineProperty(call, 'lazy', { enumerable: true, get() { return (call.loaded = 'loaded'); } });
      module.exports = call;
    });`,
    );
    notebook.write('node_modules/cjs-old/inner.js', 'module.exports = "inner";');
    notebook.write('data.json', '{"rows":[1,2]}');
    notebook.write('tool.cjs', 'module.exports = () => "run"; module.exports.size = 3;');
    notebook.write('old.cjs', 'exports.answer = 42;');
    symlinkSync(join(packageRoot(), 'node_modules', 'zod'), join(modules, 'zod'));
  });
  afterAll(() => notebook.close());

  it.each([
    ['import one, { kind } from "esm-only"; [one, kind]', "[ 1, 'esm' ]"],
    ['import * as all from "esm-only"; Object.keys(all)', "[ 'default', 'kind' ]"],
    ['import { hidden } from "cjs-old"; hidden', '7'],
    ['import * as old from "cjs-old"; [old.hidden, old.default.hidden, "nope" in old]', '[ 7, 7, false ]'],
    ['(await import("cjs-old")).hidden', '7'],
    ['import * as wrapping from "wraps-old"; Object.keys(wrapping)', "[ 'default' ]"],
    ['import inner from "cjs-old/inner"; inner', "'inner'"],
    ['import manifest from "cjs-old/package.json" with { type: "json" }; manifest.main', "'main.js'"],
    [
      '[require("cjs-old/package.json").main, (await import("cjs-old/package.json")).default.main]',
      "[ 'main.js', 'main.js' ]",
    ],
    ['import data from "./data.json"; data', '{ rows: [ 1, 2 ] }'],
    ['import data2 from "./data.json" with { type: "json" }; data2.rows', '[ 1, 2 ]'],
    ['import { answer } from "./old.cjs"; answer', '42'],
    ['import * as tool from "./tool.cjs"; [tool.size, tool.default()]', "[ 3, 'run' ]"],
    ['import { join } from "node:path"; import "node:fs"; join("a", "b")', "'a/b'"],
    ['import type { Nothing } from "not-installed"; 1', '1'],
    ['import { z, type ZodType } from "zod"; typeof z.object', "'function'"],
    ['(await import("node:os")).EOL', "'\\n'"],
    ['const fs = require("fs"); import path = require("path"); [typeof fs.statSync, path.sep]', "[ 'function', '/' ]"],
    ['import.meta.url.endsWith("notebook.ts")', 'true'],
    [
      '[__dirname === import.meta.dirname, __filename === import.meta.filename, typeof __dirname]',
      "[ true, true, 'string' ]",
    ],
    ['const { __dirname } = { __dirname: "mine" }; __dirname', "'mine'"],
    ['__dirname', "'mine'"],
    ['"__filename" in globalThis', 'false'],
    ['require("tslab").display === (await import("tslab")).display', 'true'],
    ['require("./old.cjs").answer + require("./data").rows.length', '44'],
  ])('%s', async (code, shown) => {
    expect(await notebook.value(code)).toBe(shown);
  });

  it('reads a CommonJS package by its namespace when asked, as it is then', async () => {
    await notebook.value('import * as fn from "cjs-function"; fn.add()');
    expect(await notebook.value('[fn.count, typeof fn.default, "loaded" in fn.default]')).toBe(
      "[ 1, 'function', false ]",
    );
    expect(await notebook.value('const { add, lazy } = fn; add(); [fn.count, lazy, fn.loaded]')).toBe(
      "[ 2, 'loaded', 'loaded' ]",
    );
    const shown = "{ count: 2, add: [Function], lazy: 'loaded', loaded: 'loaded' }";
    expect(await notebook.value("const { default: whole, 'module.exports': same, ...rest } = fn; rest")).toBe(
      shown.replace('[Function]', '[Function (anonymous)]'),
    );
  });

  it('gives own modules what a cell gets of a CommonJS package', async () => {
    notebook.write(
      'u1.ts',
      'import { hidden, Gone } from "cjs-old"; export type G = Gone; export const seen = hidden;',
    );
    notebook.write('u2.ts', 'import * as old from "cjs-old"; export * from "cjs-old"; export const seen = old.hidden;');
    notebook.write('u3.ts', 'export const late = async () => (await import("cjs-old")).hidden;');
    notebook.write('u4.ts', 'export const late = async () => (await import("./data.json")).rows;');
    expect(await notebook.value("import { seen } from './u1'; seen")).toBe('7');
    expect(await notebook.value("import { seen as two, hidden as again } from './u2'; [two, again]")).toBe('[ 7, 7 ]');
    expect(await notebook.value("import { late } from './u3'; await late()")).toBe('7');
    expect(await notebook.value("import { late as later } from './u4'; await later()")).toBe('[ 1, 2 ]');
  });

  it('gives import.meta.resolve, to cells and to own modules, what an import finds', async () => {
    const inFolder = (name: string): string => `file://${notebook.folder}/${name}`;
    const modules = inFolder('node_modules');
    mkdirSync(join(notebook.folder, 'meta'));
    notebook.write(
      'meta/own.ts',
      'export const resolve = import.meta.resolve; export const { dirname } = import.meta;',
    );
    const code = (resolve: string): string =>
      `["node:fs", "esm-only", "cjs-old/inner", "./own", "./none.csv", ".."].map((each) => ${resolve}(each)).join("\\n")`;
    const shown = (own: string[]): string =>
      `'node:fs\\n' +\n  '${[`${modules}/esm-only/index.mjs`, `${modules}/cjs-old/inner.js`, ...own].join("\\n' +\n  '")}'`;
    expect(await notebook.value(code('import.meta.resolve'))).toBe(
      shown([inFolder('own'), inFolder('none.csv'), inFolder('').replace(/[^/]+\/$/, '')]),
    );
    expect(await notebook.value(`import { resolve } from './meta/own'; ${code('resolve')}`)).toBe(
      shown([inFolder('meta/own.ts'), inFolder('meta/none.csv'), inFolder('')]),
    );
    const { outcome, name } = await notebook.run('1;\nconst { resolve: find } = import.meta;\nfind("left-pad")');
    const message = expect.stringMatching(/npm install left-pad$/);
    expect(outcome).toMatchObject({ fault: { name: 'InputError', message, at: { name, line: 3 } } });
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

  describe('of a package of TypeScript that is linked from elsewhere', () => {
    let elsewhere: string;
    const write = (name: string, text: string) => writeFileSync(join(elsewhere, name), text);
    beforeAll(() => {
      elsewhere = mkdtempSync(join(tmpdir(), 'oddslab-linked-'));
      mkdirSync(join(notebook.folder, 'node_modules', '@me'));
      symlinkSync(elsewhere, join(notebook.folder, 'node_modules', '@me', 'core'));
      write('package.json', '{"name":"@me/core","exports":{".":"./index.ts","./more":"./more.mts"}}');
      write(
        'index.ts',
        'import { more } from "@me/core/more";\nexport enum E { A }\nexport const mk = () => [E.A, more];',
      );
      write('more.mts', 'export const more: number = 1;');
      notebook.write('uses-core.ts', 'export { mk } from "@me/core";');
    });
    afterAll(() => rmSync(elsewhere, { recursive: true }));

    it('loads, and loads anew after an edit, for cells and own modules', async () => {
      const read = 'import { mk, E } from "@me/core"; import * as uses from "./uses-core"; [...mk(), uses.mk === mk]';
      expect(await notebook.value(read)).toBe('[ 0, 1, true ]');
      write('more.mts', 'export const more: number = 22;');
      expect(await notebook.value(read)).toBe('[ 0, 22, true ]');
    });

    it('tells errors at their line, and no name of ours where a path is missing', async () => {
      write('index.ts', 'export const a = 1;\nthrow new Error("in core");');
      expect((await notebook.run('import "@me/core"')).outcome).toMatchObject({
        fault: { message: 'in core', at: { name: expect.stringMatching(/oddslab-linked-\w+\/index\.ts$/), line: 2 } },
      });
      const { outcome } = await notebook.run('import "@me/core/nope"');
      expect(outcome).toMatchObject({
        fault: {
          message: "The package '@me/core' has nothing to import by '@me/core/nope'. Did you mean '@me/core/more'?",
        },
      });
      expect(JSON.stringify(outcome)).not.toContain('[oddslab]');
    });
  });

  it('says once where a tsconfig.json cannot be read', async () => {
    const other = new TestNotebook();
    other.write('package.json', '{}');
    other.write('tsconfig.json', '{ "extends": "./base.json" }');
    other.write('base.json', '{ // Comment, of some length,\n  "compilerOptions": { "strict": true,\n  oops } }');
    const cell = 'const twice = (...all: unknown[]) => all.length; class A { @twice m() {} } 1';
    const { events } = await other.run(cell);
    const told = {
      type: 'stream',
      name: 'stderr',
      text: expect.stringMatching(/^\.\/base\.json:3:3 is no JSON, so nothing/),
    };
    expect(events).toContainEqual(told);
    expect((await other.run(cell)).events).not.toContainEqual(told);
    other.write('base.json', '{ "compilerOptions": ');
    expect((await other.run('import { sep } from "path"; import { z } from "none"; z')).events).toContainEqual({
      ...told,
      text: expect.stringMatching(/^\.\/base\.json:1:22 is no JSON/),
    });
    await other.close();
  });

  describe('of a package of built JavaScript that is linked from elsewhere', () => {
    let elsewhere: string;
    const write = (name: string, text: string) => writeFileSync(join(elsewhere, name), text);
    beforeAll(() => {
      elsewhere = mkdtempSync(join(tmpdir(), 'oddslab-linked-'));
      mkdirSync(join(elsewhere, 'dist'));
      mkdirSync(join(notebook.folder, 'node_modules', '@built'), { recursive: true });
      symlinkSync(elsewhere, join(notebook.folder, 'node_modules', '@built', 'js'));
      write('package.json', '{"name":"@built/js","type":"module","main":"dist/i.js"}');
    });
    afterAll(() => rmSync(elsewhere, { recursive: true }));

    it('loads anew after an edit of it or of what it imports, and only then', async () => {
      write('dist/i.js', 'import { part } from "./part.js"; export const j = { part, seen: 0 };');
      write('dist/part.js', 'export const part = 1;');
      const read = 'import { j } from "@built/js"; j.seen += 1; j';
      expect(await notebook.value(read)).toBe('{ part: 1, seen: 1 }');
      expect(await notebook.value(read)).toBe('{ part: 1, seen: 2 }');
      write('dist/part.js', 'export const part = 22;');
      expect(await notebook.value(read)).toBe('{ part: 22, seen: 1 }');
      write('dist/i.js', 'export const j = 1; export const j2 = 2;');
      expect(await notebook.value('import { j2 } from "@built/js"; j2')).toBe('2');
      expect(await notebook.value('import { part } from "@built/js/dist/part"; part')).toBe('22');
      write('dist/part.js', 'export const part = 333;');
      expect(await notebook.value('import { part } from "@built/js/dist/part"; part')).toBe('333');
    });

    it('does so of CommonJS, for import and require, and of JSON', async () => {
      write('dist/old.cjs', 'exports.old = require("./inner.cjs");');
      write('dist/inner.cjs', 'module.exports = 1;');
      write('dist/data.json', '[1]');
      const read =
        'import { old } from "@built/js/dist/old.cjs"; import data from "@built/js/dist/data.json"; [old, data]';
      const ask = 'require("@built/js/dist/old.cjs")';
      expect(await notebook.value(read)).toBe('[ 1, [ 1 ] ]');
      expect(await notebook.value(ask)).toBe('{ old: 1 }');
      write('dist/inner.cjs', 'module.exports = 22;');
      write('dist/data.json', '[22]');
      expect(await notebook.value(ask)).toBe('{ old: 22 }');
      expect(await notebook.value(read)).toBe('[ 22, [ 22 ] ]');
    });

    it('is the same for cells and for an installed package, until it is edited', async () => {
      const core = mkdtempSync(join(tmpdir(), 'oddslab-core-'));
      onTestFinished(() => rmSync(core, { recursive: true }));
      writeFileSync(join(core, 'package.json'), '{"name":"core","type":"module","main":"thing.js"}');
      writeFileSync(join(core, 'thing.js'), 'export class Thing {}');
      symlinkSync(core, join(notebook.folder, 'node_modules', 'core'));
      notebook.write('node_modules/plug/package.json', '{"name":"plug","type":"module","main":"plug.js"}');
      notebook.write(
        'node_modules/plug/plug.js',
        'import { Thing } from "core"; export const is = (x) => x instanceof Thing;',
      );
      const ask = 'import { Thing } from "core"; import { is } from "plug"; is(new Thing())';
      expect(await notebook.value(ask)).toBe('true');
      writeFileSync(join(core, 'thing.js'), 'export class Thing { edited = 1 }');
      expect(await notebook.value('import { Thing } from "core"; new Thing().edited')).toBe('1');
    });

    it('takes CommonJS for what it is, whatever the lines of its texts begin with', async () => {
      mkdirSync(join(elsewhere, 'old'));
      write('old/package.json', '{"type":"commonjs"}');
      write(
        'old/maker.js',
        'exports.made = `\nimport x from "y";\n`.trim(); exports.later = () =>\n  import("node:os");',
      );
      expect(await notebook.value('import { made } from "@built/js/old/maker.js"; made')).toBe(`'import x from "y";'`);
    });
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

  it('loads a .cts file as CommonJS, but for one of ES syntax, and knows its places', async () => {
    notebook.write(
      'c1.cts',
      'import type { A } from "./t";\nimport path = require("node:path");\nmodule.exports.p = path.sep as string;\nexports.fail = (): never => { throw new Error("in c1"); };',
    );
    notebook.write(
      'c2.cts',
      'interface D { d: string }\nexport = { d: __dirname, p: require("./c1.cts").p } satisfies D;',
    );
    notebook.write('c3.cts', 'import { p } from "./c1.cjs";\nexport const q: string = p + p;');
    expect(await notebook.value('import * as c1 from "./c1.cts"; import { p } from "./c1.cjs"; [c1.p, p]')).toBe(
      "[ '/', '/' ]",
    );
    expect(await notebook.value('import c2, { d } from "./c2.cts"; [d === import.meta.dirname, c2.p]')).toBe(
      "[ true, '/' ]",
    );
    expect(
      await notebook.value('import { q } from "./c3.cts"; import same = require("./c2.cts"); [q, same === c2]'),
    ).toBe("[ '//', true ]");
    const { outcome } = await notebook.run('c1.fail()');
    expect(outcome).toMatchObject({ fault: { message: 'in c1', at: { name: './c1.cts', line: 4, column: 37 } } });
    notebook.write('c1.cts', 'module.exports.p = "edited" as string;');
    expect(await notebook.value('import { p } from "./c2.cts"; p')).toBe("'edited'");
    notebook.write('c1.cts', '\nconst = 3;');
    const wrong = await notebook.run('import "./c2.cts"');
    expect(wrong.outcome).toMatchObject({ fault: { name: 'SyntaxError', at: { name: './c1.cts', line: 2 } } });
  });

  describe('of CommonJS files that share an edited one', () => {
    const write = (text: string): void => notebook.write('rate.cjs', `module.exports = ${text};`);
    const sees = async (code: string, first: string, second: string): Promise<void> => {
      write('1');
      expect(await notebook.value(code)).toBe(first);
      write('22');
      expect(await notebook.value(code)).toBe(second);
    };
    beforeAll(() => {
      for (const name of ['a', 'b'])
        notebook.write(`${name}.cjs`, `module.exports = '${name}' + require('./rate.cjs');`);
      notebook.write('chain.js', 'module.exports = 100 + require("./middle-rate.cjs");');
      notebook.write('middle-rate.cjs', 'module.exports = require("./rate.cjs");');
      notebook.write('uses-chain.ts', 'import chain from "./chain.js"; export const used: number = chain;');
      notebook.write('ring.cjs', 'exports.back = require("./ring-back.cjs"); exports.rate = require("./rate.cjs");');
      notebook.write('ring-back.cjs', 'const ring = require("./ring.cjs"); module.exports = () => ring.rate;');
    });

    it.each([
      ['import a from "./a.cjs"; import b from "./b.cjs"; [a, b]', "[ 'a1', 'b1' ]", "[ 'a22', 'b22' ]"],
      ['[require("./a.cjs"), require("./b.cjs")]', "[ 'a1', 'b1' ]", "[ 'a22', 'b22' ]"],
      ['[require("./rate.cjs"), require("./b.cjs"), require("./chain")]', "[ 1, 'b1', 101 ]", "[ 22, 'b22', 122 ]"],
      [
        'import chain from "./chain.js"; import { used } from "./uses-chain"; [chain, used]',
        '[ 101, 101 ]',
        '[ 122, 122 ]',
      ],
      ['import { used } from "./uses-chain"; used', '101', '122'],
      ['require("./ring.cjs").back()', '1', '22'],
    ])('%s is of one piece', sees);

    it('is seen by a file that failed until then, and by what requires it later', async () => {
      notebook.write('first.cjs', 'module.exports = require("./b.cjs"); throw new Error("not yet");');
      notebook.write('later.cjs', 'module.exports = () => require("./first.cjs");');
      write('1');
      expect((await notebook.run('require("./later.cjs")()')).outcome.status).toBe('error');
      write('22');
      notebook.write('first.cjs', 'module.exports = require("./b.cjs");');
      expect(await notebook.value('require("./later.cjs")()')).toBe("'b22'");
    });

    it('keeps the state of those that need nothing that was edited', async () => {
      notebook.write('state.cjs', 'module.exports = { seen: 0 };');
      notebook.write('needs-state.ts', 'import s from "./state.cjs"; import b from "./b.cjs"; export { s, b };');
      const read =
        'import { s, b } from "./needs-state"; import mine from "./state.cjs"; mine.seen += 1; [s === mine, s.seen, b]';
      await sees(read, "[ true, 1, 'b1' ]", "[ true, 2, 'b22' ]");
    });
  });

  it.each([
    ['./value.json', (value: number) => `{ "value": ${value} }`],
    ['./value.cjs', (value: number) => `exports.value = ${value};`],
    ['./values/', (value: number) => `exports.value = ${value};`],
  ])('require(%j) loads it anew where it was edited, and only then', async (path, text) => {
    const file = path === './values/' ? './values/index.js' : path;
    mkdirSync(join(notebook.folder, 'values'), { recursive: true });
    notebook.write(file, text(1));
    expect(await notebook.value(`let kept = require('${path}'); kept.value`)).toBe('1');
    expect(await notebook.value(`require('${path}') === kept`)).toBe('true');
    notebook.write(file, text(22));
    expect(await notebook.value(`require('${path}').value`)).toBe('22');
  });

  it.each([
    ['await import("left-pad")', 'ERR_MODULE_NOT_FOUND'],
    ['import.meta.resolve("left-pad")', 'ERR_MODULE_NOT_FOUND'],
    ['await import("./left-pad")', 'ERR_MODULE_NOT_FOUND'],
    ['await import("./needs-left-pad")', 'ERR_MODULE_NOT_FOUND'],
    ['await import("lacks-left-pad")', 'ERR_MODULE_NOT_FOUND'],
    ['require("left-pad")', 'MODULE_NOT_FOUND'],
    ['require("./left-pad")', 'MODULE_NOT_FOUND'],
    ['require("./left-pad.js")', 'MODULE_NOT_FOUND'],
  ])('gives the error of %s the code of Node, and shows no more of it', async (code, expected) => {
    notebook.write('needs-left-pad.ts', 'import "left-pad";');
    mkdirSync(join(notebook.folder, 'node_modules', 'lacks-left-pad'), { recursive: true });
    notebook.write('node_modules/lacks-left-pad/index.mjs', 'import "left-pad";');
    notebook.write('node_modules/lacks-left-pad/package.json', '{"exports":"./index.mjs"}');
    expect(await notebook.value(`let code; try { ${code} } catch (error: any) { code = error.code } code`)).toBe(
      `'${expected}'`,
    );
    const { outcome } = await notebook.run(code);
    if (outcome.status === 'ok') throw new Error('The cell did not fail.');
    expect(outcome.fault.traceback.join('\n')).not.toMatch(/[{}]|MODULE_NOT_FOUND/);
    const wrapped = await notebook.run(`try { ${code} } catch (cause) { throw new Error('optional', { cause }) }`);
    expect(wrapped.outcome).toMatchObject({ fault: { traceback: expect.arrayContaining([CAUSE]) } });
  });

  it('names the command that installs a missing package', async () => {
    const { outcome } = await notebook.run('import x from "left-pad"');
    const message =
      "Cannot find the package 'left-pad'. If that, as it is written, is its name on npm, where anybody may have published it, install it in the notebook's folder: npm install left-pad";
    expect(outcome).toMatchObject({ status: 'error', fault: { message } });
  });

  it.each([
    ['import late from "NAME"; late', { type: 'module', exports: './lib.js' }, 'export default 1;'],
    ['import late from "NAME"; late', { main: 'lib.js' }, 'module.exports = 1;'],
    ['require("NAME")', { main: 'lib.js' }, 'module.exports = 1;'],
    ['require("NAME/inner")', { exports: { './inner': './lib.js' } }, 'module.exports = 1;'],
    ['import late from "./uses.cjs"; late', { main: 'lib.js' }, 'module.exports = 1;'],
    ['import { late } from "./uses"; late', { exports: './lib.js' }, 'module.exports = 1;'],
  ])('finds what was installed since %s failed', async (code, manifest, lib) => {
    installed += 1;
    const name = `installed-${installed}`;
    notebook.write('uses.cjs', `module.exports = require("${name}");`);
    notebook.write('uses.ts', `export { default as late } from "${name}";`);
    const cell = code.replace('NAME', name);
    expect((await notebook.run(cell)).outcome.status).toBe('error');
    expect((await notebook.run(cell)).outcome.status).toBe('error');
    mkdirSync(join(notebook.folder, 'node_modules', name));
    notebook.write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
    notebook.write(`node_modules/${name}/lib.js`, lib);
    expect(await notebook.value(cell)).toBe('1');
  });

  it.each([
    ["import 'needing'", 'import "@in/needed/part.js";', { type: 'module' }],
    ["await import('needing')", 'import "@in/needed";', { type: 'module' }],
    ["import 'needing'", 'require("@in/needed");', {}],
    ["require('needing')", 'require("@in/needed");', {}],
  ])(
    'says what a package lacks where %s fails by %s, and whether installing it suffices',
    async (code, lib, manifest) => {
      const other = new TestNotebook();
      const write = (name: string, text: string): void => {
        mkdirSync(join(other.folder, 'node_modules', name), { recursive: true });
        other.write(`node_modules/${name}/index.js`, text);
        other.write(`node_modules/${name}/part.js`, text);
        other.write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
      };
      write('needing', lib);
      const message =
        "The package 'needing' needs the package '@in/needed', which cannot be found. " +
        "Install it in the notebook's folder: npm install @in/needed";
      for (const _ of [1, 2]) expect((await other.run(code)).outcome).toMatchObject({ fault: { message } });
      write('@in/needed', '');
      const { outcome } = await other.run(code);
      await other.close();
      const later =
        "The package '@in/needed' is installed now, but Node remembers that 'needing' did not find it. Restart the kernel.";
      if (outcome.status === 'error') expect(outcome.fault.message).toBe(later);
    },
  );

  it.each([
    [
      "require('@scope/left-pad/inner')",
      "Cannot find '@scope/left-pad/inner'. The project has no folder or file '@scope/left-pad', and no package '@scope/left-pad' is installed: a file of yours is imported by its path, which begins with './' or '../'. If '@scope/left-pad', as it is written, is the name of a package on npm, where anybody may have published it, install it in the notebook's folder: npm install @scope/left-pad",
    ],
    [
      "require('./nowhere')",
      "Cannot find the module './nowhere': looked for nowhere.ts, nowhere.js and nowhere/index.ts from the importing file's folder.",
    ],
    ["require('esm-only')", "require() cannot load 'esm-only'. Import it: import * as name from 'esm-only'"],
    ["require('./u1')", "require() cannot load TypeScript here. Import it: import * as name from './u1'"],
    ["require('./typed.ts')", "require() cannot load TypeScript here. Import it: import * as name from './typed.ts'"],
  ])('says what helps where %s cannot', async (code, message) => {
    notebook.write('u1.ts', '');
    notebook.write('typed.ts', 'export enum Fee { None }');
    const { outcome, name } = await notebook.run(`1;\n${code}`);
    const at = { name, line: 2, column: 1 };
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'InputError', message, at } });
  });

  it.each(['ts', 'cts'])('has names only for the numbers of an enum in a .%s file', async (extension) => {
    notebook.write(
      `kinds.${extension}`,
      "const t = 'a';\nexport enum Kind { A = t, B = t + 'b', C = 7, D = Number('8') }",
    );
    const code = `import { Kind } from './kinds.${extension}'; Kind`;
    expect(await notebook.value(code)).toBe("{ '7': 'C', '8': 'D', A: 'a', B: 'ab', C: 7, D: 8 }");
  });

  it('says that our own package is to be imported where it is required', async () => {
    const other = new TestNotebook();
    const { outcome } = await other.run("require('oddslab')");
    await other.close();
    const message = "require() cannot load 'oddslab'. Import it: import * as name from 'oddslab'";
    expect(outcome).toMatchObject({ status: 'error', fault: { message } });
  });

  it('says of a package that was installed in another version since that it takes a restart', async () => {
    const install = (version: string, text: string): void => {
      mkdirSync(join(notebook.folder, 'node_modules', 'upgraded'), { recursive: true });
      notebook.write('node_modules/upgraded/package.json', JSON.stringify({ version, main: 'lib.js' }));
      notebook.write('node_modules/upgraded/lib.js', text);
    };
    const told = (version: string) =>
      `upgraded ${version} is installed, 1.0.0 is loaded: restart the kernel to use it.`;
    const result = { type: 'result', data: { 'text/plain': '1' } };
    install('1.0.0', 'exports.f = 1;');
    expect((await notebook.run('import { f } from "upgraded"; f')).events).toMatchObject([{ type: 'result' }]);
    const ways = ['import { f } from "upgraded"; f', '(await import("upgraded")).f', 'require("upgraded").f'];
    for (const [index, code] of ways.entries()) {
      const version = `2.0.${index}`;
      install(version, 'exports.f = 2; exports.added = 3;');
      const warning = { type: 'stream', name: 'stderr', text: `${told(version)}\n` };
      expect((await notebook.run(code)).events).toMatchObject([warning, result]);
      expect((await notebook.run(code)).events).toMatchObject([result]);
    }
    const { outcome } = await notebook.run('import { added } from "upgraded"; added');
    const message = `The module 'upgraded' has no export named 'added'. It exports: default, f. ${told('2.0.2')}`;
    expect(outcome).toMatchObject({ status: 'error', fault: { message } });
    install('1.0.0', 'exports.f = 1;');
    expect((await notebook.run('import { f } from "upgraded"; f')).events).toMatchObject([{ type: 'result' }]);
  });

  it('names what a module exports where an import is misspelt', async () => {
    const { outcome } = await notebook.run('import { knd } from "esm-only"; knd');
    const message = "The module 'esm-only' has no export named 'knd'. Did you mean 'kind'? It exports: kind, default";
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'SyntaxError', message } });
  });
});
