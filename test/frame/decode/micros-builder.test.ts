import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../../src/base/decimal.js';
import type { Column } from '../../../src/contract/definition.js';
import { FrameBuilder } from '../../../src/frame/decode/frame-builder.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

describe('exact amounts', () => {
  const AMOUNTS = [
    { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, decimal: true, meaning: 'Profit.' },
    { name: 'volume', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Sent as a number.' },
    { name: 'rate', dtype: 'float64', nullable: true, meaning: 'No amount.' },
  ] as const satisfies readonly Column[];

  const exactly = (text: string) => {
    const builder = new FrameBuilder(AMOUNTS, { exact: true });
    builder.appendText(new TextEncoder().encode(text));
    const parsed = new FrameBuilder(AMOUNTS, { exact: true });
    parsed.append(JSON.parse(text));
    const vectors = vectorsOf(builder.build());
    expect(vectorsOf(parsed.build())).toEqual(vectors);
    return vectors;
  };

  test('are kept to the last micro-unit, from text and from numbers', () => {
    expect(
      exactly(`[
        {"pnl": "0.000001", "volume": 0.1, "rate": 0.1},
        {"pnl": "-9007199254.740993", "volume": 123456789.123456, "rate": "0.0000001"},
        {"pnl": "9200000000000", "volume": 1.5e3, "rate": 1},
        {"pnl": "-9199999999999.999999", "volume": 0.10, "rate": 1},
        {"pnl": "1.2500000000", "volume": -0, "rate": 1},
        {"pnl": null, "volume": "", "rate": null}
      ]`),
    ).toEqual([
      {
        kind: 'micros',
        values: BigInt64Array.of(
          1n,
          -9_007_199_254_740_993n,
          9_200_000_000_000_000_000n,
          -9_199_999_999_999_999_999n,
          1_250_000n,
          MISSING_MICROS,
        ),
      },
      {
        kind: 'micros',
        values: BigInt64Array.of(100_000n, 123_456_789_123_456n, 1_500_000_000n, 100_000n, 0n, MISSING_MICROS),
      },
      { kind: 'number', values: Float64Array.of(0.1, 1e-7, 1, 1, 1, Number.NaN) },
    ]);
  });

  test.each([
    ['1e5', 100_000_000_000n],
    ['-1.25E+2', -125_000_000n],
    ['1e-6', 1n],
    ['12.50e-5', 125n],
    ['0.0000000001e10', 1_000_000n],
    ['9200000000000000000e-6', 9_200_000_000_000_000_000n],
    ['0e999999999999', 0n],
  ])('are read from %s, too', (digits, micros) => {
    expect(exactly(`[{"pnl":"${digits}","volume":null,"rate":null}]`)[0]).toEqual({
      kind: 'micros',
      values: BigInt64Array.of(micros),
    });
  });

  test('come back as they were sent, whatever they are', () => {
    const micros = fc.bigInt({ min: -92n * 10n ** 17n, max: 92n * 10n ** 17n });
    fc.assert(
      fc.property(fc.array(micros, { minLength: 1 }), (values) => {
        const records = values.map((value) => ({ pnl: decimalOf(value) }));
        expect(exactly(JSON.stringify(records))[0]).toEqual({ kind: 'micros', values: BigInt64Array.from(values) });
      }),
    );
  });

  const AMOUNT =
    'a decimal such as "12.5" with at most six places, within ±9.2e12, and no double of more digits than the 15 that ' +
    'it holds exactly, to be kept exactly, or null.';

  test('are kept from the digits of long JSON numbers, scanned or parsed', () => {
    for (const other of ['1', '1.5e3']) {
      for (const extra of ['', ',"added":1,"7":2']) {
        const text =
          `[{"pnl":9007199254740.993,"volume":-9199999999999.999999,"rate":${other}${extra}},` +
          '{"pnl":123456789012.34567,"volume":1.2345678901234567E+3,"rate":12345678901234567890.5}]';
        const builder = new FrameBuilder(AMOUNTS, { exact: true });
        const read = () => builder.appendText(new TextEncoder().encode(text));
        expect(read).toThrow(`row 2: the field "volume" is "1234.5678901234567"; it should be ${AMOUNT}`);
        const kept = new FrameBuilder(AMOUNTS, { exact: true });
        kept.appendText(new TextEncoder().encode(text.replace('4567E+3', '456E+9')));
        expect(vectorsOf(kept.build()).slice(0, 3)).toEqual([
          { kind: 'micros', values: BigInt64Array.of(9_007_199_254_740_993_000n, 123_456_789_012_345_670n) },
          { kind: 'micros', values: BigInt64Array.of(-9_199_999_999_999_999_999n, 1_234_567_890_123_456n) },
          { kind: 'number', values: Float64Array.of(Number(other), Number('12345678901234567890.5')) },
        ]);
      }
    }
  });

  test('are refused as doubles of more digits than these hold exactly', () => {
    const builder = new FrameBuilder(AMOUNTS, { exact: true });
    expect(() => builder.append([{ volume: JSON.parse('9007199254740.993') }])).toThrow(
      `Page 1, row 1: the field "volume" is 9007199254740.992; it should be ${AMOUNT}`,
    );
  });

  test.each([
    '"0.0000001"',
    '1e-7',
    '0.30000000000000004',
    '0.10000000000000000555',
    '"9200000000000.000001"',
    '1e13',
    '1e-400',
    '"1e-7"',
    '"1e13"',
    '"1e999999999999"',
    '"1e-999999999999"',
    '"01"',
    'true',
  ])('refuse %s', (value) => {
    const builder = new FrameBuilder(AMOUNTS, { exact: true });
    expect(() => builder.appendText(new TextEncoder().encode(`[{"pnl":${value}}]`))).toThrow(
      /^Page 1, row 1: the field "pnl" is .*; it should be a decimal such as "12.5" with at most six places, /,
    );
  });
});
