import { expect, it } from 'vitest';
import { codePointOffset, plainDocumentation, utf16Offset } from '../../../src/kernel/session/type-answers.js';
import fc from '../../support/fast-check.js';

const cases: [claim: string, markdown: string, plain: string][] = [
  ['nothing', '', ''],
  ['a parameter', '*@param* `frame` — The `rows` of *one* wallet.', 'frame: The rows of one wallet.'],
  ['a parameter with another dash', '*@param* `b` - second `x`', 'b: second x'],
  ['a parameter of which nothing is said', '*@param* `b`', 'b'],
  ['a member of a parameter', '*@param* `options.folder` — Where.', 'options.folder: Where.'],
  [
    'other tags',
    '*@returns* — Their sum.\n\n*@throws* {InputError} If not.',
    'Returns: Their sum.\n\nThrows: {InputError} If not.',
  ],
  [
    'code',
    '*@example*\n```tsx\nconst a = `*x*`;\n\n  f(**b**);\n```\nAfter.',
    'Example:\n  const a = `*x*`;\n\n    f(**b**);\nAfter.',
  ],
  ['emphasis', 'A **bold** and *soft* word, **`code`** and ***both***.', 'A bold and soft word, code and both.'],
  ['stars that mean times', '2 * 3 * 4, a*b*c, `**` and `*x*`', '2 * 3 * 4, a*b*c, ** and *x*'],
  ['names with underscores', 'snake_case and __dirname', 'snake_case and __dirname'],
  ['backticks within code', 'See `` `a` `` and `b`.', 'See `a` and b.'],
  [
    'links',
    '[it](https://example.org), [`f`](https://f.example) and rows[0](1)',
    'it (https://example.org), f (https://f.example) and rows[0](1)',
  ],
  ['headings, lists and escapes', '# Head\n\n- one\n- two\\_three', 'Head\n\n- one\n- two_three'],
];

for (const [claim, markdown, plain] of cases)
  it(`reads plainly: ${claim}`, () => expect(plainDocumentation(markdown)).toBe(plain));

it('counts as Python and as JavaScript do', () => {
  expect(utf16Offset('😀ab', 2)).toBe(3);
  expect(codePointOffset('😀ab', 3)).toBe(2);
  expect([utf16Offset('abc', 9), utf16Offset('😀', 9), utf16Offset('abc', -1)]).toEqual([3, 2, 0]);
});

it('comes back from any place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, at) => {
      const points = Math.min(at, [...text].length);
      expect(text.slice(0, utf16Offset(text, points))).toBe([...text].slice(0, points).join(''));
      expect(codePointOffset(text, utf16Offset(text, points))).toBe(points);
    }),
  );
});
