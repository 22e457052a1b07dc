import { expect, it } from 'vitest';
import { plainDocumentation } from '../../../src/kernel/session/plain-documentation.js';

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
