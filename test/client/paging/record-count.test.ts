import { expect, it } from 'vitest';
import { firstRecords, recordCount } from '../../../src/client/paging/record-count.js';
import fc from '../../support/fast-check.js';

const text = (results: unknown, indent?: number) => Buffer.from(JSON.stringify(results, undefined, indent));
const anyArray = fc.array(fc.jsonValue());

it('counts what JSON.parse would count', () => {
  fc.assert(
    fc.property(anyArray, fc.constantFrom(undefined, 1), (results, indent) => {
      expect(recordCount(text(results, indent))).toBe(results.length);
    }),
  );
  expect([' [ ] ', '[\n]', '["]"]', '["a\\"],["]'].map((each) => recordCount(Buffer.from(each)))).toEqual([0, 0, 1, 1]);
});

it('cuts behind the first records', () => {
  fc.assert(
    fc.property(anyArray, fc.integer({ min: 1, max: 5 }), (results, most) => {
      const cut = firstRecords(text(results), most);
      expect(JSON.parse(Buffer.from(cut).toString())).toEqual(JSON.parse(JSON.stringify(results.slice(0, most))));
    }),
  );
});
