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
const INVALID = ['1 +* 2', 'f)', '}', 'x y', "'abc", 'let let = 1;', '"abc\n'];

it('tells complete, incomplete and invalid code apart', async () => {
  const statusOf = async (code: string): Promise<[string, string]> => [code, (await isComplete(code)).status];
  expect(await Promise.all(COMPLETE.map(statusOf))).toEqual(COMPLETE.map((code) => [code, 'complete']));
  expect(await Promise.all(INCOMPLETE.map(statusOf))).toEqual(INCOMPLETE.map((code) => [code, 'incomplete']));
  expect(await Promise.all(INVALID.map(statusOf))).toEqual(INVALID.map((code) => [code, 'invalid']));
});

it('indents behind what it opens', async () => {
  expect(await isComplete('for (const a of list) {')).toEqual({ status: 'incomplete', indent: '  ' });
  expect(await isComplete('if (a) {\n  f(() =>')).toEqual({ status: 'incomplete', indent: '    ' });
  expect(await isComplete('if (a) {\n  f();\n')).toEqual({ status: 'incomplete', indent: '  ' });
  expect(await isComplete('let x =')).toEqual({ status: 'incomplete', indent: '' });
});
