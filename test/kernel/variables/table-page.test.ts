import { tableFromArrays } from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { frameFromVectors } from '../../../src/frame/danfo/frame-from-vectors.js';
import { MISSING_MICROS } from '../../../src/frame/vector/vector.js';
import { DataFrame } from '../../../src/index.js';
import { tablePages } from '../../../src/kernel/variables/table-page.js';
import type { TablePage, TableRequest } from '../../../src/kernel/wire/variables.js';
import fc from '../../support/fast-check.js';

const page = (value: unknown, request: Partial<TableRequest> = {}): TablePage =>
  tablePages().page(value, { name: 'x', from: 0, count: 100, ...request });

const FRAME = new DataFrame({
  wallet: ['0xb', null, '0xa', '0xB'],
  pnl: [1234.5, Number.NaN, -3, 20],
  won: [true, false, null, true],
  date: ['2025-11-02T00:00:00Z', '2025-11-01T12:30:00Z', '2025-11-02T00:00:00Z', null],
} as never);

describe('a frame', () => {
  it('shows its values as its own HTML table does', () => {
    expect(page(FRAME)).toEqual({
      columns: [
        { name: 'wallet', type: 'string' },
        { name: 'pnl', type: 'float64' },
        { name: 'won', type: 'boolean' },
        { name: 'date', type: 'datetime' },
      ],
      rows: [
        ['0xb', '1,234.50', 'true', '2025-11-02 00:00'],
        ['', '', 'false', '2025-11-01 12:30'],
        ['0xa', '-3.00', '', '2025-11-02 00:00'],
        ['0xB', '20.00', 'true', ''],
      ],
      whole: [
        ['0xb', '1234.5', 'true', '2025-11-02T00:00:00Z'],
        ['', '', 'false', '2025-11-01T12:30:00Z'],
        ['0xa', '-3', '', '2025-11-02T00:00:00Z'],
        ['0xB', '20', 'true', ''],
      ],
      positions: [0, 1, 2, 3],
      total: 4,
      matched: 4,
    });
  });

  it.each([
    ['0xf442…31d2', [0]],
    [`0xf442${'a'.repeat(32)}31d2`, [0]],
    ['1,266.48', [0]],
    ['1266.47', [0]],
    ['2025-11-01 12:30', [1]],
  ])('is found by %j, as a cell is shown or as it is', (filter, positions) => {
    const wallets = [`0xf442${'a'.repeat(32)}31d2`, `0xf442${'b'.repeat(32)}31d3`];
    const frame = new DataFrame({
      wallet: wallets,
      pnl: [1266.479, 12.5],
      at: ['2025-11-02T00:00:00Z', '2025-11-01T12:30:00Z'],
    } as never);
    expect(page(frame).rows[0]?.slice(0, 2)).toEqual(['0xf442…31d2', '1,266.48']);
    expect(page(frame).whole[0]?.slice(0, 2)).toEqual([wallets[0], '1266.479']);
    expect(page(frame, { filter }).positions).toEqual(positions);
  });

  it.each([
    ['pnl', false, [2, 3, 0, 1]],
    ['pnl', true, [0, 3, 2, 1]],
    ['wallet', false, [3, 2, 0, 1]],
    ['wallet', true, [0, 2, 3, 1]],
    ['date', false, [1, 0, 2, 3]],
    ['date', true, [0, 2, 1, 3]],
    ['won', false, [1, 0, 3, 2]],
  ])('sorts by %s, descending %s: by value, stable, missing last', (column, descending, positions) => {
    expect(page(FRAME, { sort: { column, descending } }).positions).toEqual(positions);
  });

  it.each([
    ['0xb', [0, 3]],
    ['1234.5', [0]],
    ['2025-11-02', [0, 2]],
    ['true', [0, 3]],
    ['pnl > 5', [0, 3]],
    ['pnl>=20', [0, 3]],
    ['pnl = 1,234.5', [0]],
    ['pnl != 20', [0, 2]],
    ['wallet = "0xb"', [0]],
    ["wallet != '0xb'", [2, 3]],
    ['wallet < 0xb', [2, 3]],
    ['date > 2025-11-01', [0, 1, 2]],
    ['date >= 2025-11-02', [0, 2]],
    ['date = 2025-11-01 12:30', [1]],
    ['won = false', [1]],
    ['PNL > 5', [0, 3]],
    ['Won = true', [0, 3]],
    ['nothing like it', []],
    ['pnl', []],
    ['   ', [0, 1, 2, 3]],
  ])('keeps by the filter %j', (filter, positions) => {
    const answer = page(FRAME, { filter });
    expect(answer.positions).toEqual(positions);
    expect([answer.matched, answer.total]).toEqual([positions.length, 4]);
  });

  it.each([
    ['pnl > lots', 'The column "pnl" holds numbers: compare it with one, not with "lots".'],
    ['pnl > ', 'The comparison "pnl >" is not finished: a value is missing after it.'],
    ['wallet =', 'The comparison "wallet =" is not finished: a value is missing after it.'],
    ['zzz > 5', 'There is no column "zzz": there are wallet, pnl, won, date.'],
    [
      'date < soon',
      'The column "date" holds times: compare it with one such as 2025-11-05 or 2025-11-05T14:30:00Z, not with "soon".',
    ],
    ['won = 1', 'The column "won" holds true and false: compare it with one of them, not with "1".'],
  ])('refuses %s', (filter, message) => {
    expect(() => page(FRAME, { filter })).toThrow(message);
  });

  it.each([
    ['pnl > 5000', 'pnl holds -3 to 1234.5'],
    ['wallet = "0xC"', 'wallet holds "0xb", "0xa", "0xB"'],
    ['wallet = 0XA', 'wallet holds "0xa", "0xb", "0xB"'],
    ['date < 2025', 'date holds 2025-11-01T12:30:00Z to 2025-11-02T00:00:00Z'],
    ['zzz', 'no cell contains "zzz"'],
    ['empty > 1', 'empty holds no value'],
    ['one != 7', 'one holds 7'],
    ['many = "x"', 'many holds "a", "b", "c" and 1 more'],
  ])('says why %s leaves no row', (filter, why) => {
    const frame = new DataFrame({
      wallet: ['0xb', null, '0xa', '0xB'],
      pnl: [1234.5, Number.NaN, -3, 20],
      date: ['2025-11-02T00:00:00Z', '2025-11-01T12:30:00Z', '2025-11-02T00:00:00Z', null],
      empty: [Number.NaN, Number.NaN, Number.NaN, Number.NaN],
      one: [7, 7, 7, 7],
      many: ['a', 'b', 'c', 'd'],
    } as never);
    expect(page(frame, { filter })).toMatchObject({ matched: 0, total: 4, rows: [], why });
    expect(page(frame)).not.toHaveProperty('why');
    expect(page(frame, { filter: 'pnl > 5' })).not.toHaveProperty('why');
  });

  it('says which of true and false it holds, and shortens long texts', () => {
    const frame = new DataFrame({ won: [true, true], text: ['x'.repeat(80), 'y'] } as never);
    expect(page(frame, { filter: 'won = false' }).why).toBe('won holds true');
    expect(page(frame, { filter: 'text = "something"' }).why).toBe(`text holds "${'x'.repeat(59)}…", "y"`);
  });

  it('refuses what is not there', () => {
    expect(() => page(FRAME, { sort: { column: 'roi', descending: false } })).toThrow(
      'There is no column "roi" to sort by: there are wallet, pnl, won, date.',
    );
    for (const value of [5, null, 'text', {}, () => 1]) expect(() => page(value)).toThrow('"x" has no rows to show');
  });

  it('shows exact amounts to the last digit, and sorts them as doubles', () => {
    const values = BigInt64Array.of(9_007_199_254_740_993n, 5n, MISSING_MICROS, 9_007_199_254_740_992n);
    const columns = [{ name: 'cost', dtype: 'float64', nullable: true, meaning: '' }] as const;
    const exact = frameFromVectors(columns, [{ kind: 'micros', values }]);
    expect(page(exact).rows).toEqual([['9,007,199,254.740993'], ['0.000005'], [''], ['9,007,199,254.740992']]);
    expect(page(exact).whole).toEqual([['9007199254.740993'], ['0.000005'], [''], ['9007199254.740992']]);
    expect(page(exact, { sort: { column: 'cost', descending: false } }).positions).toEqual([1, 0, 3, 2]);
  });

  it('holds times of any form', () => {
    const times = new DataFrame({ at: ['2025-11-02', '2025-11-01T23:59:59.500Z', '2025-11-01T23:59:59Z'] });
    expect(page(times, { sort: { column: 'at', descending: false } }).positions).toEqual([2, 1, 0]);
    expect(page(times, { filter: 'at < 2025-11-01T23:59:59.5Z' }).positions).toEqual([2]);
  });

  it('without rows has its columns', () => {
    expect(page(new DataFrame([], { columns: ['a'] }))).toMatchObject({ rows: [], total: 0, matched: 0 });
  });
});

describe('other values', () => {
  it('keep a text that only looks like a comparison where a cell contains it', () => {
    const urls = [{ url: 'https://a/?page=2' }, { url: 'https://a/' }];
    expect(page(urls, { filter: 'page=2' }).positions).toEqual([0]);
    expect(() => page(urls, { filter: 'page=3' })).toThrow('There is no column "page": there are url.');
  });

  it('have columns whose names differ by case alone, each by its own', () => {
    const rows = [{ a: 1, A: 2 }];
    expect(page(rows, { filter: 'A = 2' }).positions).toEqual([0]);
    expect(page(rows, { filter: 'a = 2' }).positions).toEqual([]);
  });

  const getter = Object.defineProperty({ a: 1 }, 'b', {
    enumerable: true,
    get: () => {
      throw new Error('ran');
    },
  });

  it.each([
    [
      'an array of objects',
      [
        { a: 1, b: 'x' },
        { b: 'y', c: null },
      ],
      ['a', 'b', 'c'],
      [
        ['1', 'x', ''],
        ['', 'y', ''],
      ],
    ],
    ['one whose getters are not run', [getter], ['a', 'b'], [['1', '(getter)']]],
    [
      'an array of arrays',
      [[1, 2], [3]],
      ['0', '1'],
      [
        ['1', '2'],
        ['3', ''],
      ],
    ],
    ['an array of numbers', [3, Number.NaN], ['value'], [['3'], ['']]],
    ['a typed array', new Uint8Array([7]), ['value'], [['7']]],
    ['a map', new Map([['k', { z: 1 }]]), ['0', '1'], [['k', '{ z: 1 }']]],
    ['a set', new Set(['s']), ['value'], [['s']]],
    [
      'what gives rows',
      {
        *[Symbol.iterator]() {
          yield { toJSON: () => ({ q: 5n }) };
        },
      },
      ['q'],
      [['5']],
    ],
  ])('%s', (_, value, columns, rows) => {
    const answer = page(value);
    expect(answer.columns.map(({ name }) => name)).toEqual(columns);
    expect(answer.rows).toEqual(rows);
  });

  it('a table of Arrow, by its rows', () => {
    const answer = page(tableFromArrays({ wallet: ['0xa', '0xb'], pnl: [1.5, -2] }), {
      sort: { column: 'pnl', descending: false },
    });
    expect([answer.columns.map(({ name }) => name), answer.rows]).toEqual([
      ['wallet', 'pnl'],
      [
        ['0xb', '-2'],
        ['0xa', '1.5'],
      ],
    ]);
  });

  it('leaves alone what is used up by looking at it', () => {
    const rows = [1, 2].values();
    expect(() => page(rows)).toThrow('has no rows to show');
    expect([...rows]).toEqual([1, 2]);
  });

  it('sorts dates by time and mixed kinds as text', () => {
    const dates = [new Date(2e12), null, new Date(1e12)];
    expect(page(dates, { sort: { column: 'value', descending: false } }).positions).toEqual([2, 0, 1]);
    expect(page([10, '9', true], { sort: { column: 'value', descending: false } }).rows).toEqual([
      ['10'],
      ['9'],
      ['true'],
    ]);
  });
});

describe('any table', () => {
  it('is the same, cut into pages', () => {
    const cell = fc.oneof(fc.integer(), fc.constant(Number.NaN));
    fc.assert(
      fc.property(fc.array(cell), fc.integer({ min: 1, max: 7 }), fc.boolean(), (values, count, descending) => {
        const { page: at } = tablePages();
        const rows = values.map((a) => ({ a }));
        const sort = { column: 'a', descending };
        if (rows.length === 0) return;
        const pages: number[] = [];
        for (let from = 0; from < rows.length; from += count)
          pages.push(...at(rows, { name: 'x', from, count, sort }).positions);
        const sign = descending ? -1 : 1;
        const expected = [...values.keys()].sort((one, two) => {
          const [a, b] = [values[one] ?? 0, values[two] ?? 0];
          if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || one - two;
          return sign * (a - b) || one - two;
        });
        expect(pages).toEqual(expected);
      }),
    );
  });

  it('is forgotten once it may have changed', () => {
    const pages = tablePages();
    const rows = [{ a: 2 }, { a: 1 }];
    const ask = { name: 'x', from: 0, count: 9, sort: { column: 'a', descending: false } };
    expect(pages.page(rows, ask).rows).toEqual([['1'], ['2']]);
    rows.push({ a: 0 });
    pages.forget();
    expect(pages.page(rows, ask).rows).toEqual([['0'], ['1'], ['2']]);
  });
});
