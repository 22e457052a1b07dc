import { expect, it } from 'vitest';
import { isComplete } from '../../../src/kernel/session/is-complete.js';

const COMPLETE = [
  '',
  '1 + 1',
  'const a: number = 1;',
  'await f()',
  'if (a) { b(); }',
  '// note',
  'type A = { a: string }',
  'function f() {\n  return 1;\n}\n',
  'declare function f(): void;',
  "declare module 'a'",
  'export default function () {}',
  '{ a: 1, b: 2 }',
  '{ a, ...b }',
  '{ a(); }',
  '<p>\n<b>a</b>\n</p>',
  '<T>x',
];
const INCOMPLETE = [
  '{ a: 1, b: 2,',
  '// told\n{ a: 1, b: 2,',
  '{ a: 1, b: {',
  '{ a: 1',
  '{ f();',
  'f(',
  'x.',
  'a +',
  'let x =',
  'const x',
  'const',
  'a;\nlet ',
  'interface',
  '`abc',
  `\`a \${b} c`,
  '/* abc',
  'if (a) b(); else',
  '[1, 2',
  'async () =>',
  'import { a } from',
  'class A',
  'a ? b',
  'a?.',
  'function f()',
  'export function f(a: number): void;',
  'export abstract',
  '@dec()\nexport',
];
const INVALID = [
  '1 +* 2',
  'f)',
  '}',
  'x y',
  "'abc",
  'let let = 1;',
  'package',
  '"abc\n',
  'let a; let a',
  'f(a b, ({ c }: {',
  'const f = ({ a b }: {',
  'new Map<string, { a b',
  'function f() { await 1',
  'return',
  'return 5',
  'a ?? b || c',
  'if (1) const x = 1',
  'declare let x = 1',
];

it('tells complete, incomplete and invalid code apart', async () => {
  const statusOf = async (code: string): Promise<[string, string]> => [code, (await isComplete(code)).status];
  expect(await Promise.all(COMPLETE.map(statusOf))).toEqual(COMPLETE.map((code) => [code, 'complete']));
  expect(await Promise.all(INCOMPLETE.map(statusOf))).toEqual(INCOMPLETE.map((code) => [code, 'incomplete']));
  expect(await Promise.all(INVALID.map(statusOf))).toEqual(INVALID.map((code) => [code, 'invalid']));
});

/** Texts of which no line but the last ends a cell. */
const PARTS = [
  'const f = (a): number =>\n  a;',
  'xs.map((x): string =>\n  String(x),\n);',
  'const f = async (a): Promise<void> =>\n  {};',
  'const f = async <T,>(x: T) =>\n  x;',
  'const f = (\n  a,\n) =>\n  a;',
  'const f = (a: string): a is Side =>\n  a === "yes";',
  'const f = (a): number => {\n  const g = (b): string =>\n    b;\n  return g(a).length;\n};',
  'const roi = ({\n  cost,\n  value,\n}: {\n  cost: number;\n  value: number;\n}): number =>\n  value / cost - 1;',
  'const f = ({ a }: { a: { b: [\n  number,\n  { c: number;\n  },\n] } }) =>\n  a;',
  'const f = async (\n  a,\n): Promise<\n  Map<\n    A,\n    B\n  >\n> =>\n  a;',
  'const f = <T,>(a: T): {\n  b: T;\n} => ({\n  b: a,\n});',
  'xs.map(<T,>(x: T): [\n  T,\n  Map<string, {\n    a: T;\n  }>,\n] => [\n  x,\n]);',
  'const f = <T,>(a: T):\n  A |\n  B => a;',
  'const f = <T,>(a: T):\n  | A\n  | B =>\n  a;',
  'const f = <T, U>\n(a: T, b: U) => a;',
  'const f = <T,>(a: T): T extends string\n  ? A\n  : B =>\n  g(a);',
  'const f = <T,>(a: T): new (\n  b: T,\n) => A =>\n  B;',
  'const f = (a, on: (\n  x: number,\n) => void) =>\n  on(a);',
  'const f = async ({ a }: {\n  a: number;\n}) => {\n  await a;\n};',
  'list.map(({ a, b }: {\n  a: number;\n  b: number;\n}) => ({\n  c: a + b,\n}));',
  'const f = <\n  T extends object,\n  K extends keyof T,\n>(t: T, k: K) =>\n  t[k];',
  'const seen = new Map<string, {\n  at: number;\n}>();',
  'const seen = new Map<\n  string,\n  Array<{\n    at: number;\n    }>\n>();',
  'const on = emitter<Record<string, (event: {\n  at: number;\n}) => void>>();',
  'const s = useState<{\n  // of the form\n  name: "a)" | \'b}\' | `c)`;\n}>();',
  `const s = \`a \${f({\n  b: \`\n)}\n\`,\n})} c\n\`;`,
  "const s = 'a\\\nb';",
  '/*\n * note\n */ declare global\n{\n  var x: number;\n}',
  'function* g()\n{\n  yield 1;\n}',
  'async function* g(): AsyncGenerator<number>\n{\n  yield 1;\n}',
  'function f()\n{\n  return 1;\n}',
  'export default function f()\n{\n  return 1;\n}',
  'function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: unknown) {\n  return a;\n}',
  'export function f(a: string): void;\nexport function f(a: unknown) {\n}',
  'class A {\n  *g()\n  {\n    yield 1;\n  }\n}',
  'class A {\n  m(a: string): void;\n  m(a: unknown) {\n  }\n}',
  'class A\n  extends B\n  implements C\n{\n  @dec()\n  readonly #a = (x): number =>\n    x;\n}',
  'class A {\n  constructor(\n    private readonly a: number,\n    b,\n  ) {\n    this.a = b;\n  }\n}',
  'abstract class A {\n  abstract m(): void;\n  get a(): number\n  {\n    return 1;\n  }\n}',
  'class A extends B {\n  m() {\n    return super\n      .m();\n  }\n}',
  'const o = {\n  m()\n  {\n  },\n  async *g()\n  {\n  },\n};',
  '@dec()\nexport class A {}',
  '@dec({\n  a: 1,\n})\nclass A {\n}',
  'interface A<\n  T,\n> extends B {\n  (a: T): void;\n  new (a: T): A<T>;\n}',
  'type A<T> =\n  T extends infer U\n    ? U\n    : never;',
  'type A = {\n  readonly [K in keyof B]?:\n    B[K];\n};',
  'enum Side\n{\n  Yes,\n  No = 2,\n}',
  'namespace A.B\n{\n  export const c = 1;\n}',
  "declare module 'a' {\n  interface B {\n  }\n}",
  "import {\n  a,\n  type B,\n} from\n  'c';",
  "import type A\n  from 'a';",
  "export {\n  a,\n  b as c,\n} from 'd';",
  "import a from 'a' with {\n  type: 'json',\n};",
  'const\n  a = 1,\n  b = 2;',
  'let\n  a: number;',
  'const { a, b }\n  = c;',
  'const { a, ...rest }: {\n  a: number;\n} = c;',
  'const a =\n  b ??\n  c ?\n    d :\n    e;',
  'const a = b as\n  unknown as\n  C;',
  'const a = b satisfies\n  C;',
  'const a = <const>[\n  1,\n];',
  'const a = await\n  Promise.all([\n    b(),\n  ]);',
  'if (a)\n  if (b) {\n  } else\n    c();',
  'for (const a of\n  b)\n  c(a);',
  'for await (const page of query({\n  a: 1,\n})) {\n  f(page);\n}',
  'for (let i = 0;\n  i < 3;\n  i++) {\n}',
  'try {\n  f();\n} catch (error: unknown)\n{\n} finally {\n}',
  'try {\n  f();\n}\nfinally {\n}',
  'do {\n  f();\n} while (\n  a\n);',
  'switch (a) {\n  case 1:\n  case 2: {\n  }\n  default:\n    f((b): number =>\n      b);\n}',
  'outer:\nfor (;;) {\n  break outer;\n}',
  'throw new\n  Error("a");',
  'new\n  A();',
  'a?.\n  b!.\n  c[\n    0\n  ];',
  'f<number>(\n  a < b,\n  c > d,\n  (e, { g }: {\n    g: number;\n  }) => e,\n);',
];

it('wants more at each line of a text but its last', async () => {
  const wrong: [string, string][] = [];
  for (const text of PARTS) {
    const lines = text.split('\n');
    for (let count = 1; count <= lines.length; count++) {
      const part = lines.slice(0, count).join('\n');
      const { status } = await isComplete(part);
      if (status !== (part === text ? 'complete' : 'incomplete')) wrong.push([part, status]);
    }
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['brackets', '('.repeat(50_000)],
  ['blocks', 'if (a) {\n'.repeat(50_000)],
  ['operators', `${'1 + '.repeat(100_000)}1`],
  ['arrows', 'a => '.repeat(50_000)],
  ['calls', `f${'()'.repeat(50_000)}`],
  ['templates', '`${'.repeat(50_000)],
])('does not know of %s that the parser could not follow', async (_, code) => {
  expect(await isComplete(code)).toEqual({ status: 'unknown' });
});

it('reads what is long and not deep', async () => {
  const data = `const a = [${"{ x: -1.5, 'y': [1, 2] }, ".repeat(20_000)}];`;
  const code = 'function f(a) {\n  if (a > 1 && a < 2) return g(a + 1, [a]);\n  return h;\n}\n'.repeat(500);
  expect([await isComplete(data), await isComplete(code)]).toEqual([{ status: 'complete' }, { status: 'complete' }]);
});

it('indents behind what it opens', async () => {
  expect(await isComplete('for (const a of list) {')).toEqual({ status: 'incomplete', indent: '  ' });
  expect(await isComplete('if (a) {\n  f(() =>')).toEqual({ status: 'incomplete', indent: '    ' });
  expect(await isComplete('if (a) {\n  f();\n')).toEqual({ status: 'incomplete', indent: '  ' });
  expect(await isComplete('let x =')).toEqual({ status: 'incomplete', indent: '' });
});
