import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { type DeclaredParameter, parametersOf } from '../../../src/kernel/parameters/parameters-of.js';
import { fitValue, valueFromText } from '../../../src/notebook/parameters/fit-value.js';
import { givenByText, type ParameterValue } from '../../../src/notebook/parameters/given-parameters.js';
import { valueSource } from '../../../src/notebook/parameters/inject-parameters.js';
import fc from '../../support/fast-check.js';

function shapeOf(type: string): DeclaredParameter['shape'] {
  const [parameter] = parametersOf(`let p: ${type};`, 'cell');
  return parameter?.shape ?? { kind: 'any' };
}

describe('valueFromText', () => {
  it.each<[type: string, text: string, value: ParameterValue]>([
    ['string', '007', '007'],
    ['string', '', ''],
    ['string', '"quoted"', '"quoted"'],
    ['number', '-1.5e3', -1500],
    ['number', '.5', 0.5],
    ['number', '+5', 5],
    ['boolean', 'false', false],
    ['null', 'null', null],
    ['bigint', '123456789012345678901234567890', 123456789012345678901234567890n],
    ['string | null', 'null', null],
    ['string | null', '7', '7'],
    ['string | number', '7', 7],
    ['string | number', '007', '007'],
    ["'day' | 'week'", 'week', 'week'],
    ['string[]', '["a","b"]', ['a', 'b']],
    ['{ a: number }', '{"a": 1, "b": null}', { a: 1, b: null }],
    ['Date', '2025-01-31', new Date('2025-01-31T00:00:00Z')],
    ['Date', '2025-01-31T10:00', new Date('2025-01-31T10:00:00Z')],
    ['Date', '2025-01-31T10:00:00.5+02:00', new Date('2025-01-31T08:00:00.5Z')],
    ['`0x$' + '{string}`', '0x12', '0x12'],
    ['[string, number?]', '["a"]', ['a']],
    ['string & { tag: 1 }', 'x', 'x'],
    ['unknown', '12', 12],
    ['unknown', '12345678901234567890', '12345678901234567890'],
    ['unknown', 'a b', 'a b'],
    ['unknown', '[1, "a"]', [1, 'a']],
  ])('as %s reads %s', (type, text, value) => {
    expect(valueFromText(text, shapeOf(type), 'p')).toEqual(value);
  });

  it.each([
    ['number', 'abc', 'p must be a number; got "abc".'],
    [
      'number',
      '9007199254740993',
      'p must be a number; got "9007199254740993". It is too large to be exact: ' +
        'beyond 9007199254740991, make the parameter a bigint, or round.',
    ],
    ['number', '', 'p must be a number; got "".'],
    ['number', '007', 'p must be a number; got "007".'],
    ['number', '-1e400', 'p must be a number; got "-1e400".'],
    [
      'number[]',
      '[1e400]',
      `p must be a list, each a number; got "[1e400]". Write it as JSON, quoted for the shell: -p 'p=["a","b"]'`,
    ],
    ['number', 'NaN', 'p must be a number; got "NaN".'],
    ['boolean', 'True', 'p must be true or false; got "True".'],
    ['boolean', '1', 'p must be true or false; got "1".'],
    ["'day' | 'week'", 'dya', 'p must be "day" or "week"; got "dya".'],
    ['Date', '2025-02-30', 'p must be a date such as 2025-01-31 or 2025-01-31T09:30:00Z; got "2025-02-30".'],
    [
      'string[]',
      'a,b',
      `p must be a list, each a string; got "a,b". Write it as JSON, quoted for the shell: -p 'p=["a","b"]'`,
    ],
    ['string[]', '["a", 2]', 'p[1] must be a string; got 2. Put it in quotes.'],
    ['{ a: { b: number } }', '{"a": {"b": "x"}}', 'p.a.b must be a number; got "x".'],
    ['{ a: { b: number } }', '{"a": {}}', 'p.a lacks the field b.'],
    ['Record<string, number>', '{"x": "y"}', 'p.x must be a number; got "y".'],
    ['[string, number]', '["a"]', `p must be a list of 2: a string, a number; got [ 'a' ].`],
    ['[string, number]', '["a", "b"]', 'p[1] must be a number; got "b".'],
    ['`0x$' + '{string}`', 'abc', 'p must be a string such as `0x$' + '{string}`; got "abc".'],
    [
      'Map<string, number>',
      '{"a": 1}',
      'p must be a Map; got { a: 1 }. No text or file holds one: make the parameter what it is made from, such as a list.',
    ],
    ['string[] | null', '[1]', 'p[0] must be a string; got 1. Put it in quotes.'],
  ])('as %s refuses %s', (type, text, message) => {
    expect(() => valueFromText(text, shapeOf(type), 'p')).toThrow(new UsageError(message));
  });
});

describe('a type that the cell names', () => {
  const fitted = (source: string, data: unknown) => {
    const notes: string[] = [];
    const [parameter] = parametersOf(source, 'cell');
    return [fitValue(data, parameter?.shape ?? { kind: 'any' }, 'p', () => notes.push('unchecked')), notes];
  };

  it.each([
    ['interface I { x: number }; let p: I;', { x: 'no' }, 'p.x must be a number; got "no".'],
    ['interface A { x: number } interface I extends A { y: string } let p: I;', { y: '' }, 'p lacks the field x.'],
    ['enum E { A, B, C = "c" } let p: E;', 2, 'p must be E.A (0) or E.B (1) or E.C ("c"); got 2.'],
    ['let p = 1 + 2;', 'abc', 'p must be a number; got "abc".'],
    ['let p = "a" + x;', 1, 'p must be a string; got 1. Put it in quotes.'],
    ['let p = [1, "a"];', [true], 'p[0] must be a number or a string; got true.'],
  ])('is checked: %s', (source, data, message) => {
    expect(() => fitted(source, data)).toThrow(new UsageError(message));
  });

  it('is told of where it cannot be checked', () => {
    expect(fitted('let p: Elsewhere;', { a: 1 })).toEqual([{ a: 1 }, ['unchecked']]);
    expect(fitted('let p: Elsewhere | number;', 1)).toEqual([1, []]);
    expect(fitted('let p = f();', 1)).toEqual([1, ['unchecked']]);
    expect(fitted('let p: { a: number; b?: string };', { a: 1, B: 'x' })).toEqual([{ a: 1, B: 'x' }, ['unchecked']]);
    expect(fitted('let p: { a: number; b?: string };', { a: 1, b: 'x' })).toEqual([{ a: 1, b: 'x' }, []]);
    for (const open of ['let p = { a: 1 };', 'let p: {};', 'let p: object;', 'let p: { [name: string]: number };']) {
      expect(fitted(open, { B: 1, ...(open.includes('a:') ? { a: 1 } : {}) })[1]).toEqual([]);
    }
  });
});

describe('fitValue', () => {
  it('takes data of a file by their own type', () => {
    expect(fitValue('2025-01-31', shapeOf('Date'), 'p')).toEqual(new Date('2025-01-31T00:00:00Z'));
    expect(fitValue({ a: [1] }, shapeOf('unknown'), 'p')).toEqual({ a: [1] });
    expect(() => fitValue(7, shapeOf('string'), 'p')).toThrow(
      new UsageError('p must be a string; got 7. Put it in quotes.'),
    );
    expect(() => fitValue('7', shapeOf('number'), 'p')).toThrow(new UsageError('p must be a number; got "7".'));
  });
});

describe('valueSource', () => {
  it.each([
    ['string | undefined', 'null', 'undefined'],
    ['Elsewhere | undefined', 'null', 'undefined'],
    ['string | undefined | null', 'null', 'null'],
    ['{ a: number | undefined }', '{"a": null}', '{ a: undefined }'],
    ['string | undefined', 'undefined', '"undefined"'],
  ])('of the type %s writes %s as %s', (type, text, source) => {
    expect(valueSource(valueFromText(text, shapeOf(type), 'p'))).toBe(source);
  });

  it('says of undefined how it is set', () => {
    expect(() => valueFromText('undefined', shapeOf('number | undefined'), 'p')).toThrow(
      new UsageError('p must be a number or null for undefined; got "undefined".'),
    );
  });

  it('writes TypeScript that gives the value back', () => {
    const { value } = fc.letrec<{ value: ParameterValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.bigInt(),
        fc.constant(null),
        fc.date({ noInvalidDate: true }),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const read: unknown = new Function(`return ${valueSource(given)};`)();
        expect(read).toStrictEqual(given);
      }),
    );
  });
});

describe('givenByText', () => {
  it('splits at the first equals sign', () => {
    expect(givenByText('a=b=c')).toEqual({ name: 'a', where: '-p', value: { text: 'b=c' } });
  });

  it.each(['days', '=1', '1a=2', 'a b=1'])('refuses %s', (word) => {
    const message = `-p takes name=value, such as -p days=30; got "${word}".`;
    expect(() => givenByText(word)).toThrow(new UsageError(message));
  });
});
