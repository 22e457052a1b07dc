import { describe, expect, test } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import type { Column } from '../../../src/contract/definition.js';
import { FrameBuilder } from '../../../src/frame/decode/frame-builder.js';
import { utcTimeEnd } from '../../../src/frame/decode/scan-values.js';
import type { DataFrame } from '../../../src/frame/tabular/data-frame.js';
import { vectorOf, vectorsOf } from '../../../src/frame/tabular/tabular.js';
import { isIsoTime } from '../../../src/frame/vector/iso-time.js';
import { cellAt } from '../../../src/frame/vector/vector.js';
import fc from '../../support/fast-check.js';

const COLUMNS: readonly Column[] = [
  { name: 'id', dtype: 'string', nullable: false, meaning: 'Id.' },
  { name: 'question', dtype: 'string', nullable: true, meaning: 'Free text.' },
  { name: 'end', dtype: 'datetime', nullable: true, meaning: 'End.' },
  { name: 'event', dtype: 'string', nullable: false, meaning: 'Repeated.' },
];

const ROWS = 6000;

/** Texts that hardly repeat, of every kind: ASCII, beyond it, escaped, half a character, empty, other times. */
function recordAt(row: number) {
  const questions = [
    `Will it ${row}?`,
    `Zürich ${row} — 東京 😀`,
    `"${row}"\n`,
    `\ud800${row}`,
    '',
    null,
    `x${row % 7}`,
  ];
  const time = new Date(1.7e12 + row * 61_001).toISOString();
  const times = [time, time, time.replace('T', ' ').replace('Z', '+02'), time.slice(0, 10), null];
  return {
    id: `0x${row.toString(16).padStart(64, '0')}`,
    question: questions[row % 97 < 80 ? 0 : row % 7] ?? null,
    end: times[row % 31 < 28 ? 0 : row % 5] ?? null,
    event: row % 50 === 0 ? '' : `event-${row % 600}`,
  };
}

const records = Array.from({ length: ROWS }, (_, row) => recordAt(row));
const bytesOf = (page: readonly object[]) => new TextEncoder().encode(JSON.stringify(page));

function cellsOf(frame: DataFrame) {
  const rows = frame.shape[0] ?? 0;
  return vectorsOf(frame).map((vector) => Array.from({ length: rows }, (_, row) => cellAt(vector, row)));
}

function expected(from: number, to: number) {
  const builder = new FrameBuilder(COLUMNS);
  // In pieces too small for any column to be taken for one without repeats.
  const cells: unknown[][] = COLUMNS.map(() => []);
  for (let at = from; at < to; at += 500) {
    builder.append(records.slice(at, Math.min(at + 500, to)));
    for (const [place, more] of cellsOf(builder.take()).entries()) cells[place]?.push(...more);
  }
  return cells;
}

describe('columns of texts that hardly repeat', () => {
  test.each([200, 1000, ROWS])('come out as they were sent, in pages of %d', (size) => {
    const builder = new FrameBuilder(COLUMNS, { key: ['id'] });
    for (let at = 0; at < ROWS; at += size) builder.appendText(bytesOf(records.slice(at, at + size)));
    const repeated = builder.appendText(bytesOf(records.slice(5000, 5003)));
    expect(repeated).toEqual({ records: 3, repeats: 3 });
    const frame = builder.build();
    expect(vectorOf(frame, 'question')).toMatchObject({ distinct: false });
    expect(vectorOf(frame, 'id')).toMatchObject({ distinct: true });
    expect(cellsOf(frame)).toEqual(expected(0, ROWS));
  });

  test('of which some pages come decoded, and rows are taken between', () => {
    const builder = new FrameBuilder(COLUMNS, { key: ['id'] });
    builder.appendText(bytesOf(records.slice(0, 3000)));
    builder.append(records.slice(3000, 3100));
    builder.appendText(bytesOf(records.slice(3100, 4000)));
    const first = builder.take();
    builder.appendText(bytesOf(records.slice(3990, ROWS)));
    // Read only now: what is taken is not touched by what comes behind.
    const second = builder.take();
    expect(cellsOf(first)).toEqual(expected(0, 4000));
    expect(cellsOf(second)).toEqual(expected(4000, ROWS));
  });

  test('are the same array of words whenever they are read, and are copied with them', () => {
    const builder = new FrameBuilder(COLUMNS);
    builder.appendText(bytesOf(records));
    const vector = vectorOf(builder.build(), 'question');
    if (vector.kind !== 'text') throw new Error(`The column is of the kind ${vector.kind}.`);
    const copy = { ...vector };
    expect(copy.words).toBe(vector.words);
    expect(vector.words).toBe(vector.words);
  });

  test('do not change with the bytes from which they were read', () => {
    const page = bytesOf(records);
    const builder = new FrameBuilder(COLUMNS);
    builder.appendText(page);
    page.fill(0x20);
    expect(cellsOf(builder.build())).toEqual(expected(0, ROWS));
  });

  test('are refused at once where a page is no UTF-8', () => {
    const builder = new FrameBuilder(COLUMNS);
    builder.appendText(bytesOf(records));
    const page = bytesOf([{ ...recordAt(0), question: 'Zürich' }]);
    page[page.indexOf(0xc3) + 1] = 0x20;
    expect(() => builder.appendText(page)).toThrow(AnswerError);
    expect(() => builder.appendText(page)).toThrow('Page 3 is not UTF-8 text');
  });

  test('and words longer than a block', () => {
    const long = records.map((record, row) =>
      row % 1500 === 0 ? { ...record, question: `${row}`.repeat(50_000) } : record,
    );
    const builder = new FrameBuilder(COLUMNS);
    builder.appendText(bytesOf(long));
    const [, questions] = cellsOf(builder.build());
    expect(questions).toEqual(long.map(({ question }) => question || null));
  });
});

test('a time is told by its bytes as by its text', () => {
  const part = fc.constantFrom(
    '2025',
    '-',
    '11',
    '13',
    '00',
    '31',
    '32',
    'T',
    ' ',
    '23',
    '24',
    ':',
    '59',
    '60',
    '.',
    '7',
    'Z',
  );
  const plain = fc.constantFrom('2025-11-05', '2025-11-05T14:30Z', '2025-11-05T14:30:00Z', '2025-11-05T14:30:00.125Z');
  const edited = fc
    .tuple(plain, fc.nat(24), fc.nat(3), part)
    .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(
      fc.oneof(
        plain,
        edited,
        fc.array(part, { maxLength: 14 }).map((parts) => parts.join('')),
      ),
      (text) => {
        const bytes = new TextEncoder().encode(`"${text}"`);
        seen.add(isIsoTime(text));
        expect(utcTimeEnd(bytes, 1)).toBe(isIsoTime(text) ? text.length + 1 : -1);
      },
    ),
    { numRuns: 3000 },
  );
  expect(seen.size).toBe(2);
});

describe('ids of hexadecimal digits', () => {
  const IDS: readonly Column[] = [
    { name: 'id', dtype: 'string', hex: true, nullable: false, meaning: 'Hexadecimal id.' },
    { name: 'note', dtype: 'string', nullable: false, meaning: 'Text.' },
  ];
  const numbered = (row: number) => (row + 0xabcdef00).toString(16);
  const forms = [
    (row: number) => `0x${numbered(row)}`,
    (row: number) => `0x${numbered(row).toUpperCase()}`,
    (row: number) => `0X${numbered(row)}A`,
    (row: number) => `AB${row}`,
    (row: number) => `0x_${row}AB`,
    (row: number) => `0x${row}ÄB`,
  ];
  const ids = Array.from({ length: ROWS }, (_, row) => forms[row % forms.length]?.(row) ?? '');
  const small = ids.map((id, row) => (row % forms.length < 3 ? id.toLowerCase() : id));

  test.each([{ key: ['id'] }, {}])('come out in lower case, other texts as they are: %j', (options) => {
    const page = ids.map((id) => ({ id, note: id }));
    const scanned = new FrameBuilder(IDS, options);
    for (let at = 0; at < ROWS; at += 500) scanned.appendText(bytesOf(page.slice(at, at + 500)));
    const decoded = new FrameBuilder(IDS, options);
    decoded.append(page);
    expect(cellsOf(scanned.build())).toEqual([small, ids]);
    expect(cellsOf(decoded.build())).toEqual([small, ids]);
  });
});
