import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReserved, withWrittenNames } from '../../../src/kernel/transform/top-level-names.js';
import fc from '../../support/fast-check.js';
import { TestNotebook } from '../run-cells.js';

/**
 * Cells, in order, in which `Map` is a name of the user's. What they do must not depend on the name: it must be the
 * same with a name that is no global.
 */
const CELLS: string[][] = [
  ['const Map = 5; Map'],
  ['const Map = 5', 'Map'],
  ['let Map = 5', 'Map += 1; Map'],
  ['let Map = 5', 'Map++; --Map; Map++; Map'],
  ['var Map = 5; Map', 'Map'],
  ['var Map: number; Map', 'Map = 2; Map'],
  ['var Map, b = 1; [Map, b]'],
  ['for (var Map of [1, 2]); Map', 'Map'],
  ['for (var Map in { a: 1 }); Map', 'Map'],
  ['for (var Map = 0; Map < 3; Map++); Map', 'Map'],
  ['for (var { Map = 4 } of [{}]); Map', 'Map'],
  ['if (true) { var Map = 3 } Map', 'Map'],
  ['function Map() { return Map.name } Map()', '[Map(), Map.name, Map.length]'],
  ['async function Map(a: number) { return a } await Map(2)', 'Map.name'],
  ['function* Map() { yield 1 } [...Map()]', 'Map.name'],
  ['const a = Map(); function Map() { return 1 } a'],
  ['class Map { static own = Map; a = 1 } [Map.name, Map.own === Map, new Map()]', 'new Map()'],
  ['class Map { me() { return Map } }', 'class Sub extends Map {} [new Sub().me() === Map, new Sub()]'],
  ['class Map {}', 'Map = class {} as any; Map.name'],
  ['enum Map { A, B }', '[Map.A, Map[1], Map]'],
  ['namespace Map { export const a = 1 }', 'Map.a'],
  ["import { sep as Map } from 'node:path'; Map", 'Map'],
  ["import Map from 'node:path'; Map.sep", 'Map.sep'],
  ["import * as Map from 'node:path'; Map.sep", 'Map.sep'],
  ["import Map, { sep } from 'node:path'", '[Map.sep, sep]'],
  ['export const Map = 5', 'Map'],
  ['export function Map() { return 1 }', 'Map()'],
  ['export default function Map() { return 1 }', 'Map()'],
  ['export default class Map {}', 'Map.name'],
  ['const Map = 5; export { Map }', 'Map'],
  ['const Map = 5', 'export default Map'],
  ['const { Map } = { Map: 5 }; Map', 'Map'],
  ['const { Map = 6 } = {} as any; Map', 'Map'],
  ['const { a: Map } = { a: 5 }; Map', 'Map'],
  ['const { a: { Map } } = { a: { Map: 5 } }; Map', 'Map'],
  ['const { a = Map, ...Map } = { a: 1, b: 2 }; Map', 'Map'],
  ['const [, Map = 3] = []; Map', 'Map'],
  ['const [...Map] = [1, 2]; Map', 'Map'],
  ['let Map = 1', '({ Map } = { Map: 2 }); Map'],
  ['let Map = 1', '({ Map = 3 } = {} as any); Map'],
  ['let Map = 1', '({ a: Map } = { a: 4 }); Map'],
  ['let Map = 1', '[Map] = [5]; Map'],
  ['let Map = 1', '[...Map] = [5] as any; Map'],
  ['let Map = 1', 'for (Map of [7]); Map'],
  ['let Map = 1', 'for ((Map) in { k: 7 }); Map'],
  ['const Map = 1', 'Map = 2'],
  ['const Map = 1; Map = 2'],
  ['const Map = 1', '({ Map } = { Map: 2 })'],
  ['const Map = 1', 'const write = () => { Map++ };\n write()'],
  ['const Map = 1', '{ let Map = 2; Map = 3; } Map'],
  ['const Map = 1', '({ Map })', '({ Map: Map, a: { Map } })'],
  ['const Map = 1', '({ Map() { return Map } }).Map()'],
  ['const Map = "k"', '({ [Map]: 1 })', '({ k: 5 })[Map]'],
  ['const Map = 1', '({ get Map() { return [Map] } }).Map'],
  ['const Map = 1', 'const o = { Map: 9 }; [o.Map, o?.Map, o["Map"]]'],
  [
    'const Map = 1',
    'class C { Map = Map; static Map = Map + 1; #Map = 3; own() { return this.#Map } } [new C(), C.Map]',
  ],
  ['const Map = 1', 'class C { [Map] = 2; static { const Map = 3; C.s = Map } static s = 0 } [C.s, new C()]'],
  ['const Map = 1', 'typeof Map'],
  ['const Map = 1', ['`$', '{Map}`'].join('')],
  ['const Map = (s: TemplateStringsArray) => s[0]', 'Map`x`'],
  ['const Map = 1', '((Map: number) => Map)(2)'],
  ['const Map = 1', '((a = Map) => { var Map = 3; return [a, Map] })()'],
  ['const Map = 1', '(({ Map }) => Map)({ Map: 4 })'],
  ['const Map = 1', '(({ a = Map }: any) => a)({})'],
  ['const Map = 1', '(function () { return Map; var Map = 1 })()'],
  ['const Map = 1', '(function () { if (true) { var Map = 2 } return Map })()'],
  ['const Map = 1', '(function () { { let Map = 2 } return Map })()'],
  ['const Map = 1', '(function () { return Map(); function Map() { return 8 } })()'],
  ['const Map = 1', '(() => { { function Map() {} } return Map })()'],
  ['const Map = 1', '(function Map(): any { return typeof Map })()'],
  ['const Map = 1', 'const c = class Map {}; [c.name, Map]'],
  ['const Map = 1', 'try { throw 2 } catch (Map) { Map } Map'],
  ['const Map = 1', 'let r; try { throw { Map: 2 } } catch ({ Map }) { r = Map } [r, Map]'],
  ['const Map = 1', 'let r = 0; for (let Map = 5; Map < 7; Map++) r += Map; [r, Map]'],
  ['const Map = 1', 'let r = 0; for (const Map of [3]) r += Map; [r, Map]'],
  ['const Map = 1', 'for (const Map of [Map]);'],
  ['const Map = 1', 'let r; switch (Map) { case 1: let Map = 2; r = Map } [r, Map]'],
  ['const Map = 1', 'Map: for (;;) { for (;;) { break Map } }\nMap'],
  ['const Map = 1', 'const f = () => () => () => Map; f()()()'],
  ['const Map = 1', 'async function f() { await 0; return Map } await f()'],
  ['const Map = () => {}', 'Map.name'],
  ['const Map = async function () {}', 'Map.name'],
  ['const Map = (class { static a = 1 })', '[Map.name, Map.a]'],
  ['let Map = (() => {}), b = Map; [Map.name, b.name]'],
  ['const { Map = () => {} } = {} as any; Map.name'],
  ['let Map: any', 'Map = () => {}; Map.name', 'Map ??= function () {}; Map.name'],
  ['const Map = function inner() {}', 'Map.name'],
  ['const Map = {}', '(Map as any)()'],
  ['const Map = undefined as any', 'Map.a'],
  ['const Map = {} as any', 'new Map.a()'],
  ['const Map = Map + 1'],
  ['throw new Error("no"); const Map = 1', 'Map'],
  ['let Map = 1; let Map = 2', 'typeof Map'],
  ['const Map = 1', 'let Map = 2; Map', 'function Map() {} Map.name', 'class Map {} Map.name', 'var Map; Map'],
  ['const Map = 1', 'const f = () => Map', 'const Map = 2', 'f()'],
  [
    'const Map = [1, 2]',
    'Math.max(...Map)',
    '[...Map, Map[0]]',
    'for (const x of Map) x',
    'delete (Map as any)[0]; Map',
  ],
  ['const Map = { Map: { Map: 1 } }', 'Map.Map.Map', 'Map?.["Map"]'],
  ['const Map = 1', 'if (Map) { Map } else Map; Map ? Map : 0; !Map; -Map; (Map, Map) as number satisfies number'],
  ['type Map = string; const Map: Map = "a"', 'const b: Map = Map as Map; b'],
  ['const Map = 1;\n\n  Map.a.b', '  null; Map(1)', 'const x = () => {\n  Map.q.r;\n};\nx()'],
  ['function Map() { throw new Error("in Map") }', 'Map()'],
  ['class Map { constructor() { throw new Error("new Map") } }', 'new Map()'],
  ['const dec = (c: any) => c; @dec class Map { a = Map.name }', 'new Map()'],
  ['{ using Map = { [Symbol.dispose]() {} }; typeof Map }', 'typeof globalThis.Map'],
];

describe('a reserved name that a cell declares', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  /** Runs cells that use a name; tells what they do with `Map` in its place. */
  const told = async (cells: string[], name: string): Promise<string[]> => {
    const results: string[] = [];
    for (const cell of cells) {
      const { outcome, events } = await notebook.run(cell.replace(/(?<!globalThis\.)\bMap\b/g, name));
      results.push(
        JSON.stringify([outcome, events])
          .replace(/cell \d+/g, 'cell')
          .replaceAll(name, 'Map'),
      );
    }
    return results;
  };
  let count = 0;
  const fresh = (): string => `q${String(count++).padStart(5, '0')}`;

  it.each(CELLS.map((cells) => [cells.join(' / '), cells] as const))('%s', async (_, cells) => {
    const start = fresh();
    // Both of one length, so that columns are the same.
    const [reserved, plain] = [`${start}$cell`, `${start}$call`];
    expect([isReserved(reserved), isReserved(plain)]).toEqual([true, false]);
    expect(await told([...cells], reserved)).toEqual(await told([...cells], plain));
  });

  it('does what another name does, however cells come together', async () => {
    const cell = fc.constantFrom(...CELLS.flat());
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 6 }), async (cells) => {
        const first = `const Map = ${JSON.stringify(fresh().slice(1))}`;
        const both = [first, ...cells].map((each) => each.replace(/^export default Map$/, 'Map'));
        expect(await told(both, 'escape')).toEqual(await told(both, fresh()));
      }),
      { numRuns: 60 },
    );
  });
});

describe('global names', () => {
  const names = ['performance', 'Buffer', 'JSON', 'Promise', 'Array', 'Object', 'Reflect', 'globalThis', 'Error'];
  const more = ['String', 'URL', 'setTimeout', 'Map', 'Number', 'Symbol', 'process', 'console', 'queueMicrotask'];
  const ours = ['__oddslab__', 'babelHelpers', 'display', 'input', 'comms', 'window', 'module', 'undefined', 'NaN'];

  it.each([...names, ...more, ...ours])('%s may be the user’s, and all else works', async (name) => {
    const notebook = new TestNotebook();
    try {
      expect(await notebook.value(`const ${name} = 5; ${name}`)).toBe('5');
      expect(
        await notebook.value(`await new (class { async m() { await 0; return [${name}, { ${name} }] } })().m()`),
      ).toBe(`[ 5, { ${name}: 5 } ]`);
      expect(await notebook.value("import { basename } from 'node:path'; basename('/a/b')")).toBe("'b'");
      expect(await notebook.value("await (await fetch('data:,x')).text()")).toBe("'x'");
      expect(await notebook.value('@((c: any) => c) class D { f = 1 } new D()')).toBe('D { f: 1 }');
      const { outcome } = await notebook.run('null.x');
      expect(outcome).toMatchObject({ status: 'error', fault: { name: 'TypeError', at: { line: 1 } } });
      expect(await notebook.value(`let ${name} = 6; ${name}++; ${name}`)).toBe('7');
    } finally {
      await notebook.close();
    }
  });

  it('cannot take what runs the cells', async () => {
    const notebook = new TestNotebook();
    for (const code of ['__oddslab__ = 1', 'globalThis.__oddslab__ = 1', 'delete globalThis.__oddslab__']) {
      expect((await notebook.run(code)).outcome).toMatchObject({ fault: { name: 'TypeError' } });
      expect(await notebook.value('await 1; 2')).toBe('2');
    }
    await notebook.close();
  });

  it('are still there as properties of globalThis', async () => {
    const notebook = new TestNotebook();
    expect(await notebook.value("const URL = 'u'", "new globalThis.URL('http://a/').host + URL")).toBe("'au'");
    await notebook.close();
  });

  it('are not touched where a cell does not declare them', async () => {
    const notebook = new TestNotebook();
    const cells = ['const host = (u: string) => new URL(u).host', "const URL = 'u'", "host('http://a/') + URL"];
    expect(await notebook.value(...cells)).toBe("'au'");
    await notebook.close();
  });
});

describe('withWrittenNames', () => {
  it.each([
    ['URL$cell is not a function', 'URL is not a function'],
    ['a.URL$cell.b', 'a.URL.b'],
    ['mine$cell', 'mine$cell'],
    ['URL$cellar', 'URL$cellar'],
    ['URL$cell$cell', 'URL$cell'],
    ['no name', 'no name'],
  ])('%s', (message, written) => expect(withWrittenNames(message)).toBe(written));
});
