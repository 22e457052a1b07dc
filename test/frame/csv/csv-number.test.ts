import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../../src/base/decimal.js';
import { LONGEST_NUMBER, putDouble, putExact } from '../../../src/frame/csv/csv-number.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

function textOf(put: (target: DataView, at: number) => number): string {
  const target = Buffer.alloc(LONGEST_NUMBER + 8, '#');
  const end = put(new DataView(target.buffer, target.byteOffset, target.length), 3);
  expect(target.toString('latin1', 0, 3)).toBe('###');
  return target.toString('latin1', 3, end);
}

const double = (value: number) => textOf((target, at) => putDouble(target, at, value));
const exact = (value: bigint) => textOf((target, at) => putExact(target, at, value));

describe('putDouble', () => {
  test('writes what String writes, at the edges of each way', () => {
    const edges = [0, 1, 9, 10, 99, 100, 101, 999, 1000, 12345, 99999, 100000, 1e6, 9999999, 1e8, 999999999, 1e9];
    const hard = [2147483647, 2147483648, 4294967296, 999999999.999999, 1e9 + 0.5, 1e15, 9007199254740992, 1e21, 1e20];
    const small = [
      0.1,
      0.5,
      0.000001,
      0.0000001,
      5e-324,
      1.000001,
      1.0000001,
      0.30000000000000004,
      1 / 3,
      1.7976931348623157e308,
    ];
    const odd = [
      1.1,
      10.01,
      100.001,
      0.25,
      0.07,
      12.5,
      0.100001,
      0.01,
      0.001,
      0.0001,
      0.00001,
      Number.POSITIVE_INFINITY,
    ];
    for (const value of [...edges, ...hard, ...small, ...odd].flatMap((one) => [one, -one])) {
      expect(double(value)).toBe(Object.is(value, -0) ? '-0' : String(value));
    }
    expect([double(0), double(-0)]).toEqual(['0', '-0']);
    expect(double(Number.NaN)).toBe('');
  });

  test('writes what String writes, for any double, integer and decimal', () => {
    const micros = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map((value) => Number(value) / 1e6);
    const cents = fc.integer().map((value) => value / 100);
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), micros, cents, fc.maxSafeInteger());
    fc.assert(
      fc.property(number, (value) => {
        expect(double(value)).toBe(Object.is(value, -0) ? '-0' : String(value));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('putExact', () => {
  test('writes exact amounts as their decimal text, and nothing for a missing one', () => {
    const far = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.oneof(far, fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n })), (value) => {
        expect(exact(value)).toBe(decimalOf(value));
      }),
      { numRuns: 5_000 },
    );
    expect(exact(MISSING_MICROS)).toBe('');
  });
});
