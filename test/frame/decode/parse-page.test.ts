import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { parseRecords } from '../../../src/frame/decode/decode-records.js';
import { FrameBuilder } from '../../../src/frame/decode/frame-builder.js';

const COLUMNS: readonly Column[] = [
  { name: 'date', dtype: 'datetime', nullable: true, alias: 'day', meaning: 'First moment.' },
  { name: 'wallet', dtype: 'string', nullable: false, meaning: 'Address.' },
  { name: 'note', dtype: 'string', nullable: true, meaning: 'Anything.' },
  { name: 'trades', dtype: 'int32', nullable: false, meaning: 'Fills.' },
];

const RECORD = { date: '2025-11-01T00:00:00Z', wallet: '0x1', note: 'a', trades: 3 };

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('a page of text is refused', () => {
  const second = (text: string | Uint8Array) => {
    const builder = new FrameBuilder(COLUMNS);
    builder.appendText(bytesOf(JSON.stringify([RECORD])));
    return expect(() => builder.appendText(typeof text === 'string' ? bytesOf(text) : text));
  };

  test.each([
    ['that is cut', '[{"wallet":"0x1"', /^Page 2 is not JSON: .*\.$/],
    ['that is empty', '', /^Page 2 is not JSON: /],
    ['that is an error page', '<html></html>', /^Page 2 is not JSON: /],
    ['that is no array', '{"error":"no"}', /^Page 2 is a record where an array of records belongs\.$/],
    ['that is null', 'null', /^Page 2 is null where an array/],
    ['with a byte order mark', '\ufeff[]', /^Page 2 is not JSON: /],
    ['with a record that is none', `[${JSON.stringify(RECORD)},[1]]`, /^Page 2, row 2 is \[1\] where a record/],
  ])('%s', (_, text, message) => {
    second(text).toThrow(message);
  });

  test('that is not UTF-8, rather than read with replacement characters', () => {
    const bytes = bytesOf(JSON.stringify([{ ...RECORD, note: 'x!' }]));
    bytes[bytes.indexOf(0x21)] = 0xff;
    second(bytes).toThrow('Page 2 is not UTF-8 text, as JSON has to be.');
  });

  test.each([
    ['a column', '"trades":3,"trades":4', 'trades'],
    ['a column, once under its alias', '"trades":3,"day":null,"day":null', 'day'],
    ['a field that is no column', '"trades":3,"added":1,"added":1', 'added'],
    ['a field of a field', '"trades":3,"added":[{"deep":1,"deep":1}]', 'deep'],
    ['an escaped name', '"trades":3,"trade\\u0073":3', 'trades'],
  ])('where a record has %s twice', (_, fields, name) => {
    const text = `[${JSON.stringify(RECORD)}, {"wallet":"a:b\\":", ${fields}}]`;
    const message = `Page 2, row 2: the field "${name}" is there twice; which of both values is right cannot be told.`;
    second(text).toThrow(message);
    expect(() => new FrameBuilder([]).appendText(bytesOf(text))).toThrow(message.replace('Page 2', 'Page 1'));
  });
});

describe('the records of a page of unknown shape', () => {
  test('are the values that were sent, but for numbers that a double does not hold', () => {
    const text = '[{"id":9007199254740993,"n":1.50,"on":true,"none":null,"tags":[{"a":"x"}]}, {}]';
    expect(parseRecords(bytesOf(text), 1)).toEqual([
      { id: '9007199254740993', n: 1.5, on: true, none: null, tags: [{ a: 'x' }] },
      {},
    ]);
    expect(parseRecords(bytesOf('[]'), 1)).toEqual([]);
  });

  test.each([
    [
      '[{"a":1},{"a":1,"a":2}]',
      'Page 3, row 2: the field "a" is there twice; which of both values is right cannot be told.',
    ],
    ['[{}, 5]', 'Page 3, row 2 is 5 where a record (a JSON object) belongs.'],
    ['{}', 'Page 3 is a record where an array of records belongs.'],
    ['[', /^Page 3 is not JSON: /],
    [Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d), 'Page 3 is not UTF-8 text, as JSON has to be.'],
  ])('are refused as a frame refuses them: %s', (text, message) => {
    expect(() => parseRecords(typeof text === 'string' ? bytesOf(text) : text, 3)).toThrow(message);
  });
});
