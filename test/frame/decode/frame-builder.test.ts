import { describe, expect, test } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import type { Column, RecordOf } from '../../../src/contract/definition.js';
import { jsonPieces } from '../../../src/frame/csv/json-lines.js';
import { toCsv } from '../../../src/frame/csv/to-csv.js';
import { parseJson } from '../../../src/frame/decode/decode-records.js';
import { FrameBuilder } from '../../../src/frame/decode/frame-builder.js';
import { frameFromRecords } from '../../../src/frame/decode/frame-from-records.js';
import { column, recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import fc from '../../support/fast-check.js';

const COLUMNS = [
  { name: 'date', dtype: 'datetime', nullable: true, alias: 'day', meaning: 'First moment.' },
  { name: 'wallet', dtype: 'string', nullable: false, meaning: 'Address.' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, decimal: true, meaning: 'Profit.' },
  { name: 'trades', dtype: 'int32', nullable: false, meaning: 'Fills.' },
  { name: 'closed', dtype: 'boolean', nullable: true, meaning: 'Whether closed.' },
] as const satisfies readonly Column[];

const RECORD = { date: '2025-11-01T00:00:00Z', wallet: '0x1', pnl: '1.5', trades: 3, closed: true };

const textOf = (records: readonly object[]) => new TextEncoder().encode(JSON.stringify(records));

const build = (...records: object[]) => frameFromRecords<RecordOf<typeof COLUMNS>>(COLUMNS, records);

describe('known columns', () => {
  test('are read by key, from numbers and decimal text alike, with what is missing', () => {
    const frame = build(
      RECORD,
      { trades: '4', pnl: -2, closed: null, wallet: '0x2', day: '2025-11-02' },
      { wallet: '', trades: 0, pnl: '', date: '2025-11-05 14:30:00+02' },
    );
    expect(frame.columns).toEqual(['date', 'wallet', 'pnl', 'trades', 'closed']);
    expect(frame.dtypes).toEqual(['string', 'string', 'float32', 'int32', 'boolean']);
    expect(frame.values).toEqual([
      ['2025-11-01T00:00:00Z', '0x1', 1.5, 3, true],
      ['2025-11-02', '0x2', -2, 4, null],
      ['2025-11-05T12:30:00Z', '', Number.NaN, 0, null],
    ]);
    expect(columnsOf(frame)).toEqual(COLUMNS);
    expect(columnsOf(frame.head(2).sortValues('pnl'))).toEqual(COLUMNS);
  });

  test('take true and false as text in the forms that filters are sent in, and no other', () => {
    const texts = ['True', 'true', 'False', 'false'];
    const frame = build(...texts.map((closed) => ({ ...RECORD, closed })));
    expect(column(frame, 'closed')).toEqual([true, true, false, false]);
    for (const closed of ['TRUE', 'yes', '1', 1, 0]) {
      expect(() => build({ ...RECORD, closed })).toThrow(/closed.*true or false/);
    }
  });

  test('keep every bit of a double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        const text = value.toFixed(20).replace(/\.?0+$/, '') || '0';
        expect(column(build({ ...RECORD, pnl: text }), 'pnl')[0]).toBe(Number(text));
        expect(column(build({ ...RECORD, pnl: value }), 'pnl')[0]).toBe(value);
      }),
    );
  });

  test('of no records make an empty frame with all columns and dtypes', () => {
    const frame = new FrameBuilder(COLUMNS).build();
    expect(frame.shape).toEqual([0, 5]);
    expect(frame.dtypes).toEqual(['string', 'string', 'float32', 'int32', 'boolean']);
    expect(column(frame, 'pnl')).toEqual(new Float64Array(0));
    expect(column(frame, 'wallet')).toEqual([]);
    expect(columnsOf(frame)).toEqual(COLUMNS);
  });

  test.each(['1e5', '1E+2', '1e-7', '-2.50e3', '1.5e-324', '0e0', '-0e9'])(
    'take %s in text as in a number',
    (digits) => {
      const column = {
        name: 'pnl',
        dtype: 'float64',
        unit: 'USD',
        nullable: false,
        decimal: true,
        meaning: '',
      } as const;
      const pages = [`[{"pnl":"${digits}"}]`, `[{"pnl":${digits}}]`].map((text) => {
        const builder = new FrameBuilder([column]);
        builder.appendText(new TextEncoder().encode(text));
        return recordsOf(builder.build());
      });
      expect(pages).toEqual([[{ pnl: Number(digits) }], [{ pnl: Number(digits) }]]);
    },
  );

  test('take text with an exponent as an integer where it is one', () => {
    const count: Column = { name: 'trades', dtype: 'int32', nullable: false, meaning: '' };
    const builder = new FrameBuilder([count]);
    builder.append([{ trades: '1.5e1' }]);
    expect(recordsOf(builder.build())).toEqual([{ trades: 15 }]);
    expect(() => new FrameBuilder([count]).append([{ trades: '1e-1' }])).toThrow(
      '"trades" is "1e-1"; it should be an integer',
    );
  });

  test.each([
    ['pnl', 'NaN', '"NaN"'],
    ['pnl', '0x10', '"0x10"'],
    ['pnl', '1e', '"1e"'],
    ['pnl', 'e5', '"e5"'],
    ['pnl', '1e400', '"1e400"'],
    ['pnl', '12abc', '"12abc"'],
    ['pnl', ' 1', '" 1"'],
    ['pnl', '1,000', '"1,000"'],
    ['pnl', '+1', '"+1"'],
    ['pnl', '01', '"01"'],
    ['pnl', 'Infinity', '"Infinity"'],
    ['pnl', '9'.repeat(400), `"${'9'.repeat(76)}…`],
    ['pnl', true, 'true'],
    ['pnl', [1], '[1]'],
    ['trades', 1.5, '1.5'],
    ['trades', '', '""'],
    ['trades', null, 'null'],
    ['trades', '99999999999999999999', '"99999999999999999999"'],
    ['wallet', 12, '12'],
    ['wallet', null, 'null'],
    ['closed', 'yes', '"yes"'],
    ['date', '2025-13-01', '"2025-13-01"'],
    ['date', 1762000000, '1762000000'],
  ])('refuse %s: %j', (field, value, shown) => {
    const builder = new FrameBuilder(COLUMNS);
    builder.append([RECORD]);
    const page = [RECORD, { ...RECORD, [field]: value }];
    expect(() => builder.append(page)).toThrow(AnswerError);
    const again = new FrameBuilder(COLUMNS);
    again.append([RECORD]);
    const message = `Page 2, row 2: the field "${field}" is ${shown}; it should be `;
    expect(() => again.append(page)).toThrow(message);
    const scanning = new FrameBuilder(COLUMNS);
    scanning.appendText(textOf([RECORD]));
    expect(() => scanning.appendText(textOf(page))).toThrow(message);
  });

  test('refuse numbers that JSON does not have, and NaN where a value has to be', () => {
    const required = COLUMNS.map((each) => ({ ...each, nullable: false }));
    expect(() => frameFromRecords(required, [{ ...RECORD, pnl: Number.NaN }])).toThrow(
      'Page 1, row 1: the field "pnl" is NaN;',
    );
    expect(() => build({ ...RECORD, trades: Number.POSITIVE_INFINITY })).toThrow('the field "trades" is Infinity;');
    const text = new TextEncoder().encode('[{"wallet":"0x1","trades":1,"pnl":1e400}]');
    expect(() => new FrameBuilder(COLUMNS).appendText(text)).toThrow('Page 1, row 1: the field "pnl" is "1e400";');
  });

  test('refuse records that lack a required field or are no objects', () => {
    expect(() => build({ ...RECORD, wallet: undefined })).toThrow('row 1: the field "wallet" is missing');
    expect(() => frameFromRecords(COLUMNS, [RECORD, 'no'])).toThrow('Page 1, row 2 is "no" where a record');
  });
});

describe('numbers that a double does not hold', () => {
  const long = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
  const built = (text: string, columns: readonly Column[] = []) => {
    const builder = new FrameBuilder(columns);
    builder.appendText(new TextEncoder().encode(text));
    return builder.build();
  };

  test('are text where the shape is not known', () => {
    const fields = `"count":1,"token":${long},"user":9007199254740993,"huge":1e400,"noisy":0.30000000000000004`;
    const text = `[{${fields},"in":{"a":[-${long}]},"near":0.1}, {"near":-0.12345678901234567890}]`;
    const record = {
      count: 1,
      token: long,
      user: '9007199254740993',
      huge: '1e400',
      noisy: 0.30000000000000004,
      in: `{"a":["-${long}"]}`,
      near: '0.1',
    };
    const frame = built(text);
    expect(Object.fromEntries(frame.columns.map((name, at) => [name, frame.values[0]?.[at]]))).toEqual(record);
    expect(frame.values[1]?.at(-1)).toBe('-0.12345678901234567890');
    expect(columnsOf(frame).map(({ dtype }) => dtype)).toEqual([
      'int32',
      'string',
      'string',
      'string',
      'float64',
      'string',
      'string',
    ]);
    const behind = built(
      text.replaceAll('{"', `{"wallet":"0x1","trades":1,"`).replace('{"wallet":"0x1","trades":1,"a"', '{"a"'),
      COLUMNS,
    );
    expect(behind.values.map((row) => row.slice(5))).toEqual(frame.values);
  });

  test.each([
    ['1.2345678901234567e-7', 'float64'],
    ['0.12345678901234568', 'float64'],
    ['-12345678901234.567', 'float64'],
    ['1234567890123456e-3', 'float64'],
    ['0.10000000000000000555', 'float64'],
    ['0.123456789012345678', 'string'],
    ['1234567890123456', 'string'],
    ['1e400', 'string'],
  ])('beside others, as %s is, make a column of %s', (digits, dtype) => {
    const frame = built(`[{"c":${digits}},{"c":2}]`);
    expect(columnsOf(frame)[0]?.dtype).toBe(dtype);
    expect(frame.values[0]).toEqual([dtype === 'string' ? digits : Number(digits)]);
  });

  test('are read by the rules of a column that is known', () => {
    const read = (pnl: string) => column(built(`[{"wallet":"0x1","trades":1,"pnl":${pnl}}]`, COLUMNS), 'pnl')[0];
    for (const pnl of [
      long,
      `-${long}.5`,
      '9007199254740993',
      '1.2345678901234567890e5',
      '12345678901234567E-30',
      '1e-400',
    ]) {
      expect(read(pnl)).toBe(Number(pnl));
    }
    const trades = (text: string) => built(`[{"wallet":"0x1","trades":${text}}]`, COLUMNS);
    expect(column(trades('9007199254740991'), 'trades')[0]).toBe(9007199254740991);
    expect(() => trades('9007199254740993')).toThrow('row 1: the field "trades" is "9007199254740993"; it should be');
  });

  test('keep their value, and all other JSON is as JSON.parse has it', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 40 });
    const literal = fc
      .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.option(fc.integer({ min: -30, max: 30 })))
      .map(([sign, whole, fraction, power]) => {
        const plain = `${sign}${whole.replace(/^0+(?=\d)/, '')}${fraction === null ? '' : `.${fraction}`}`;
        return power === null ? plain : `${plain}e${power}`;
      });
    fc.assert(
      fc.property(literal, fc.boolean(), (text, keepsAll) => {
        const value = parseJson(text, keepsAll);
        expect(Number(value)).toBe(Number(text));
        if (typeof value !== 'number') return;
        const significant = text.replace(/e.*|[-.]/g, '').replace(/^0+|0+$/g, '');
        if (significant === '') return;
        if (!keepsAll && significant.length <= 17) return;
        const mantissa = value.toExponential(Math.max(0, significant.length - 1)).replace(/e.*|[-.]/g, '');
        expect(mantissa).toBe(significant);
        if (keepsAll) expect(significant.length).toBeLessThanOrEqual(15);
      }),
      { numRuns: 2000 },
    );
    const others = fc.json().filter((text) => !/\d{16}/.test(text));
    fc.assert(
      fc.property(others, (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    const inside = '{"a:12345678901234567890":"x\\", 12345678901234567890","b":[12345678901234567890]}';
    expect(parseJson(inside)).toEqual({
      'a:12345678901234567890': 'x", 12345678901234567890',
      b: ['12345678901234567890'],
    });
    expect(() => parseJson('{12345678901234567890:1}')).toThrow(SyntaxError);
    expect(() => parseJson('[01234567890123456789]')).toThrow(SyntaxError);
  });
});

describe('fields that are no known column', () => {
  test('are inferred over all rows', () => {
    const long = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
    const rows = Array.from({ length: 30 }, (_, row) => ({
      count: row,
      price: `0.${row + 1}`,
      token: long,
      id: row,
      event_id: `${row}`,
      late: row < 29 ? row : 'n/a',
      mixed: row % 2 ? row : `${row}`,
      flag: row > 3,
      at: '2025-11-01T00:00:00Z',
      sparse: row === 29 ? 1.5 : undefined,
      tags: ['a'],
      none: null,
      hex: '0x10',
      blank: '',
      padded: '007',
    }));
    const frame = frameFromRecords([], rows);
    const dtypes = Object.fromEntries(columnsOf(frame).map(({ name, dtype }) => [name, dtype]));
    expect(dtypes).toEqual({
      count: 'int32',
      price: 'float64',
      token: 'string',
      id: 'string',
      event_id: 'string',
      late: 'string',
      mixed: 'string',
      flag: 'boolean',
      at: 'datetime',
      sparse: 'float64',
      tags: 'string',
      none: 'string',
      hex: 'string',
      blank: 'string',
      padded: 'string',
    });
    const last = Object.fromEntries(frame.columns.map((name, at) => [name, frame.values[29]?.[at]]));
    expect(last).toMatchObject({
      price: 0.3,
      token: long,
      id: '29',
      late: 'n/a',
      mixed: `${29}`,
      sparse: 1.5,
      none: null,
    });
    expect(frame.values[0]?.[frame.columns.indexOf('tags')]).toBe('["a"]');
    expect(frame.values[0]?.[frame.columns.indexOf('sparse')]).toBeNaN();
  });

  test('stand behind the known columns', () => {
    const frame = build(RECORD, { ...RECORD, added: 'x' });
    expect(frame.columns).toEqual([...COLUMNS.map(({ name }) => name), 'added']);
    expect(frame.values.map((row) => row[5])).toEqual([null, 'x']);
  });

  test('may be named like members of objects', () => {
    const frame = frameFromRecords([], [JSON.parse('{"__proto__":1,"constructor":2,"size":3}'), { a: 1 }]);
    expect(frame.columns).toEqual(['__proto__', 'constructor', 'size', 'a']);
    expect(frame.values).toEqual([
      [1, 2, 3, Number.NaN],
      [Number.NaN, Number.NaN, Number.NaN, 1],
    ]);
    expect(column(frame, '__proto__')).toEqual(Float64Array.of(1, Number.NaN));
    expect(frame.size).toBe(8);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});

test('any split of records into pages gives the same frame', () => {
  const value = fc.oneof(fc.integer(), fc.constantFrom('1.5', 'x', '', null, true, 2.5), fc.string());
  const record = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'size', 'id'), value, { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), fc.array(fc.nat(6), { maxLength: 8 }), (records, sizes) => {
      const whole = frameFromRecords([], records);
      const builder = new FrameBuilder([]);
      let at = 0;
      for (const size of sizes) {
        builder.append(records.slice(at, at + size));
        at += size;
      }
      builder.append(records.slice(at));
      const paged = builder.build();
      expect(paged.columns).toEqual(whole.columns);
      expect(columnsOf(paged)).toEqual(columnsOf(whole));
      expect(paged.values).toEqual(whole.values);
    }),
  );
});

test('a strict builder refuses fields that are no column', () => {
  const page = [RECORD, { ...RECORD, added: 'x' }];
  const message =
    'Page 1, row 2: the field "added" is "x", but it is no column of the dataset. ' +
    'Its columns: date, wallet, pnl, trades, closed.';
  expect(() => new FrameBuilder(COLUMNS, { strict: true }).append(page)).toThrow(message);
  expect(() => new FrameBuilder(COLUMNS, { strict: true }).appendText(textOf(page))).toThrow(message);
});

test('another text than one is looked for in the last rows alone, whatever its case', () => {
  const builder = new FrameBuilder(COLUMNS, { key: ['wallet'] });
  builder.append([RECORD]);
  builder.append([{ ...RECORD, wallet: '0xAb' }]);
  expect(builder.otherText('wallet', '0xaB', 1)).toBeUndefined();
  expect(builder.otherText('wallet', '0xaB', 2)).toBe('0x1');
});

describe('what is taken', () => {
  test('are the rows since the last time, and fields that are no column as they were sent', () => {
    const builder = new FrameBuilder(COLUMNS);
    builder.append([RECORD, { ...RECORD, wallet: '0x2', added: 1.5, more: '01' }]);
    const first = builder.take();
    expect(first.columns).toEqual(['date', 'wallet', 'pnl', 'trades', 'closed', 'added', 'more']);
    expect(first.values.map((row) => row.slice(1))).toEqual([
      ['0x1', 1.5, 3, true, null, null],
      ['0x2', 1.5, 3, true, 1.5, '01'],
    ]);
    expect(builder.rows).toBe(0);
    builder.appendText(textOf([{ ...RECORD, wallet: '0x3', closed: null, added: { deep: 1 } }]));
    expect(builder.rows).toBe(1);
    const second = builder.take();
    expect(second.columns).toEqual(first.columns);
    expect(second.values.map((row) => row.slice(1))).toEqual([['0x3', 1.5, 3, null, '{"deep":1}', null]]);
    expect(builder.take().shape).toEqual([0, 7]);
    expect(() => builder.append([{}])).toThrow('Page 3, row 1');
    expect(first.values[0]?.[1]).toBe('0x1');
  });

  test('are written as they were sent, whatever their kinds', () => {
    const builder = new FrameBuilder([]);
    const text = `[{"n":0,"b":true,"t":"x","id":12345678901234567890},{"n":"1","b":null,"t":[1],"id":1e400},{"n":2.50}]`;
    builder.appendText(new TextEncoder().encode(text));
    const frame = builder.take();
    expect(vectorsOf(frame)).toEqual([
      { kind: 'mixed', cells: [0, '1', 2.5] },
      { kind: 'mixed', cells: [true, null, null] },
      { kind: 'mixed', cells: ['x', '[1]', null] },
      { kind: 'mixed', cells: ['12345678901234567890', '1e400', null] },
    ]);
    expect(Buffer.concat([...jsonPieces(frame, '\n')].map((piece) => piece.slice())).toString()).toBe(
      '{"n":0,"b":true,"t":"x","id":"12345678901234567890"}\n' +
        '{"n":"1","b":null,"t":"[1]","id":"1e400"}\n' +
        '{"n":2.5,"b":null,"t":null,"id":null}\n',
    );
    expect(toCsv(frame)).toBe('n,b,t,id\n0,true,x,12345678901234567890\n"1",,[1],1e400\n2.5,,,\n');
  });

  test('carries no words but its own', () => {
    const builder = new FrameBuilder(COLUMNS, { key: ['wallet'] });
    builder.append([RECORD, { ...RECORD, wallet: '0x2' }]);
    builder.take();
    builder.append([
      { ...RECORD, wallet: '0x3' },
      { ...RECORD, wallet: '0x2' },
    ]);
    expect(vectorsOf(builder.take())[1]).toEqual({
      kind: 'text',
      codes: Int32Array.of(0),
      words: ['0x3'],
      distinct: true,
    });
  });
});

test('a hundred thousand records become a frame', () => {
  const records = Array.from({ length: 100_000 }, (_, row) => ({ ...RECORD, pnl: `${row}.25`, trades: row }));
  const frame = build(...records.slice(0, 1));
  expect(frame.shape).toEqual([1, 5]);
  const large = frameFromRecords<RecordOf<typeof COLUMNS>>(COLUMNS, records);
  expect(large.shape).toEqual([100_000, 5]);
  expect(column(large, 'pnl').reduce((sum, value) => sum + value, 0)).toBe(99_999 * 50_000 + 25_000);
  expect(large.tail(1).values).toEqual([['2025-11-01T00:00:00Z', '0x1', 99999.25, 99999, true]]);
});
