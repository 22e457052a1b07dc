import { describe, expect, test, vi } from 'vitest';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { bucketBy } from '../../../src/frame/verbs/bucket-by.js';
import { joinOn } from '../../../src/frame/verbs/join-on.js';
import { frameOf, rawRows } from './random-frames.js';

const trades = new DataFrame({
  wallet: ['b', 'a', 'b', 'c', null],
  side: ['x', 'y_z', 'x', 'x', 'x'],
  size: [1, 2, 3, 4, 5],
});
const names = new DataFrame({
  wallet: ['a', 'b', 'b', null],
  name: ['Ann', 'Bob', 'Ben', 'nobody'],
  size: [9, 8, 7, 6],
});

describe('joinOn', () => {
  test('refuses to join by no column', () => {
    for (const keys of [[], {}, undefined]) {
      expect(() => joinOn(trades, names, keys as [])).toThrow(
        new UsageError("joinOn was given no column to join by: name one, such as joinOn(left, right, 'proxy_wallet')."),
      );
    }
  });

  test('says how to name the columns where they are told as elsewhere, unless a column has that name', () => {
    for (const keys of [{ on: 'wallet' }, { on: ['wallet'], how: 'left' }, { leftOn: 'wallet', rightOn: 'wallet' }]) {
      expect(() => joinOn(trades, names, keys as unknown as 'wallet')).toThrow(
        new UsageError(
          `joinOn takes the columns themselves, not "${Object.keys(keys)[0]}": write joinOn(left, right, 'proxy_wallet'), ` +
            "or { proxy_wallet: 'address' } where the right frame has another name for it.",
        ),
      );
    }
    expect(joinOn(new DataFrame({ on: [1, 2] }), new DataFrame({ a: [2] }), { on: 'a' }).values).toEqual([[2]]);
  });

  test('keeps the order of the left rows, then of the right ones, and names clashing columns', () => {
    const inner = joinOn(trades, names, 'wallet');
    expect(inner.columns).toEqual(['wallet', 'side', 'size', 'name', 'size_right']);
    expect(inner.values).toEqual([
      ['b', 'x', 1, 'Bob', 8],
      ['b', 'x', 1, 'Ben', 7],
      ['a', 'y_z', 2, 'Ann', 9],
      ['b', 'x', 3, 'Bob', 8],
      ['b', 'x', 3, 'Ben', 7],
    ]);
    const left = joinOn(trades, names, 'wallet', { kind: 'left', suffix: '_of_name' });
    expect(left.columns.at(-1)).toBe('size_of_name');
    expect(left.values.slice(-2)).toEqual([
      ['c', 'x', 4, null, Number.NaN],
      [null, 'x', 5, null, Number.NaN],
    ]);
    expect(joinOn(trades, names, 'wallet', { kind: 'anti' }).values).toEqual([
      ['c', 'x', 4],
      [null, 'x', 5],
    ]);
  });

  test('never runs keys into each other, where danfo joins them as text', () => {
    const left = new DataFrame({ a: ['x_y'], b: ['z'], v: [1] });
    const right = new DataFrame({ a: ['x'], b: ['y_z'], w: [2] });
    expect(joinOn(left, right, ['a', 'b']).shape).toEqual([0, 4]);
    expect(joinOn(left, left, ['a', 'b']).values).toEqual([['x_y', 'z', 1, 1]]);
  });

  test('joins by columns of other names', () => {
    const labels = new DataFrame({ address: ['b'], wallet: ['cold'] });
    const joined = joinOn(trades, labels, { wallet: 'address' });
    expect(joined.columns).toEqual(['wallet', 'side', 'size', 'wallet_right']);
    expect(joined.values).toEqual([
      ['b', 'x', 1, 'cold'],
      ['b', 'x', 3, 'cold'],
    ]);
  });

  test('keeps what is known of columns and rows of both frames', () => {
    const [left, right] = [frameOf([{ text: 'a', number: 1, flag: true, money: 5n }]), frameOf([])];
    const query = { service: 'http://a', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 1 };
    setProvenance(left, [query]);
    setProvenance(right, [{ ...query, dataset: 586 }]);
    const joined = joinOn(left, right, 'text', { kind: 'left' });
    expect(rawRows(joined)).toEqual([['a', 1, true, 5n, Number.NaN, null, null]]);
    expect(columnsOf(joined).at(-1)).toEqual({
      ...{ name: 'money_right', dtype: 'float64', unit: 'USD', nullable: true, meaning: 'Money.' },
    });
    expect(provenanceOf(joined).map(({ dataset }) => dataset)).toEqual([569, 586]);
  });

  test('refuses keys of different kinds, columns that are not there, and names that clash again', () => {
    const numbered = new DataFrame({ wallet: [1, 2] });
    expect(() => joinOn(trades, numbered, 'wallet')).toThrow(
      'The column "wallet" holds text in one frame and numbers in another: convert one of them first.',
    );
    // @ts-expect-error A misspelt key.
    expect(() => joinOn(trades, names, 'walet')).toThrow('Did you mean "wallet"?');
    const clashing = new DataFrame({ wallet: ['a'], size: [1], size_right: [2] });
    expect(() => joinOn(clashing, names, 'wallet')).toThrow('The join would have two columns "size_right"');
    const mixed = new DataFrame({ wallet: [1, 'a'] });
    expect(() => joinOn(mixed, names, 'wallet')).toThrow('The column "wallet" mixes number and string values');
  });

  test('keeps the keys of right rows that no left one matches', () => {
    const outer = joinOn(trades, names, 'wallet', { kind: 'outer', suffix: '_of_name', validate: 'm:m' });
    expect(outer.values.slice(-2)).toEqual([
      [null, 'x', 5, null, Number.NaN],
      [null, null, Number.NaN, 'nobody', 6],
    ]);
    const labels = new DataFrame({ address: ['d', 'a'], label: ['cold', 'hot'] });
    const right = joinOn(trades, labels, { wallet: 'address' }, { kind: 'right' });
    expect(right.columns).toEqual(['wallet', 'side', 'size', 'label']);
    expect(right.values).toEqual([
      ['d', null, Number.NaN, 'cold'],
      ['a', 'y_z', 2, 'hot'],
    ]);
    expect(columnsOf(right).map(({ nullable }) => nullable)).toEqual([true, true, true, false]);
    expect(joinOn(trades, names, 'wallet', { kind: 'semi' }).values).toEqual([
      ['b', 'x', 1],
      ['a', 'y_z', 2],
      ['b', 'x', 3],
    ]);
  });

  test('checks how often a key stands on each side', () => {
    expect(() => joinOn(trades, names, 'wallet', { validate: 'm:1' })).toThrow(
      new ColumnError(
        `{ validate: 'm:1' } needs each key once in the right frame, but wallet "b" stands in its rows 1 and 2, counted from 0.`,
      ),
    );
    expect(() => joinOn(trades, names, 'wallet', { validate: '1:m' })).toThrow(
      'needs each key once in the left frame, but wallet "b" stands in its rows 0 and 2',
    );
    const once = new DataFrame({ wallet: ['a', null, null], x: [1, 2, 3] });
    expect(joinOn(once, once, 'wallet', { validate: '1:1' }).shape).toEqual([1, 3]);
    expect(() => joinOn(once, once, 'wallet', { validate: 'one' as '1:1' })).toThrow(
      'validate of joinOn must be one of 1:1, 1:m, m:1, m:m; got "one".',
    );
  });

  test('warns where rows of the frame whose order counts are multiplied, unless that is meant', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    joinOn(trades, names, 'wallet');
    joinOn(trades, names, 'wallet', { kind: 'right' });
    expect(warn.mock.calls).toEqual([
      [
        'joinOn: 2 rows of the left frame match several of the right one, so that the join has 5 rows, and sums of left ' +
          `columns count such rows more than once. Say { validate: 'm:m' } where that is meant; 'm:1' makes it an error.`,
        'OddslabWarning',
      ],
      [
        expect.stringMatching(/^joinOn: 2 rows of the right frame match several of the left one.*'m:m' } where/),
        'OddslabWarning',
      ],
    ]);
    warn.mockClear();
    joinOn(trades, names, 'wallet', { validate: 'm:m' });
    joinOn(trades, names, 'wallet', { kind: 'semi' });
    joinOn(names, new DataFrame({ wallet: ['a', 'b'] }), 'wallet');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test.each([
    ['left', '1:m', ['a', 'b', null, null], ['b', 'b', null]],
    ['left', 'm:m', ['a', 'b', 'c', 'c'], ['b', 'b', null]],
    ['right', 'm:1', ['b', 'b', null], ['a', 'b', null, null]],
    ['right', 'm:m', ['b', 'b', null], ['a', 'b', 'c', 'c']],
  ] as const)('a %s join that is %s is advised to say so, and passes as that', (kind, advised, mine, theirs) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const [left, right] = [mine, theirs].map(
      (wallet) => new DataFrame({ wallet: [...wallet], n: wallet.map(() => 1) }),
    );
    joinOn(left as DataFrame, right as DataFrame, 'wallet', { kind });
    const told = warn.mock.calls.map(([text]) => String(text));
    warn.mockRestore();
    const advice = told.map((text) => /Say \{ validate: '(.:.)' \}/.exec(text)?.[1]);
    expect(advice).toEqual([advised]);
    expect(() => joinOn(left as DataFrame, right as DataFrame, 'wallet', { kind, validate: advised })).not.toThrow();
    for (const other of ['1:1', '1:m', 'm:1'] as const) {
      if (other === advised) continue;
      expect(() => joinOn(left as DataFrame, right as DataFrame, 'wallet', { kind, validate: other })).toThrow(
        'needs each key once',
      );
    }
  });

  describe('of times with hours and days', () => {
    const fills = new DataFrame({ at: ['2026-01-05T14:30:00Z', '2026-01-06T00:00:00Z', null], size: [1, 2, 3] });
    const told = (frame: string, name: string, rows: string, other: string, days: string) =>
      `joinOn: "${name}" of the ${frame} frame holds times with hours in ${rows}, but "${days}" of the ${other} frame ` +
      `midnights alone, so that ${rows === '1 row' ? 'it matches' : 'they match'} nothing. To join by days, ` +
      `bucketBy(${frame}, '${name}', 'day', { as: 'day' }) adds the day of each time.`;

    function warningsOf(join: () => unknown): unknown[] {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      join();
      const texts = warn.mock.calls.map(([text]) => text);
      warn.mockRestore();
      return texts;
    }

    test.each([
      ['days', ['2026-01-05', '2026-01-06']],
      ['midnights', ['2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z']],
      ['dates', [new Date('2026-01-05'), new Date('2026-01-06')]],
    ])('warns in every kind of join, beside %s', (_, day) => {
      const days = new DataFrame({ day: day as (string | Date)[], pnl: [7, 8] });
      for (const kind of ['inner', 'left', 'right', 'outer', 'semi', 'anti'] as const) {
        const join = () => joinOn(fills, days, { at: 'day' }, { kind });
        expect(warningsOf(join), kind).toEqual([told('left', 'at', '1 row', 'right', 'day')]);
      }
      const other = () => joinOn(days, fills, { day: 'at' }, { kind: 'left' });
      expect(warningsOf(other)).toEqual([told('right', 'at', '1 row', 'left', 'day')]);
    });

    test('warns where the times are text in any form, and compares them as moments', () => {
      const text = new DataFrame({ at: ['2026-01-05 14:30', '2026-01-06 17:00+02'], size: [1, 2] });
      const days = new DataFrame({ at: ['2026-01-05 00:00', '2026-01-06 00:00'], pnl: [7, 8] });
      expect(warningsOf(() => joinOn(text, days, 'at'))).toEqual([told('left', 'at', '2 rows', 'right', 'at')]);
      const moments = new DataFrame({ at: ['2026-01-05 14:30:00Z', '2026-01-06 15:00Z', '2026-01-07 01:00Z'] });
      expect(joinOn(text, moments, 'at').values).toEqual([
        ['2026-01-05 14:30', 1],
        ['2026-01-06 17:00+02', 2],
      ]);
      expect(joinOn(text, moments, 'at', { kind: 'outer' }).values.at(-1)).toEqual(['2026-01-07 01:00Z', Number.NaN]);
    });

    test('says nothing where both hold hours or both days, one has no value, or the keys are no times', () => {
      const days = new DataFrame({ at: ['2026-01-05', '2026-01-06'] });
      const none = new DataFrame({ at: [null, null] });
      const names = new DataFrame({ at: ['T00:00:00Z', 'b'] });
      for (const [left, right] of [
        [fills, fills],
        [days, days],
        [fills, none],
        [none, days],
        [names, names],
      ])
        expect(warningsOf(() => joinOn(left as typeof fills, right as typeof fills, 'at'))).toEqual([]);
    });

    test('joins by days as it says', () => {
      const days = new DataFrame({ day: ['2026-01-05', '2026-01-06'], pnl: [7, 8] });
      const join = () => joinOn(bucketBy(fills, 'at', 'day', { as: 'day' }), days, 'day');
      expect(warningsOf(join)).toEqual([]);
      expect(join().column('pnl').values).toEqual([7, 8]);
    });
  });

  test('refuses more pairs than a frame can hold, before making them', () => {
    const many = new DataFrame({ key: new Array<number>(60_000).fill(1) });
    expect(() => joinOn(many, many, 'key')).toThrow('The join would have 3600000000 rows');
  });

  test('refuses more bytes than the machine has, before taking them', () => {
    const names = Array.from({ length: 30 }, (_, at) => `c${at}`);
    const key = new Array<number>(46_000).fill(1);
    const wide = new DataFrame(Object.fromEntries([['key', key], ...names.map((name) => [name, key])]));
    let refusal: unknown;
    try {
      joinOn(wide, wide, 'key');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(UsageError);
    expect(refusal).toHaveProperty(
      'message',
      expect.stringMatching(
        /^The join would have 2116000000 rows, which take 1049.5 GB of this machine's [\d.]+ GB: join by keys/,
      ),
    );
  });
});
