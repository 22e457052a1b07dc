import { expect, it } from 'vitest';
import { AnswerError } from '../../../src/base/errors.js';
import { arrayOfLines, recordLines } from '../../../src/client/snapshot/record-lines.js';
import fc from '../../support/fast-check.js';

const linesOf = (text: string, most?: number) => {
  const { text: lines, records } = recordLines(Buffer.from(text), most);
  return [lines.toString(), records];
};

/** The same JSON with spaces of all kinds between its parts. */
const spaced = (value: unknown) => JSON.stringify(value, undefined, ' \t').replaceAll('\n', '\r\n ');

const values = fc.array(fc.jsonValue(), { maxLength: 5 });

it('writes a record a line, whatever spaces stood between the parts', () => {
  fc.assert(
    fc.property(values, (records) => {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      expect(linesOf(spaced(records))).toEqual([lines, records.length]);
      expect(linesOf(JSON.stringify(records))).toEqual([lines, records.length]);
      expect(Buffer.from(arrayOfLines(recordLines(Buffer.from(spaced(records))))).toString()).toBe(
        JSON.stringify(records),
      );
    }),
  );
});

it('cuts behind as many records as are wanted', () => {
  fc.assert(
    fc.property(values, fc.nat(6), (records, most) => {
      const lines = records.slice(0, most).map((record) => `${JSON.stringify(record)}\n`);
      expect(linesOf(spaced(records), most)).toEqual([lines.join(''), lines.length]);
    }),
  );
});

it('keeps numbers, escapes and the order of fields as they were sent', () => {
  const record = '{"2":1.50,"1":-0,"big":12345678901234567890.10,"e":1E400,"__proto__":"\\u0041\\/\\"]","2":3}';
  expect(linesOf(`[${record}]`)).toEqual([`${record}\n`, 1]);
});

it.each([
  '',
  ' ',
  '{}',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[,]',
  '["a',
  '["a\\',
  '["\n"]',
  '[1]]',
  '[1] 2',
  '[}',
  '[1 2]',
  '[tru\te]',
  '[\0]',
  '["\\\n"]',
  'null',
])('refuses %j', (text) => {
  expect(() => linesOf(text)).toThrow(AnswerError);
});

it('never writes a line that is not one record, whatever comes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\1 \n') }), (text) => {
      let lines: [string, number];
      try {
        lines = linesOf(`[${text}]`) as [string, number];
      } catch (error) {
        expect(error).toBeInstanceOf(AnswerError);
        return;
      }
      expect(lines[0].split('\n').slice(0, -1)).toHaveLength(lines[1]);
      expect(lines[0]).not.toMatch(/^\n|\n\n|[^\n]$/);
    }),
    { numRuns: 2000 },
  );
});
