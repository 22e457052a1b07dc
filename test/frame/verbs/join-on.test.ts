import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
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
