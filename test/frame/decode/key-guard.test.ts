import { describe, expect, test } from 'vitest';
import type { Column, RecordOf } from '../../../src/contract/definition.js';
import { FrameBuilder } from '../../../src/frame/decode/frame-builder.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import fc from '../../support/fast-check.js';

const textOf = (records: readonly object[]) => new TextEncoder().encode(JSON.stringify(records));

describe('repeated keys', () => {
  const KEYED = [
    { name: 'day', dtype: 'datetime', nullable: true, meaning: 'Day.' },
    { name: 'wallet', dtype: 'string', nullable: true, meaning: 'Address.' },
    { name: 'market', dtype: 'string', nullable: true, meaning: 'Market.' },
    { name: 'row', dtype: 'int32', nullable: false, meaning: 'Tells rows apart.' },
  ] as const satisfies readonly Column[];

  const day = fc
    .tuple(fc.nat(12), fc.constantFrom('', '', 'T00:00:00Z', 'T06:00:00Z'))
    .map(([at, time]) => `2025-11-${String(at + 1).padStart(2, '0')}${time}`);
  const name = fc.constantFrom('a', 'b', 'c');
  const anyOrder = fc.array(fc.record({ day, wallet: name, market: name }), { maxLength: 40 });
  /** One wallet after the other, its days ascending: as the service sends them. */
  const series = fc
    .array(fc.tuple(fc.record({ wallet: name, market: name }), fc.uniqueArray(day)), { maxLength: 5 })
    .map((all) => all.flatMap(([of, days]) => days.sort().map((at) => ({ ...of, day: at }))));

  test.each([[['day']], [['day', 'wallet']], [['wallet', 'day']], [['day', 'wallet', 'market']]])(
    'of %j are dropped as a plain set would tell, over any pages and takes',
    (key) => {
      fc.assert(
        fc.property(
          fc.oneof(
            anyOrder,
            series,
            fc.tuple(series, anyOrder).map((parts) => parts.flat()),
          ),
          fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 8 }),
          (some, cuts) => {
            const records: Record<string, unknown>[] = some.map((record, row) => ({ ...record, row }));
            const seen = new Set<string>();
            const kept = records.filter((record) => {
              const text = JSON.stringify(key.map((field) => record[field])).replace('T00:00:00Z', '');
              return !seen.has(text) && seen.add(text);
            });
            const builder = new FrameBuilder<RecordOf<typeof KEYED>>(KEYED, { key });
            const rows: unknown[] = [];
            let repeats = 0;
            let at = 0;
            for (const [size, take] of [...cuts, [records.length, true] as const]) {
              const page = records.slice(at, at + size);
              at += size;
              const appended = builder.appendText(textOf(page));
              expect(appended.records).toBe(page.length);
              repeats += appended.repeats;
              if (take) rows.push(...recordsOf(builder.take()));
            }
            expect(rows).toEqual(kept.map(({ day, wallet, market, row }) => ({ day, wallet, market, row })));
            expect(repeats).toBe(records.length - kept.length);
          },
        ),
      );
    },
  );

  test('are found among times of another form, and after a page that the scanner left to parsing', () => {
    const builder = new FrameBuilder(KEYED, { key: ['day', 'wallet'] });
    const record = { day: '2025-11-05T12:30:00Z', wallet: 'a', row: 1 };
    expect(builder.appendText(textOf([record]))).toEqual({ records: 1, repeats: 0 });
    const again = { ...record, day: '2025-11-05 14:30:00+02', row: 2 };
    expect(builder.appendText(textOf([again, { ...record, wallet: 'b' }]))).toEqual({ records: 2, repeats: 1 });
    // A field whose name is a whole number is what the scanner does not read.
    expect(
      builder.appendText(
        textOf([
          { ...record, 7: 0 },
          { ...again, wallet: 'c' },
        ]),
      ),
    ).toEqual({ records: 2, repeats: 1 });
    expect(builder.rows).toBe(3);
    expect(builder.build().columns).toEqual(['day', 'wallet', 'market', 'row']);
  });

  test('are held against the record that they repeat, though a day and its midnight came in between', () => {
    const builder = new FrameBuilder(KEYED, { key: ['day'] });
    const [first, second] = [
      { day: '2025-11-05', row: 1 },
      { day: '2025-11-06T00:00:00Z', row: 2 },
    ];
    builder.appendText(textOf([first, { ...first, day: '2025-11-05T00:00:00Z' }, second]));
    expect(builder.repeated).toEqual({ within: 1, differing: undefined });
    builder.appendText(textOf([{ ...second, day: '2025-11-06' }]));
    expect(builder.repeated).toEqual({ within: 0, differing: undefined });
    builder.appendText(textOf([{ ...second, row: 3 }]));
    expect(builder.repeated).toEqual({ within: 0, differing: { key: 'day 2025-11-06T00:00:00Z', field: 'row' } });
    expect(recordsOf(builder.build()).map(({ day }) => day)).toEqual([first.day, second.day]);
  });

  test('are equal where both lack a value, of whatever kind', () => {
    const kinds = (['int32', 'float64', 'boolean', 'string', 'datetime'] as const).map(
      (dtype) => ({ name: dtype, dtype, unit: 'USD', nullable: true, meaning: 'May be missing.' }) as const,
    );
    for (const exact of [false, true]) {
      const builder = new FrameBuilder([...KEYED, ...kinds], { key: ['day'], exact });
      const record = { day: '2025-11-05', row: 1 };
      builder.append([record, record]);
      expect(builder.repeated).toEqual({ within: 1, differing: undefined });
      builder.append([{ ...record, float64: 0 }]);
      expect(builder.repeated?.differing?.field).toBe('float64');
    }
  });

  test('are held against what has not been taken yet', () => {
    const builder = new FrameBuilder(KEYED, { key: ['day'] });
    const [first, second] = [
      { day: '2025-11-05', row: 1 },
      { day: '2025-11-06', row: 2 },
    ];
    builder.append([first]);
    builder.take();
    builder.append([{ ...first, row: 3 }]);
    expect(builder.repeated).toEqual({ within: 0, differing: undefined });
    builder.append([second, { ...second, row: 3 }]);
    expect(builder.repeated).toEqual({ within: 1, differing: { key: 'day 2025-11-06', field: 'row' } });
  });

  const REQUIRED = KEYED.map((column) => ({ ...column, nullable: false }));

  test('cannot be told where a key is missing that every record has', () => {
    const builder = new FrameBuilder(REQUIRED, { key: ['day', 'wallet'] });
    builder.append([{ day: '2025-11-05', wallet: 'a', market: 'm', row: 1 }]);
    const page = textOf([
      { day: '2025-11-06', wallet: 'a', market: 'm', row: 2 },
      { day: '2025-11-07', market: 'm', row: 3 },
    ]);
    expect(() => builder.appendText(page)).toThrow('Page 2, row 2: the field "wallet" is missing');
    const three = new FrameBuilder(REQUIRED, { key: ['day', 'wallet', 'market'] });
    expect(() => three.append([{ day: '2025-11-05', market: 'm', row: 1 }])).toThrow('the field "wallet" is missing');
    const first = new FrameBuilder(KEYED, { key: ['day', 'wallet'] });
    expect(() => first.append([{ wallet: 'a', row: 1 }])).toThrow(
      'Page 1, row 1: the field "day" is missing; it is part of the key, without which repeated records cannot be told.',
    );
    expect(() => new FrameBuilder(KEYED, { key: ['row'] })).toThrow('The key "row" is no column of text.');
  });

  test('hold null as a value where their column may', () => {
    const builder = new FrameBuilder(KEYED, { key: ['day', 'wallet'] });
    builder.append([
      { day: '2025-11-05', wallet: null, market: 'm', row: 1 },
      { day: '2025-11-05', wallet: 'a', market: 'm', row: 2 },
      { day: '2025-11-05', wallet: null, market: 'm', row: 3 },
      { day: '2025-11-06', wallet: null, market: 'm', row: 4 },
    ]);
    expect(recordsOf(builder.build()).map(({ row }) => row)).toEqual([1, 2, 4]);
  });
});
