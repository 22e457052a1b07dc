import { describe, expect, it } from 'vitest';
import { type MomentForm, momentsOf, textOfMoment } from '../../../src/frame/vector/moment-form.js';
import type { TextVector } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

function textOf(words: readonly string[]): TextVector {
  return { kind: 'text', codes: Int32Array.from(words, (_, code) => code), words, distinct: false };
}

const DAY = 86_400_000_000n;
const FIRST = BigInt(Date.parse('0000-01-01')) * 1000n;
const LAST = BigInt(Date.parse('9999-12-31T23:59:59.999Z')) * 1000n + 999n;
const micros = fc.oneof(
  fc.bigInt({ min: FIRST, max: LAST }),
  fc.bigInt({ min: FIRST / 1000n, max: LAST / 1000n }).map((millis) => millis * 1000n),
  fc.bigInt({ min: FIRST / 1_000_000n, max: LAST / 1_000_000n }).map((seconds) => seconds * 1_000_000n),
);

describe('text of moments', () => {
  it('is counted, in a form that gives the same text back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<MomentForm>('day', 'shortest', 'millis', 'micros'),
        fc.array(micros, { minLength: 1 }),
        (form, given) => {
          const counts = form === 'day' ? given.map((count) => (count / DAY) * DAY) : given;
          const words = counts.map((count) => textOfMoment(count, form));
          const found = momentsOf(textOf(words), 'string');
          expect([...(found?.values ?? [])]).toEqual(counts);
          expect(counts.map((count) => textOfMoment(count, found?.form ?? 'day'))).toEqual(words);
        },
      ),
    );
  });

  it.each([
    ['0000-02-29', '0000-03-01T00:00:00Z'],
    ['1600-02-29', '2000-02-29', '2024-02-29', '1970-01-01', '1969-12-31', '9999-12-31'],
    ['1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00.000001Z', '1677-01-01T00:00:00Z'],
  ])('is counted as Date counts: %s', (...words) => {
    const expected = words.map(
      (word) => BigInt(Date.parse(word)) * 1000n + BigInt(/\.\d{3}(\d{3})Z/.exec(word)?.[1] ?? 0),
    );
    expect([...(momentsOf(textOf(words), 'datetime')?.values ?? [])]).toEqual(expected);
  });

  it.each([
    '2025-02-29',
    '1900-02-29T00:00:00Z',
    '2025-00-10',
    '2025-13-01',
    '2025-11-00',
    '2025-11-31',
    '2025/11/05',
    '25-11-05',
    '+2025-11-05',
    '2025-11-05 00:00:00Z',
    '2025-11-05T00:00:00',
    '2025-11-05T00:00Z',
    '2025-11-05T24:00:00Z',
    '2025-11-05T23:60:00Z',
    '2025-11-05T23:59:60Z',
    '2025-11-05T00:00:00z',
    '2025-11-05T00:00:00.Z',
    '2025-11-05T00:00:00.1Z',
    '2025-11-05T00:00:00.1234Z',
    '2025-11-05T00:00:00,123Z',
    '2025-11-05T00:00:00.12 Z',
    '2025-11-05T00:00:00.123456789Z',
    '2025-11-05T00:00:00.123+00',
    '٢٠٢٥-11-05',
    'infinity',
    '',
  ])('is no count where it would not come back: %s', (word) => {
    expect(momentsOf(textOf(['2025-11-05T00:00:00Z', word]), 'string')).toBeUndefined();
    expect(momentsOf(textOf([word]), 'string')).toBeUndefined();
  });

  it.each([
    [['2025-11-05T00:00:00Z', '2025-11-05T00:00:00.000Z']],
    [['2025-11-05T00:00:00.000Z', '2025-11-05T00:00:00.000000Z']],
    [['2025-11-05', '2025-11-05T00:00:00Z']],
  ])('is no count in two forms: %j', (words) => {
    expect(momentsOf(textOf(words), 'string')).toBeUndefined();
    expect(momentsOf(textOf(words), 'datetime')?.values).toEqual(new BigInt64Array(2).fill(1_762_300_800_000_000n));
  });

  it('counts words that rows have alone, and nanoseconds of times', () => {
    const some = { ...textOf(['x', '2025-11-05', 'y']), codes: Int32Array.of(-1, 1, 1) };
    expect(momentsOf(some, 'string')).toEqual({
      form: 'day',
      codes: Int32Array.of(-1, 0, 0),
      values: BigInt64Array.of(1_762_300_800_000_000n),
    });
    const nanos = textOf(['1970-01-01T00:00:00.000000001Z', '1969-12-31T23:59:59Z']);
    expect(momentsOf(nanos, 'datetime')).toMatchObject({
      form: 'nanos',
      values: BigInt64Array.of(1n, -1_000_000_000n),
    });
    expect(momentsOf(textOf(['1970-01-01T00:00:00.000000001Z', '2300-01-01']), 'datetime')).toBeUndefined();
  });
});
