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
];
const INCOMPLETE = [
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
];
const INVALID = ['1 +* 2', 'f)', '}', 'x y', "'abc", 'let let = 1;', 'package', '"abc\n'];

it('tells complete, incomplete and invalid code apart', async () => {
  const statusOf = async (code: string): Promise<[string, string]> => [code, (await isComplete(code)).status];
  expect(await Promise.all(COMPLETE.map(statusOf))).toEqual(COMPLETE.map((code) => [code, 'complete']));
  expect(await Promise.all(INCOMPLETE.map(statusOf))).toEqual(INCOMPLETE.map((code) => [code, 'incomplete']));
  expect(await Promise.all(INVALID.map(statusOf))).toEqual(INVALID.map((code) => [code, 'invalid']));
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
