import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestNotebook } from '../run-cells.js';

const DECLARATIONS: Record<string, { code: (name: string) => string; shows: (name: string) => string; value: string }> =
  {
    let: { code: (name) => `let ${name} = 'let'`, shows: (name) => name, value: "'let'" },
    const: { code: (name) => `const ${name}: string = 'const'`, shows: (name) => name, value: "'const'" },
    var: { code: (name) => `var ${name} = 'var'`, shows: (name) => name, value: "'var'" },
    function: { code: (name) => `function ${name}() { return 'fn' }`, shows: (name) => `${name}()`, value: "'fn'" },
    async: { code: (name) => `async function ${name}() { return 1 }`, shows: (name) => `await ${name}()`, value: '1' },
    class: { code: (name) => `class ${name} { a = 1 }`, shows: (name) => `new ${name}().a`, value: '1' },
    enum: { code: (name) => `enum ${name} { A, B = 5 }`, shows: (name) => `${name}.B`, value: '5' },
    namespace: { code: (name) => `namespace ${name} { export const a = 2 }`, shows: (name) => `${name}.a`, value: '2' },
    import: { code: (name) => `import { sep as ${name} } from 'node:path'`, shows: (name) => name, value: "'/'" },
    destructured: { code: (name) => `const { ${name} = 7 } = {}`, shows: (name) => name, value: '7' },
    failed: { code: (name) => `let ${name} = 3`, shows: (name) => name, value: '3' },
  };

describe('declarations across cells', () => {
  let notebook: TestNotebook;
  beforeAll(() => {
    notebook = new TestNotebook();
  });
  afterAll(() => notebook.close());

  const kinds = Object.keys(DECLARATIONS);
  it.each(kinds.flatMap((first) => kinds.map((second) => [first, second] as const)))('%s, then %s', async (a, b) => {
    const name = `${a}_${b}`;
    const first = DECLARATIONS[a];
    const second = DECLARATIONS[b];
    if (!first || !second) throw new Error('no such declaration');
    expect(await notebook.value(first.code(name), first.shows(name))).toBe(first.value);
    expect(await notebook.value(second.code(name), second.shows(name))).toBe(second.value);
  });

  it('takes a name whose initializer threw', async () => {
    await notebook.run('const broken = (() => { throw new Error() })()');
    expect(await notebook.value('const broken = 1; broken')).toBe('1');
  });

  it('forgets the members of an enum that was run again', async () => {
    expect(await notebook.value('enum E { Old }', 'enum E { New = 4 }; E')).toBe("{ '4': 'New', New: 4 }");
  });

  it('redeclares types and interfaces, alone and with values of their name', async () => {
    const cells = [
      'type T = string; const v: T = "a"',
      'interface T { a: number }; const v: T = { a: 1 }',
      'const T = 5; T',
    ];
    expect(await notebook.value(...cells)).toBe('5');
  });

  it('moves functions to the front that nothing separates from what follows them', async () => {
    const code =
      'const k = 2;class URL{}function a(n){return n*k}export function b(n){return a(n)+1}seen(a(1));[b(1),k]';
    const seen = await notebook.run(`let seen = console.log;\n${code}`);
    expect(seen.outcome).toEqual({ status: 'ok' });
    expect(seen.result).toBe('[ 3, 2 ]');
    expect(seen.events[0]).toMatchObject({ text: '2\n' });
    expect(await notebook.value('a.toString()')).toBe("'function a(n){return n*k}'");
  });

  it.each([
    ["const t = 'a'; enum E { A = t, B = t + 'b', C = (t), D = B }", "{ A: 'a', B: 'ab', C: 'a', D: 'ab' }"],
    ["const t = 'a'; enum E { A = t, B = Number('7') }", "{ '7': 'B', A: 'a', B: 7 }"],
    ['const n = 7; enum E { A = n, B = n + 1, C = -1 }', "{ '7': 'A', '8': 'B', A: 7, B: 8, C: -1, '-1': 'C' }"],
  ])('has names only for the numbers of an enum: %s', async (code, value) => {
    expect(await notebook.value(`${code} E`)).toBe(value);
    // The constant of an earlier cell.
    expect(await notebook.value(`${code.slice(code.indexOf('enum'))} E`)).toBe(value);
  });

  it('leaves assignments beside an enum as they are', async () => {
    const code = "const both = {}; const to = 'x'; both[both['a'] = to] = 'a'; enum E { A } both";
    expect(await notebook.value(code)).toBe("{ a: 'x', x: 'a' }");
  });

  it('leaves the text of functions as it is written', async () => {
    const functions = [
      'function twice(n) { return n * 2; }',
      'async function* /* of */ all (n) { yield twice(n); }',
      "function big(n) { if (n > 1) throw new RangeError('big'); }",
      'function inner() { const inner = 1; return inner; }',
      'function URL() { return 1; }',
      'function down (n) { return n > 0 ? down(n - 1) : n; }',
      'async function* walk(n) { if (n > 0) yield* walk(n - 1); }',
    ];
    await notebook.value(functions.join('\n'));
    expect(
      await notebook.value(
        `[twice, all, big, inner, URL, down, walk].map(String).join('\\n') === ${JSON.stringify(functions.join('\n'))}`,
      ),
    ).toBe('true');
    expect(await notebook.value('class Heir extends down {} String(Heir)')).toBe("'class Heir extends down {}'");
  });

  it('runs functions where their text is sent', async () => {
    const work = `import vm from 'node:vm';
import { Worker } from 'node:worker_threads';
const again = (n: number) => { try { try { if (n > 1) throw new RangeError('big') } catch (e) { throw e } } catch (e: any) { return e.message } };
async function work(n: number) { const { basename } = await import('node:path'); return basename('/a/' + n) }
const sent = new Worker(work + "\\nwork(21).then((text) => require('worker_threads').parentPort.postMessage(text))", { eval: true });
[vm.runInNewContext('(' + again + ')(5)'), await new Promise((resolve) => sent.once('message', resolve)), await work(3)]`;
    expect(await notebook.value(work)).toBe("[ 'big', '21', '3' ]");
  });

  it('keeps import() apart from the line before, in functions too', async () => {
    const late = (type: string): string => `(async () => {
  const before = () => { throw new Error('called') };
  const a = before${type}
  import('node:fs')
  return a === before;
})()`;
    expect(await notebook.value(`[await ${late('')}, await ${late(' as () => void')}]`)).toBe('[ true, true ]');
  });

  it('has functions that call themselves call what their name means now', async () => {
    const cells = ['function down(n: number): number { return n > 0 ? down(n - 1) : 0 }', 'const old = down'];
    expect(await notebook.value(...cells, 'down = () => 7; old(3)', 'function down() { return 8 } old(3)')).toBe('8');
  });

  it('hoists functions and var within a cell', async () => {
    expect(
      await notebook.value(
        'const r = twice(seen ?? 4); var seen: number; function twice(n: number) { return n * 2 }; r',
      ),
    ).toBe('8');
  });

  it('keeps one function of several overloads', async () => {
    const overloads =
      'function f(a: string): string; function f(a: number): string; function f(a: unknown) { return typeof a }';
    expect(await notebook.value(overloads, 'f(1)')).toBe("'number'");
  });

  it('keeps what was declared before a throw', async () => {
    const { outcome } = await notebook.run(
      'const kept = 1; await 0; let also = 2; throw new Error("stop"); const never = 3',
    );
    expect(outcome.status).toBe('error');
    expect(await notebook.value('kept + also')).toBe('3');
  });

  it('awaits at the top level, also in loops', async () => {
    const code =
      'let sum = 0; for await (const n of [1, Promise.resolve(2)]) sum += n; sum + await Promise.resolve(10)';
    expect(await notebook.value(code)).toBe('13');
  });

  it('names functions and classes after the var that they are given to', async () => {
    const cell = 'var f = () => {}, C = (class {}), g = (function () {}) as any; var { h = () => {} } = {} as any;';
    expect(await notebook.value(cell, '[f, C, g, h].map(({ name }) => name)')).toBe("[ 'f', 'C', 'g', 'h' ]");
  });

  it.each([
    [['var kept = 5', 'var kept: number', 'kept'], '5'],
    [['var kept_ = 5', 'console.log(); if (false) { var kept_ = 6 } kept_'], '5'],
    [['var name = "a"', 'var name: string, other = 1; name + other'], "'a1'"],
    [['var cache = [1]', 'for (var cache = cache || []; cache.length < 2;) cache.push(2); cache'], '[ 1, 2 ]'],
    [['var again = 5', 'let again = 6', 'var again: any; again'], undefined],
    [['let lexical = 5', 'var lexical: any; lexical'], undefined],
    [['const fixed = 5', 'var fixed: any; fixed = 1; fixed'], '1'],
    [['var Kind = { Old: 1 }', 'enum Kind { New }', 'Object.keys(Kind)'], "[ '0', 'New' ]"],
    [['var held = 5', 'using r = null; let held: any; held = [held]; held'], '[ undefined ]'],
    [['enum Unit { Usd }', 'var Unit: any; Unit'], undefined],
    [['using r = null; let closed = 5', 'var closed: any; closed'], undefined],
    [['using r = null; var opened = 5', 'var opened: any; opened'], '5'],
  ])('keeps the value of what was declared by var where it is so again: %j', async (cells, value) => {
    expect(await notebook.value(...cells)).toBe(value);
  });

  it('takes a var whose cell was refused, or whose later declaration threw', async () => {
    await notebook.run('var unread = 1; const unread = 2');
    expect(await notebook.value('var unread: any; unread = 3; unread')).toBe('3');
    await notebook.run('let unread = (() => { throw new Error() })()');
    expect(await notebook.value('var unread: any; unread = 4; unread')).toBe('4');
    await notebook.run(`var unkept = ${'['.repeat(2500)}${']'.repeat(2500)}`);
    expect(await notebook.value('var unkept: any = 5; unkept')).toBe('5');
  });

  it('loops with var that stays', async () => {
    expect(
      await notebook.value('for (var i = 0, s = 0; i < 3; i++) s += i; for (var of_ of [9]);', '[i, s, of_]'),
    ).toBe('[ 3, 3, 9 ]');
  });

  it('runs decorators, parameter properties and using', async () => {
    const code = `const logged: string[] = [];
const answer = (_: unknown, context: { kind: string }) => { logged.push(context.kind); return () => 42; };
class Box { constructor(private size = 3) {} @answer get_() { return this.size } }
{ using gone = { [Symbol.dispose]() { logged.push('closed') } }; logged.push('open') }
[new Box().get_(), logged.join()]`;
    expect(await notebook.value(code)).toBe("[ 42, 'method,open,closed' ]");
  });

  it('has the older decorators where a tsconfig.json beside the notebook says so', async () => {
    const older = new TestNotebook();
    onTestFinished(() => older.close());
    older.write('tsconfig.json', '{ // as written by hand\n"compilerOptions": { "experimentalDecorators": true, }, }');
    const code = `const counts: number[] = [];
const fixed = (value: number): any => (...given: unknown[]) => { counts.push(given.length); return { value } };
class Fee { @fixed(5) static rate = 1; @fixed(6) declare cap: number; @fixed(7) own = 1;
  constructor(@fixed(8) from = 1) {} of(@fixed(9) size = 2) { return size } }
[Fee.rate, new Fee().cap, new Fee().own, new Fee().of(), counts.join()]`;
    expect(await older.value(code)).toBe("[ 5, 6, 1, 2, '3,3,3,3,3' ]");
    older.write('fees.ts', `${code.replace('class Fee', 'export class Fee')}; export const { rate } = Fee;`);
    expect(await older.value("import { rate } from './fees'; rate")).toBe('5');
  });

  it.each([
    ['"useDefineForClassFields": false', "[ 'set x', 'set 2' ]"],
    ['"target": "ES2021"', "[ 'set x', 'set 2' ]"],
    ['"target": "es5", "useDefineForClassFields": true', '[]'],
    ['"target": "ES2022"', '[]'],
    ['"target": "ESNext", "useDefineForClassFields": false', "[ 'set x', 'set 2' ]"],
  ])('assigns or defines the fields of older decorators by %s', async (options, told) => {
    const older = new TestNotebook();
    onTestFinished(() => older.close());
    older.write('tsconfig.json', `{"compilerOptions": {"experimentalDecorators": true, ${options}}}`);
    const code = `const told: string[] = [];
function property(target: any, key: string) {
  Object.defineProperty(target, key, { get: () => 1, set: (value) => { told.push('set ' + value) } });
}
class El { #own = 2; @property name = 'x'; @property none?: number; @property size = this.#own; static made = 3 }
new El(); told`;
    expect(await older.value(code)).toBe(told);
    expect(await older.value('[El.made, Object.keys(new El()).length]')).toBe(told === '[]' ? '[ 3, 3 ]' : '[ 3, 0 ]');
  });

  it('tells the older decorators the types, where the tsconfig.json says so', async () => {
    const older = new TestNotebook();
    onTestFinished(() => older.close());
    older.write('base.json', '{"compilerOptions": {"experimentalDecorators": true, "emitDecoratorMetadata": true}}');
    older.write('tsconfig.json', '{"extends": "./base.json", "compilerOptions": {"strict": true}}');
    const code = `const told: string[] = [];
(Reflect as any).metadata = (key: string, type: any) => () => { told.push(key + ' ' + (type.name ?? type.map((t: any) => t.name))) };
const column: any = () => {};
class Row { @column id: number = 1; @column at?: Date; @column of(x: string): boolean { return !x } }
told`;
    expect(await older.value(code)).toBe(
      "[\n  'design:type Number',\n  'design:type Date',\n  'design:returntype Boolean',\n  'design:paramtypes String',\n  'design:type Function'\n]",
    );
  });

  it('runs standard decorators in cells, in local files and after a restart of the cell', async () => {
    const text = `const twice = (f: any, _: any) => function (this: any, x: number) { return 2 * f.call(this, x) };
export class Fee { @twice of(x: number) { return 10 * x } accessor rate = 1; @((_: any, c: any) => c.name) static seen; }
export const plain = (value: any, context: any) => { context.metadata.told = context.kind };
export @plain class Told {}
export default @plain class Other extends Told {}`;
    const cell = text.replace(' @((_: any, c: any) => c.name) static seen;', '');
    const shows = '[new Fee().of(1), new Fee().rate, Told[Symbol.metadata].told, Other.name]';
    expect(await notebook.value(cell, shows)).toBe("[ 20, 1, 'class', 'Other' ]");
    expect(await notebook.value(cell, shows)).toBe("[ 20, 1, 'class', 'Other' ]");
    notebook.write('decorated.ts', cell);
    const all = `import Last, { Fee as F, Told as T } from './decorated';
[new F().of(2), T[Symbol.metadata].told, Last.name, Object.getPrototypeOf(Last) === T]`;
    expect(await notebook.value(all)).toBe("[ 40, 'class', 'Other', true ]");
    expect(
      await notebook.value('class Fee { @(await Promise.resolve(twice)) of(x: number) { return x } } new Fee().of(3)'),
    ).toBe('6');
    const failed = await notebook.run('class Late {\n  @(() => { throw new RangeError("no") }) m() {}\n}');
    expect(failed.outcome).toMatchObject({
      status: 'error',
      fault: { name: 'RangeError', at: { line: 2, column: 19 } },
    });
    const refused = await notebook.run('class P {\n  m(@plain x: number) {}\n}');
    expect(refused.outcome).toMatchObject({ fault: { name: 'SyntaxError', at: { line: 2, column: 5 } } });
  });

  it.each(['using', 'await using'])('keeps enums and decorated classes beside a top-level %s', async (using) => {
    const cell = `${using} r = { [Symbol.dispose]() {} };
enum Later { A, B = 9 }
export enum Shown { C = 4 }
const noted: string[] = [];
const note = (_: unknown, { name }: { name: string | symbol }) => { noted.push(String(name)) };
@((c: any) => Object.assign(c, { seen: Later.B })) class Dc { @note m() {} static own = Dc }
null;`;
    const shows = '[Later.B, Later[0], Shown.C, noted, (Dc as any).seen, Dc.own === Dc]';
    expect(await notebook.value('enum Later { Old }', cell, shows)).toBe("[ 9, 'A', 4, [ 'm' ], 9, true ]");
    notebook.write('closing.ts', cell.replace('class Dc', 'export class Dc'));
    expect(await notebook.value("import { Dc as D, Shown as S } from './closing'; [(D as any).seen, S.C]")).toBe(
      '[ 9, 4 ]',
    );
    const { outcome } = await notebook.run(`${cell}\n  (null as any).x;`);
    expect(outcome).toMatchObject({ status: 'error', fault: { name: 'TypeError', at: { line: 8, column: 17 } } });
  });

  it.each(['using', 'await using'])('tells both errors where closing by %s fails after another', async (using) => {
    const failing = (name: string, what: string): string =>
      `${using} ${name} = { [Symbol.dispose]() { throw new RangeError('${what}') } };`;
    const { outcome } = await notebook.run(`${failing('outer', 'outer')} ${failing('inner', 'inner')} throw 'body'`);
    if (outcome.status === 'ok') throw new Error('The cell did not fail.');
    expect(outcome.fault).toMatchObject({ name: 'SuppressedError', at: { line: 1 } });
    expect(outcome.fault.traceback.filter((line) => /^ +(error|suppressed|\[cause\]):/.test(line))).toEqual([
      '  error: RangeError: outer',
      '  suppressed: SuppressedError: An error was suppressed during disposal.',
      '    error: RangeError: inner',
      "    suppressed: 'body'",
    ]);
  });

  it.each([
    ['1 + 1', '2'],
    ["'use strict'", "'use strict'"],
    ['const a = 1;', undefined],
    ['undefined', undefined],
    ['null', 'null'],
    ['({ a: 1 })', '{ a: 1 }'],
    ['namespace N { export const z = 1 }', undefined],
    ['export const q = 5; q', '5'],
    ['export default 5', undefined],
    ['export default await Promise.resolve(5)', undefined],
    ['10n as bigint', '10n'],
    ['new Promise(() => {})', 'Promise { <pending> } (a promise: await it)'],
    ['if (true) 3', undefined],
    ['using closed = { [Symbol.dispose]() {} }; 42', '42'],
    [
      'export const open = 1; await using shut = { async [Symbol.asyncDispose]() {} }; function f_() {}\n42 + open',
      '43',
    ],
    ['using ended = { [Symbol.dispose]() {} }; if (true) 5', undefined],
    ['', undefined],
  ])('shows the value of a last expression: %s', async (code, shown) => {
    expect(await notebook.value(code)).toBe(shown);
  });
});
