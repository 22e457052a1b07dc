import { expect, it } from 'vitest';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { DataFrame, winRate } from '../../../src/index.js';
import { valuePicture } from '../../../src/kernel/runner/value-picture.js';
import { describeValue } from '../../../src/kernel/variables/describe-value.js';
import { previewText } from '../../../src/kernel/variables/preview-value.js';
import { hostileValues, LARGE, ran, shortest, TRAPS } from './hostile-values.js';

class Fee {
  rate = 0.1;
  get total(): number {
    return ran();
  }
}

const itself: { name: string; own?: object } = { name: 'a' };
itself.own = itself;

it.each<[unknown, string]>([
  [undefined, 'undefined'],
  ['a "b"\n', String.raw`"a \"b\"\n"`],
  [{ a: { b: 1 } }, '{ a: { b: 1 } }'],
  [{}, '{}'],
  [[], '[]'],
  [[[[]]], '[[[]]]'],
  // biome-ignore lint/suspicious/noSparseArray: a hole is to be seen.
  [[1, , 'x', null], '[1, empty, "x", null]'],
  [new Fee(), 'Fee { rate: 0.1 }'],
  [Object.create(null, { a: { value: 1, enumerable: true } }), '{ a: 1 }'],
  [
    {
      get a() {
        return ran();
      },
      b: new Proxy({}, TRAPS),
      c: Fee,
      d: (x: number) => x,
    },
    '{ a: (getter), b: Proxy, c: class Fee, d: d(x) }',
  ],
  [
    new Map<unknown, unknown>([
      ['a', { b: 1 }],
      [{}, 2],
    ]),
    'Map(2) { "a" => { b: 1 }, {} => 2 }',
  ],
  [new Set(['x', 1]), 'Set(2) { "x", 1 }'],
  [new Set(), 'Set(0) {}'],
  [new Int8Array(3), 'Int8Array(3) [0, 0, 0]'],
  [[new Date(0), /a/, new TypeError('x')], '[1970-01-01T00:00:00.000Z, /a/, TypeError: x]'],
  [itself, '{ name: "a", own: [itself] }'],
  [
    { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } },
    '{ a: { b: { c: { d: { e: { f: { g: Object {…} } } } } } } }',
  ],
  [
    { text: 'x'.repeat(60), list: ['y'.repeat(60)] },
    `{\n  text: "${'x'.repeat(60)}",\n  list: ["${'y'.repeat(60)}"]\n}`,
  ],
  [new DataFrame({ a: [1, 2] } as never), 'DataFrame 2 × 1'],
])('writes a value as text: %#', (value, text) => {
  expect(previewText(value)).toBe(text);
});

it('cuts what is long, and says how much more there is', () => {
  expect(previewText(Array.from({ length: 12_345 }, (_, at) => at))).toMatch(/98,\n {2}99,\n {2}… 12,245 more\n\]$/);
  expect(previewText(Array.from({ length: 90 }, () => 'x'.repeat(900)))).toMatch(/\n {2}… 7\d more\n\]$/);
  expect(previewText('x'.repeat(20_000))).toMatch(/^"x{10000}"… \(20,000 characters\)$/);
});

it.each(hostileValues())('runs no code of %s, as text or as a picture', (_, value) => {
  expect(previewText(value)).toBeTypeOf('string');
  expect(previewText([value, { value }])).toBeTypeOf('string');
  expect(Object.keys(valuePicture(value).data)).toEqual(['text/plain']);
});

it.each(Object.entries(LARGE))('takes no longer for %s', (_, make) => {
  const value = make();
  expect(shortest(() => valuePicture(value))).toBeLessThan(40);
  const twenty = Array.from({ length: 20 }, () => value);
  expect(shortest(() => valuePicture(twenty))).toBeLessThan(40);
});

it('shows frames and results of ours as a cell does, and the bytes of a picture as that picture', () => {
  const frame = new DataFrame({ a: [1, 2] } as never);
  expect(valuePicture(frame)).toEqual({
    data: { 'text/html': expect.stringContaining('<table'), 'text/plain': expect.stringContaining('2 rows') },
    metadata: {},
  });
  const rate = winRate(new DataFrame({ wins: [3], losses: [1] } as never));
  expect(valuePicture(rate).data['text/html']).toContain('<table');
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  expect(valuePicture(png).data).toMatchObject({ 'image/png': png.toString('base64') });
  expect(valuePicture(new Uint8Array(3)).data).toEqual({ 'text/plain': 'Uint8Array(3) [0, 0, 0]' });
});

it('shows a large frame of which all is known, and tells in words one that would first be read, or is very wide', () => {
  const values = Float64Array.from({ length: 1_000_000 }, (_, at) => at / 2);
  const column = { name: 'pnl', dtype: 'float64', nullable: false, meaning: '' } as const;
  const known = frameFromVectors([column], [{ kind: 'number', values }]);
  const read = new DataFrame({ pnl: values } as never);
  const wide = new DataFrame(Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`c${at}`, [1]])) as never);
  expect(valuePicture(known).data['text/html']).toContain('1,000,000 rows');
  expect(valuePicture(read).data).toEqual({ 'text/plain': 'DataFrame 1,000,000 × 1' });
  expect(valuePicture(read.column('pnl')).data).toEqual({ 'text/plain': 'DataFrame 1,000,000 × 1' });
  expect(valuePicture(wide).data).toEqual({ 'text/plain': 'DataFrame 1 × 3000' });
  expect(valuePicture(new DataFrame({ a: [1, 2] } as never).column('a' as never)).data['text/html']).toContain(
    '<table',
  );
  for (const value of [known, read, read.column('pnl'), wide]) {
    expect(shortest(() => describeValue(value))).toBeLessThan(5);
    expect(shortest(() => valuePicture(value))).toBeLessThan(40);
  }
});

it('tells in words what shows itself by code of the user, or of a library, and a frame that is large', () => {
  const shown = { a: 1, [Symbol.for('Jupyter.display')]: ran, toHTML: ran };
  expect(valuePicture(shown).data).toEqual({ 'text/plain': '{ a: 1, toHTML: ran() }' });
  const frame = new DataFrame({ a: [1, 2] } as never);
  Object.defineProperty(frame, Symbol.for('Jupyter.display'), { value: ran });
  expect(valuePicture(frame).data).toEqual({ 'text/plain': 'DataFrame 2 × 1' });
  Object.defineProperty(frame, Symbol.for('oddslab.table'), { value: ran });
  expect(valuePicture(frame).data['text/plain']).toContain('$columns: ["a"]');
});
