import { describe, expect, it } from 'vitest';
import { decimalOf, microsOf, ratioMicros } from '../../src/base/decimal.js';
import fc from '../support/fast-check.js';

/** Rounds a quotient half away from zero by comparing twice the remainder: slower and plainer than the source. */
function rounded(numerator: bigint, divisor: bigint): bigint {
  const negative = numerator < 0n !== divisor < 0n;
  const [top, bottom] = [numerator < 0n ? -numerator : numerator, divisor < 0n ? -divisor : divisor];
  const magnitude = top / bottom + (2n * (top % bottom) >= bottom ? 1n : 0n);
  return negative ? -magnitude : magnitude;
}

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${max}}$`));

describe('microsOf', () => {
  it('reads any plain decimal as the rational that it names, rounded half away from zero', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.bigInt(0n, 10n ** 20n), digits(12), (negative, whole, fraction) => {
        const text = `${negative ? '-' : ''}${whole}.${fraction}`;
        const numerator = BigInt(`${negative ? '-' : ''}${whole}${fraction}`) * 1_000_000n;
        expect(microsOf(text)).toBe(rounded(numerator, 10n ** BigInt(fraction.length)));
      }),
    );
  });

  it.each(['', ' ', '.5', '1e3', '0x10', 'NaN', 'Infinity', '+1', '--1', '1,5', '1.2.3', '12abc', ' 1', '1 ', '-'])(
    'takes %j for no decimal',
    (text) => expect(microsOf(text)).toBeUndefined(),
  );
});

describe('decimalOf', () => {
  it('is read back to what was written, without trailing zeros', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), (micros) => {
        const text = decimalOf(micros);
        expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,5}[1-9])?$/);
        expect(microsOf(text)).toBe(micros);
      }),
    );
  });

  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [-1n, '-0.000001'],
    [-12_500_000n, '-12.5'],
    [1_000_000n, '1'],
  ])('writes %s as %s', (micros, text) => expect(decimalOf(micros)).toBe(text));
});

describe('ratioMicros', () => {
  it('is the rounded rational, and 0 over 0', () => {
    const any = fc.bigInt(-(10n ** 18n), 10n ** 18n);
    fc.assert(
      fc.property(any, any, fc.constantFrom(1n, 1_000_000n), (top, bottom, scale) => {
        expect(ratioMicros(top, bottom, scale)).toBe(bottom === 0n ? 0n : rounded(top * scale, bottom));
      }),
    );
  });

  it('rounds halves away from zero on both sides', () => {
    expect([ratioMicros(1n, 2n, 1n), ratioMicros(-1n, 2n, 1n), ratioMicros(1n, -2n, 1n)]).toEqual([1n, -1n, -1n]);
  });
});
