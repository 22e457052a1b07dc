import { expect, it } from 'vitest';
import { isTooDeep, nestingOf } from '../../../src/kernel/transform/syntax-tree.js';

/** What repeats, what closes it, and how often it takes to run the parser out of stack. */
const DEADLY = [
  ['(', '', 14_000],
  ['[', ']', 18_000],
  ['{', '', 14_000],
  ['!', '', 60_000],
  ['1+', '', 60_000],
  ['a=>', '', 11_000],
  ['a?', ':1', 23_000],
  ['if(a)', '', 23_000],
  ['if(a){b;}else ', '', 9000],
  ['a.b<', '', 9000],
  ['`${', '}`', 11_000],
  ['a=', '', 23_000],
  ['typeof ', '', 20_000],
  ['function f(){', '}', 5600],
  ['class A{x=', '}', 7000],
  ["f('(',", ')', 9000],
  ["f(')',", ')', 9000],
  ['f(/* ) */', ')', 9000],
] as const;

it.each(DEADLY)('sees how deep %j nests', (open, close, times) => {
  const code = `${open.repeat(times)}1${close.repeat(times)}`;
  expect(nestingOf(code)).toBeGreaterThanOrEqual(times);
  expect(isTooDeep(code)).toBe(true);
});

it.each([
  ['a table', `[${"{ x: -1.5, 'y': [1, 2] }, ".repeat(20_000)}]`],
  ['statements', 'const a = b.c + d(1) - 2;\n'.repeat(5000)],
  ['functions', 'function f(a: A<B>) {\n  if (a.b > 1) { return a; } else { g(); }\n}\n'.repeat(500)],
  ['a text', `'${'((('.repeat(10_000)}'`],
  ['a text with quotes', `f("${'(\\"\\\\\\"('.repeat(10_000)}", '\\\\', "", '(')`.repeat(2)],
  ['a text of 20 MB', `const s = "${'y'.repeat(20_000_000)}"`],
  ['a text of 10 million escapes', `const s = '${'\\n'.repeat(10_000_000)}'`],
  ['a text of 160,000 escaped quotes', `\`${'{\\"a\\":\\"b\\"},'.repeat(40_000)}\``],
  ['a comment', `/* ${'((('.repeat(10_000)} */ // ${'((('.repeat(10_000)}`],
])('takes %s for what it is, however long', (_, code) => {
  expect(isTooDeep(code)).toBe(false);
});
