import { expect, it } from 'vitest';
import { decimalOf } from '../../../src/contract/decimal.js';
import { dateOfDay } from '../../../src/contract/time.js';
import { putDate, putMicros, putWhole } from '../../../src/service/records/json-bytes.js';
import { putVarint, VarintReader, zigzag } from '../../../src/service/store/varint.js';
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
