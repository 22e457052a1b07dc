import { expect, it } from 'vitest';
import { decimalOf, ratioMicros } from '../../../src/base/decimal.js';
import { DataError } from '../../../src/base/errors.js';
import { dateOfDay } from '../../../src/contract/time.js';
import { putVarint, VarintReader, zigzag } from '../../../src/service/store/indexed-file.js';
import { PERCENT_MICROS, putDate, putMicros, putRatio, putWhole } from '../../../src/service/store/json-bytes.js';
import fc from '../../support/fast-check.js';

const bytes = Buffer.alloc(64);
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
const safe = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.integer({ min: -3_000_000, max: 3_000_000 }));

it('decimals are written as the contract words them', () => {
  fc.assert(
    fc.property(safe, (micros) => {
      expect(bytes.toString('latin1', 0, putMicros(view, 0, micros))).toBe(decimalOf(BigInt(micros)));
    }),
    {
      numRuns: 2000,
      examples: [[0], [Number.MAX_SAFE_INTEGER], [Number.MIN_SAFE_INTEGER], [-1], [999_999], [1_000_000]],
    },
  );
});

it('whole numbers are written in digits, dates as dates, varints as they are read', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: -719_162, max: 2_932_896 }), (number, day) => {
      expect(bytes.toString('latin1', 0, putWhole(view, 0, number))).toBe(String(number));
      putDate(view, 0, day);
      expect(bytes.toString('latin1', 0, 10)).toBe(dateOfDay(day));
      const signed = number % 2 === 0 ? number / 2 : -(number - 1) / 2;
      putVarint(bytes, putVarint(bytes, 0, number), zigzag(signed));
      const reader = new VarintReader(bytes);
      expect([reader.next(), reader.signed() + 0]).toEqual([number, signed + 0]);
    }),
    { numRuns: 1000 },
  );
});

it('a number that its bytes do not hold to the end is damage, no smaller number', () => {
  const cut = () => new VarintReader(Uint8Array.of(0x80, 0x80)).next();
  expect(cut).toThrow(DataError);
  expect(cut).toThrow('a number in it runs past the end of its bytes');
  expect(() => new VarintReader(new Uint8Array(0)).signed()).toThrow(DataError);
});

it('ratios are rounded as the contract rounds them, also beyond what numbers hold', () => {
  const amount = fc.oneof(safe, fc.integer({ min: -(2 ** 51), max: 2 ** 51 }));
  const whole = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.nat(20));
  fc.assert(
    fc.property(amount, whole, fc.constantFrom(1, PERCENT_MICROS), (part, divisor, scale) => {
      const exact = decimalOf(ratioMicros(BigInt(part), BigInt(divisor), BigInt(scale)));
      expect(bytes.toString('latin1', 0, putRatio(view, 0, part, divisor, scale))).toBe(exact);
    }),
    {
      numRuns: 3000,
      examples: [
        [1, 0, 1],
        [-1, 2, 1],
        [1, 2, 1],
        [2 ** 52, 1, PERCENT_MICROS],
        [-5, 3, 1],
      ],
    },
  );
});
