import { describe, expect, test } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { parsePage } from '../../../src/frame/decode/decode-records.js';
import { FrameBuilder, type FrameBuilderOptions } from '../../../src/frame/decode/frame-builder.js';
import { PageScanner } from '../../../src/frame/decode/page-scanner.js';
import { RowStore } from '../../../src/frame/decode/row-store.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import type { DataFrame } from '../../../src/frame/tabular/data-frame.js';
import { vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { cellAt } from '../../../src/frame/vector/vector.js';
import fc, { cases } from '../../support/fast-check.js';

const COLUMNS: readonly Column[] = [
  { name: 'date', dtype: 'datetime', nullable: true, alias: 'day', meaning: 'First moment.' },
  { name: 'wallet', dtype: 'string', nullable: false, meaning: 'Address.' },
  { name: 'pnl', dtype: 'float64', unit: 'USD', nullable: true, decimal: true, meaning: 'Profit.' },
  { name: 'note', dtype: 'string', nullable: true, meaning: 'Anything.' },
  { name: 'trades', dtype: 'int32', nullable: false, meaning: 'Fills.' },
  { name: 'closed', dtype: 'boolean', nullable: true, meaning: 'Whether closed.' },
];

const RECORD = { date: '2025-11-01T00:00:00Z', wallet: '0x1', pnl: '1.5', note: 'a', trades: 3, closed: true };

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Names, descriptions and all cells of a frame: what must be the same whichever way it was read. */
function contentOf(frame: DataFrame) {
  const rows = frame.shape[0] ?? 0;
  const columns = vectorsOf(frame).map((vector) => Array.from({ length: rows }, (_, row) => cellAt(vector, row)));
  return { names: frame.columns, described: columnsOf(frame), columns };
}

/** What a way of reading gives: a frame's content, or the message of its error, which must be an AnswerError. */
function outcome(read: (builder: FrameBuilder) => void, options?: FrameBuilderOptions) {
  const builder = new FrameBuilder(COLUMNS, options);
  try {
    read(builder);
    return contentOf(builder.build());
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return error.message;
  }
}

const scanned = (pages: readonly Uint8Array[], options?: FrameBuilderOptions) =>
  outcome((builder) => {
    for (const page of pages) builder.appendText(page);
  }, options);

const parsed = (pages: readonly Uint8Array[], options?: FrameBuilderOptions) =>
  outcome((builder) => {
    for (const [at, page] of pages.entries()) builder.append(parsePage(page, at + 1, options?.exact));
  }, options);

/** Whether the scanner reads a page by itself, without leaving it to JSON.parse. */
const isScanned = (text: string, { strict = false, exact = false } = {}) =>
  new PageScanner(new RowStore(COLUMNS, [], { strict, exact })).scan(bytesOf(text));

const blank = fc.constantFrom('', '', '', ' ', '\n  ', '\t\r\n');

/** A text as a JSON string, some of its characters written as escapes. */
const quoted = (text: string, escaped: readonly boolean[]) =>
  `"${Array.from({ length: text.length }, (_, at) =>
    escaped[at % escaped.length]
      ? `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
      : JSON.stringify(text.charAt(at)).slice(1, -1),
  ).join('')}"`;

const string = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(
      text,
      fc.oneof(
        { weight: 4, arbitrary: fc.constant<boolean[]>([false]) },
        { weight: 1, arbitrary: fc.array(fc.boolean(), { minLength: 1 }) },
      ),
    )
    .map(([value, escaped]) => (escaped.includes(true) ? quoted(value, escaped) : JSON.stringify(value)));

const anyText = fc.oneof(
  fc.constantFrom(
    '0x1',
    '0x2',
    `0x${'a'.repeat(40)}`,
    `0x${'a'.repeat(39)}b`,
    '',
    'Zürich',
    '😀',
    '\ud800',
    '\ufffd',
    'a"b\\',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 30 }),
);

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(12))
  .chain(([minus, digits, places]) => {
    const text = `${digits}`.padStart(places + 1, '0');
    const point = text.length - places;
    const plain = `${minus ? '-' : ''}${text.slice(0, point)}${places > 0 ? `.${text.slice(point)}` : ''}`;
    return fc.constantFrom(plain, `"${plain}"`);
  });

const valuesOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: fc.oneof(
    fc.constantFrom('null', '""', '"2025-11-05 14:30:00+02"', '"2025-11-05T12:30:00Z"', '"2025-11-05"'),
    fc.nat(400).map((day) => `"${new Date(day * 86_400_000).toISOString()}"`),
  ),
  wallet: string(anyText),
  pnl: fc.oneof(
    decimal,
    fc.constantFrom(
      'null',
      '""',
      '9007199254740.993',
      '1e-400',
      '1.2345678901234567890e5',
      '1e5',
      '-1.25E-3',
      '0',
      '-0',
      '"-0.00"',
      '"1e5"',
      '"1.5E-6"',
      '12345678901234567890.5',
      '"1\\u0030"',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  ),
  note: fc.oneof(fc.constant('null'), string(anyText)),
  trades: fc.oneof(
    fc.integer().map(String),
    fc.nat().map((value) => `"${value}"`),
    fc.constantFrom('1e3', '"3.0"', '2.0', '9007199254740991', '9007199254740993'),
  ),
  closed: fc.constantFrom('true', 'false', 'null', '""'),
};

const extras = fc.array(
  fc.tuple(fc.constantFrom('added', 'size', '__proto__', '7', 'é'), fc.oneof(fc.json(), string(anyText))),
  { maxLength: 2 },
);

/** A record as JSON: known fields in some order, some missing, some under another name, and fields that are no column. */
const record = fc
  .tuple(
    fc.record(valuesOf),
    fc.oneof(fc.constant<string[]>([]), fc.subarray(['date', 'pnl', 'note', 'closed'])),
    fc.boolean(),
    fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: extras }),
    fc.option(fc.infiniteStream(fc.nat()), { freq: 3 }),
    fc.oneof(fc.constant(['', '', '']), fc.tuple(blank, blank, blank)),
  )
  .map(([values, missing, isAlias, added, order, [a, b, c]]) => {
    const known = Object.entries(values).filter(([name]) => !missing.includes(name));
    const named = known.map(([name, value]) => [name === 'date' && isAlias ? 'day' : name, value] as const);
    const fields = [...named, ...new Map(added)];
    if (order) fields.sort(() => ((order.next().value ?? 0) % 2 === 0 ? 1 : -1));
    return `{${a}${fields.map(([name, value]) => `${b}"${name}"${c}:${b}${value}${c}`).join(',')}}`;
  });

const page = fc
  .tuple(fc.array(record, { maxLength: 8 }), blank, blank)
  .map(([records, a, b]) => `${a}[${b}${records.join(`${a},${b}`)}${a}]${b}`);

describe('scanning text and parsing it give the same', () => {
  test('for pages however they are written', () => {
    let scannedAlone = 0;
    const seen: unknown[] = [];
    fc.assert(
      fc.property(fc.array(page, { maxLength: 3 }), fc.boolean(), fc.boolean(), (texts, exact, strict) => {
        const pages = texts.map(bytesOf);
        const options = { exact, strict };
        const result = scanned(pages, options);
        expect(result).toEqual(parsed(pages, options));
        seen.push(typeof result);
        if (texts.some((text) => text.includes('{') && isScanned(text))) scannedAlone += 1;
      }),
      { numRuns: cases(1500) },
    );
    // The law says something only if both outcomes come up, and the scanner does read such pages.
    expect(seen.filter((kind) => kind === 'object').length).toBeGreaterThan(seen.length / 5);
    expect(seen).toContain('string');
    expect(scannedAlone).toBeGreaterThan(seen.length / 5);
  });

  test('for damaged pages, where both refuse or neither', () => {
    const edit = fc.tuple(
      fc.constantFrom('flip', 'cut', 'insert', 'double', 'drop'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom(...'{}[]",:\\0-+.eE nt', '\u0000', '\u007f', 'é', '""', ',"pnl":1', '\ufeff'),
    );
    fc.assert(
      fc.property(page, fc.array(edit, { minLength: 1, maxLength: 3 }), (text, edits) => {
        let bytes = bytesOf(text);
        for (const [kind, place, bits, added] of edits) {
          const at = place % (bytes.length + 1);
          const [head, tail] = [bytes.slice(0, at), bytes.slice(at)];
          if (kind === 'flip' && tail[0] !== undefined) tail[0] ^= bits;
          const middle = kind === 'insert' ? bytesOf(added) : kind === 'double' ? tail.slice(0, bits) : [];
          const rest = kind === 'cut' ? [] : kind === 'drop' ? tail.slice(1) : tail;
          bytes = Uint8Array.of(...head, ...middle, ...rest);
        }
        expect(scanned([bytes])).toEqual(parsed([bytes]));
      }),
      { numRuns: cases(4000) },
    );
  });

  test('for any split into pages', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), fc.array(fc.nat(5), { maxLength: 5 }), (records, sizes) => {
        const pages: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) {
          pages.push(bytesOf(`[${records.slice(at, at + size).join(',')}]`));
          at += size;
        }
        pages.push(bytesOf(`[${records.slice(at).join(',')}]`));
        const whole = scanned([bytesOf(`[${records.join(',')}]`)]);
        const split = scanned(pages);
        if (typeof whole === 'string') expect(typeof split).toBe('string');
        else expect(split).toEqual(whole);
      }),
    );
  });

  test('for a page that is a part of a larger buffer', () => {
    const text = JSON.stringify([RECORD, RECORD]);
    const body = bytesOf(`{"é":${text}}`);
    const part = body.subarray(6, body.length - 1);
    expect(scanned([part])).toEqual(scanned([bytesOf(text)]));
  });
});

describe('the scanner by itself reads', () => {
  const { date, trades, ...others } = RECORD;
  test.each([
    ['records alike', [RECORD, { ...RECORD, pnl: '-2.25', wallet: '0x2' }, RECORD]],
    ['another order of keys, and an alias', [{ trades, day: date, ...others }, RECORD]],
    [
      'missing values',
      [
        { ...RECORD, date: null, pnl: '', note: '', closed: null },
        { wallet: '', trades: 0 },
      ],
    ],
    [
      'numbers as text and as numbers',
      [
        { ...RECORD, pnl: -2.5, trades: '4' },
        { ...RECORD, pnl: 1e300 },
      ],
    ],
    ['a whole number with a point', [{ ...RECORD, trades: '3.0' }]],
    ['digits beyond a double', [{ ...RECORD, pnl: '123456789012345678901234567890' }]],
    ['one digit more than a double holds', [{ ...RECORD, pnl: '900720031.9230113' }]],
    ['times of other forms', [{ ...RECORD, date: '2025-11-05 14:30:00+02' }, RECORD]],
    ['characters beyond ASCII, and escapes', [{ ...RECORD, wallet: 'Zürich', note: 'a"b\n😀' }]],
    ['fields that are no column', [RECORD, { ...RECORD, added: { deep: [1, 'x'] }, more: null }, RECORD]],
    ['no records', []],
  ])('%s', (_, records) => {
    for (const text of [JSON.stringify(records), JSON.stringify(records, undefined, 2)]) {
      expect(isScanned(text)).toBe(true);
      expect(scanned([bytesOf(text)])).toEqual(outcome((builder) => builder.append(records)));
    }
  });

  test('an exact amount with zeros behind its sixth place', () => {
    expect(isScanned('[{"wallet":"0x1","trades":1,"pnl":"1.2500000"}]', { exact: true })).toBe(true);
  });

  test.each([
    ['a wrong type', `[{"wallet":1,"trades":1}]`],
    ['a missing required field', `[{"wallet":"0x1"}]`],
    ['a field twice', `[{"wallet":"0x1","trades":1,"trades":1}]`],
    ['a field twice, the second time as escape', `[{"wallet":"0x1","trades":1,"trade\\u0073":1}]`],
    ['an hour that no day has', `[{"wallet":"0x1","trades":1,"date":"2025-11-01T24:00:00Z"}]`],
    ['a leading zero', `[{"wallet":"0x1","trades":01}]`],
    ['a control character', `[{"wallet":"a\tb","trades":1}]`],
    ['something behind the end', `[] []`],
    ['a comma too many', `[{"wallet":"0x1","trades":1},]`],
    ['no array', `{"wallet":"0x1","trades":1}`],
    ['a cut', `[{"wallet":"0x1","trades":1`],
  ])('but leaves to parsing %s', (_, text) => {
    expect(isScanned(text)).toBe(false);
  });

  test('and leaves the store as it was where it gives up', () => {
    const store = new RowStore(COLUMNS, [], {});
    const scanner = new PageScanner(store);
    expect(scanner.scan(bytesOf(JSON.stringify([RECORD])))).toBe(true);
    expect(scanner.scan(bytesOf(JSON.stringify([RECORD, { ...RECORD, added: 1 }, { wallet: 1 }])))).toBe(false);
    expect(store.rows).toBe(1);
    expect(store.extra.infer(1)).toEqual([]);
  });
});

describe('pages of any size', () => {
  const line = (row: number) => ({
    ...RECORD,
    wallet: `0x${row}`,
    pnl: `${row}.25`,
    trades: row,
    note: row % 2 ? 'x' : null,
  });

  test('200,000 rows in one page, with a text column of words that never repeat', () => {
    const records = Array.from({ length: 200_000 }, (_, row) => line(row));
    const text = JSON.stringify(records);
    expect(isScanned(text)).toBe(true);
    expect(scanned([bytesOf(text)])).toEqual(outcome((builder) => builder.append(records)));
  });
});
