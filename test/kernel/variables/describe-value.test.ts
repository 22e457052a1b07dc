import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeValue } from '../../../src/kernel/variables/describe-value.js';
import { hasTable } from '../../../src/kernel/variables/table-of.js';
import { partsOf } from '../../../src/kernel/variables/value-parts.js';

/** What a value's own code would do if it ran. */
function ran(): never {
  throw new Error('code of the value ran');
}

const TRAPS: ProxyHandler<object> = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect)
    .filter((name) => typeof Reflect.get(Reflect, name) === 'function')
    .map((name) => [name, ran]),
);

class Fee {
  rate = 0.1;
  get total(): number {
    return ran();
  }
}

class Row extends Map<string, number> {
  override get size(): number {
    return ran();
  }
}

const words = (value: unknown): string => {
  const { type, value: text } = describeValue(value);
  return `${type} | ${text}`;
};

describe('a value in words', () => {
  it.each([
    [undefined, 'undefined | undefined'],
    [null, 'null | null'],
    [-0, 'number | -0'],
    [5n, 'bigint | 5n'],
    [Symbol('q'), 'symbol | Symbol(q)'],
    ['a "b"\n', String.raw`string | "a \"b\"\n"`],
    ['x'.repeat(101), `string | "${'x'.repeat(100)}"… (101 characters)`],
    [new Fee(), 'Fee | Fee { rate: 0.1 }'],
    [Fee, 'class | class Fee'],
    [(a: number, b = 2) => a + b, 'function | (a, b = 2)'],
    [async function load(_url: string) {}, 'function | load(_url)'],
    [{}, 'Object | {}'],
    [Object.create(null), 'Object | {}'],
    [
      { a: 1, b: 'x', c: { d: 1 }, e: [1, 2], f: ran, g: 1 },
      'Object | { a: 1, b: "x", c: Object {…}, e: Array(2), f: function, … }',
    ],
    [[], 'Array | Array(0) []'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is to be seen.
    [[1, , 'x', null], 'Array | Array(4) [1, empty, "x", null]'],
    [new Float64Array(1000), 'Float64Array | Float64Array(1000) [0, 0, 0, 0, 0, …]'],
    [new Map([[1, 2]]), 'Map | Map(1)'],
    [new Row([['a', 1]]), 'Row | Row(1)'],
    [new Set('abc'), 'Set | Set(3)'],
    [new Date(0), 'Date | 1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), 'Date | Invalid Date'],
    [/a+/g, 'RegExp | /a+/'],
    [new RangeError('too far'), 'RangeError | RangeError: too far'],
    [new ArrayBuffer(8), 'ArrayBuffer | ArrayBuffer(8 bytes)'],
    [runInNewContext('[1]'), 'Array | Array(1) [1]'],
  ])('%#', (value, expected) => {
    expect(words(value)).toBe(expected);
  });

  it('runs nothing of the value: no getter, no trap, no text of its own', () => {
    const hostile = {
      get a() {
        return ran();
      },
      get [Symbol.toStringTag]() {
        return ran();
      },
      toString: ran,
      toJSON: ran,
      [Symbol.iterator]: ran,
      [Symbol.for('nodejs.util.inspect.custom')]: ran,
      inner: new Proxy({}, TRAPS),
    };
    expect(words(hostile)).toBe('Object | { a: (getter), toString: function, toJSON: function, inner: Proxy }');
    expect(words(new Proxy({}, TRAPS))).toBe('object | Proxy');
    expect(words(new Proxy(ran, TRAPS))).toBe('function | Proxy');
    expect(words(Object.create(new Proxy({}, TRAPS)))).toBe('Object | {}');
    const posing = Object.defineProperty([1], 'constructor', { get: ran });
    expect(words(posing)).toBe('Array | Array(1) [1]');
    expect(hasTable(new Proxy([], TRAPS))).toBe(false);
    expect(partsOf(hostile, 0, 2)).toEqual({ parts: [{ name: 'a' }, { name: 'toString', value: ran }], rest: 5 });
    expect(partsOf(new Proxy({}, TRAPS), 0, 2)).toEqual({ parts: [], rest: 0 });
  });

  it('reads neither a text of a hundred million characters nor the digits of a huge integer', () => {
    expect(words('x'.repeat(100_000_000))).toBe('string | (100,000,000 characters)');
    expect(words(2n ** 4_000_000n)).toBe('bigint | …n');
    expect(words(Array.from({ length: 30 }, (_, at) => `${'y'.repeat(50)}${at}`)).length).toBeLessThan(140);
  });
});

describe('the parts of a value', () => {
  it.each([
    ['an array', [1, 2, 3], [{ name: '1', value: 2 }], 1],
    [
      'a map',
      new Map([
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ]),
      [{ name: '"b"', value: 2 }],
      1,
    ],
    ['a set', new Set(['x', 'y', 'z']), [{ name: '1', value: 'y' }], 1],
    ['an object', { a: 1, b: 2, [Symbol('s')]: 3 }, [{ name: 'b', value: 2 }], 1],
    ['a typed array', new Int8Array(3), [{ name: '1', value: 0 }], 1],
  ])('of %s, from one on', (_, value, parts, rest) => {
    expect(partsOf(value, 1, 1)).toEqual({ parts, rest });
  });

  it('are none beyond the last', () => {
    expect(partsOf([1], 5, 10)).toEqual({ parts: [], rest: 0 });
    expect(partsOf(new Map([[1, 1]]), 5, 10)).toEqual({ parts: [], rest: 0 });
  });
});
