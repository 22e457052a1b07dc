import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestNotebook } from './run-cells.js';

let notebook: TestNotebook;
beforeAll(async () => {
  notebook = new TestNotebook();
  notebook.write(
    'made.ts',
    "const bad = (_: unknown, c: unknown) => { throw new Error('no'); };\nexport function make() {\n  @bad class A { m() {} }\n  return A;\n}",
  );
  await notebook.value("const bad = (_: unknown, c: unknown) => {\n  throw new Error('no');\n}; 0");
});
afterAll(() => notebook.close());

const BAD = 'bad (cell 1:2:9)';

it.each([
  ['@bad class A { }', [BAD, 'HERE:1:2']],
  ['class B {\n  x = 1;\n  @bad m() { return 1; }\n}', [BAD, 'HERE:3:3']],
  ['class C { @(undefined as any) m() { } }', ['HERE:1:11']],
  ['function f() {\n  class D { @bad m() { } }\n}\nf()', [BAD, 'f (HERE:2:13)', 'HERE:4:1']],
  [
    "class E { @((_: any, c: any) => () => { throw new Error('init') }) x = 1 }\nnew E()",
    ['E.<anonymous> (HERE:1:47)', 'new E (HERE:1:1)', 'HERE:2:1'],
  ],
  [
    "class F { @((_: any, c: any) => { c.addInitializer(() => { throw new Error('later') }) }) m() {} }\nnew F()",
    ['F.<anonymous> (HERE:1:66)', 'new F (HERE:1:1)', 'HERE:2:1'],
  ],
  ["import { make } from './made'; make()", ['bad (./made.ts:1:49)', 'make (./made.ts:3:4)', 'HERE:1:32']],
  // What the user's own initializers call stays.
  ['class G { static { display.html(5 as any) } }', ['<static_initializer> (HERE:1:28)', 'HERE:1:1']],
])('a decorator that throws: calls of the user alone, in %j', async (code, calls) => {
  const { outcome, name } = await notebook.run(code);
  const traceback = outcome.status === 'error' ? outcome.fault.traceback : [];
  const told = traceback.flatMap((line) => /^ {4}at (.*)/.exec(line)?.[1] ?? []);
  expect(told).toEqual(calls.map((call) => call.replace('HERE', name)));
});

it.each([
  ['const dec = 1; @dec class Named { }', "What decorates class 'Named' is of type number, not a function", '1:17'],
  [
    'class Held {\n  @(undefined as any) m() { }\n}',
    "What decorates method 'm' is of type undefined, not a function",
    '2:3',
  ],
])('names what is decorated by no function: %j', async (code, message, at) => {
  const { outcome } = await notebook.run(code);
  const fault = outcome.status === 'error' ? outcome.fault : undefined;
  expect(fault).toMatchObject({ name: 'TypeError', message });
  expect(`${fault?.at?.line}:${fault?.at?.column}`).toBe(at);
});
