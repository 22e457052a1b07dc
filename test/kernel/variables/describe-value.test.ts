import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { describeValue } from '../../../src/kernel/variables/describe-value.js';
import { hasTable, tableOf } from '../../../src/kernel/variables/table-of.js';
import { partsOf } from '../../../src/kernel/variables/value-parts.js';
import { hostileValues, LARGE, ran, shortest, TRAPS } from './hostile-values.js';

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

  it.each(hostileValues())('and none of %s', (_, value) => {
    expect(describeValue(value).type).toMatch(/^\w+$/);
    expect(describeValue([value, { value }]).value).toMatch(/^Array\(2\) \[/);
    expect(() => hasTable(value)).not.toThrow();
    for (const part of partsOf(value, 0, 100).parts) expect(part.name).toBeTypeOf('string');
  });

  it('has no trace of an error written, which asks a function of the user, but tells a list called stack', () => {
    const asked: unknown[] = [];
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = (error) => asked.push(error);
    try {
      const failed = new RangeError('too far');
      const traced: object = {};
      Error.captureStackTrace(traced);
      expect(words(failed)).toBe('RangeError | RangeError: too far');
      expect(partsOf(failed, 0, 9).parts).toEqual([{ name: 'stack' }, { name: 'message', value: 'too far' }]);
      expect(words(traced)).toBe('Object | { stack: (getter) }');
      expect(partsOf(traced, 0, 9).parts).toEqual([{ name: 'stack' }]);
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    expect(asked).toEqual([]);
    expect(words({ stack: [1, 2] })).toBe('Object | { stack: Array(2) }');
  });

  it('tells properties that are not enumerable only where there are no others', () => {
    const hidden = Object.defineProperty({}, 'a', { value: 1 });
    expect(words(hidden)).toBe('Object | { a: 1 }');
    expect(words(Object.assign(hidden, { b: 2 }))).toBe('Object | { b: 2 }');
  });

  it.each(Object.entries(LARGE))('takes no longer for %s', (_, make) => {
    const value = make();
    const tookMs = shortest(() => {
      describeValue(value);
      hasTable(value);
      if (typeof value === 'object') partsOf(value, 0, 100);
    });
    expect(tookMs).toBeLessThan(25);
  });

  it('finds at the first look that there are a million whole numbers', () => {
    const make = LARGE['an object of a million whole numbers as keys'];
    const values = Array.from({ length: 5 }, make);
    expect(shortest(() => expect(words(values.pop())).toBe('Object | {…}'))).toBeLessThan(5);
    const rows = Array.from({ length: 5 }, () => [make()]);
    expect(shortest(() => expect(tableOf(rows.pop())?.columns).toEqual(['value']))).toBeLessThan(5);
  });

  it('lists no names once its time is over, and says that there are some', () => {
    expect(describeValue({ a: 1 }, () => false)).toEqual({ type: 'Object', value: '{…}', hasParts: true });
    expect(describeValue([1], () => false).value).toBe('Array(1) [1]');
  });

  it('lists none of hundreds of thousands of names, which V8 would first sort', () => {
    const wide = LARGE['an object of 300,000 keys']();
    expect(words(wide)).toBe('Object | {…}');
    expect(words(wide)).toBe('Object | {…}');
    expect(partsOf(wide as object, 0, 100)).toEqual({ parts: [], rest: undefined });
    expect(words(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at])))).toBe(
      'Object | { k0: 0, k1: 1, k2: 2, k3: 3, k4: 4, … }',
    );
    expect(words(LARGE['an object of 200,000 numbers as keys']())).toBe('Object | {…}');
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
