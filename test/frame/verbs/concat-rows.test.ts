import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/contract/definition.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { frameFromColumns } from '../../../src/frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import { concatRows } from '../../../src/frame/verbs/concat-rows.js';
import { groupBy } from '../../../src/frame/verbs/group-by.js';
import { count } from '../../../src/frame/verbs/measure.js';
import { frameOf, rawRows } from './random-frames.js';

const row = { text: 'a', number: 1, flag: true, money: 5n };
const column = (name: string, facts: Partial<Column> = {}): Column => ({
  ...{ name, dtype: 'float64', nullable: false, meaning: name },
  ...facts,
});

describe('concatRows', () => {
  test('unites columns by name, with missing values where a frame lacks one', () => {
    const united = concatRows(
      new DataFrame({ a: [1, 2], b: ['x', 'y'] }),
      new DataFrame({ c: [true], b: ['x'] }),
      frameOf([row]),
    );
    expect(united.columns).toEqual(['a', 'b', 'c', 'text', 'number', 'flag', 'money']);
    expect(rawRows(united)).toEqual([
      [1, 'x', null, null, Number.NaN, null, null],
      [2, 'y', null, null, Number.NaN, null, null],
      [Number.NaN, 'x', true, null, Number.NaN, null, null],
      [Number.NaN, null, null, 'a', 1, true, 5n],
    ]);
    expect(groupBy(united, 'b').rollup({ rows: count() }).values).toEqual([
      ['x', 2],
      ['y', 1],
      [null, 1],
    ]);
  });

  test('leaves its frames as they were, where danfo changes the first', () => {
    const first = new DataFrame({ a: [1] });
    concatRows(first, new DataFrame({ a: [2] }));
    expect(first.values).toEqual([[1]]);
  });

  test('unites what is known of columns and rows', () => {
    const one = frameFromColumns(
      [column('a', { unit: 'USD', dtype: 'int32' }), column('b', { unit: 'USD' })],
      [[1], [1]],
    );
    const two = frameFromColumns(
      [column('a', { unit: 'USD', nullable: true }), column('b', { unit: '%' })],
      [[1.5], [2]],
    );
    const query = { service: 'http://a', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 1 };
    setProvenance(one, [query]);
    setProvenance(two, [query]);
    const united = concatRows(one, two);
    expect(columnsOf(united)).toEqual([column('a', { unit: 'USD', nullable: true }), column('b')]);
    expect(provenanceOf(united)).toEqual([query]);
  });

  test('lets a column without values take the kind of the others', () => {
    const none = new DataFrame([], { columns: ['money', 'text'] });
    expect(rawRows(concatRows(none, frameOf([row])))).toEqual([[5n, 'a', 1, true]]);
    const blank = new DataFrame({ money: [null, null] });
    expect(rawRows(concatRows(frameOf([row]), blank)).map((cells) => cells[3])).toEqual([5n, null, null]);
    expect(concatRows().shape).toEqual([0, 0]);
  });

  test('carries mixed columns along, and refuses kinds that do not go together', () => {
    const mixed = new DataFrame({ a: [1, 'x'] });
    expect(concatRows(mixed, mixed).values).toEqual([[1], ['x'], [1], ['x']]);
    expect(() => concatRows(mixed, new DataFrame({ a: [1] }))).toThrow('The column "a" mixes number and string values');
    expect(() => concatRows(new DataFrame({ a: ['1'] }), new DataFrame({ a: [1] }))).toThrow(
      'The column "a" holds text in one frame and numbers in another: convert one of them first.',
    );
    expect(() => concatRows(frameOf([row]), new DataFrame({ money: [1.5] }))).toThrow(
      'The column "money" holds exact amounts in one frame and numbers in another: query both with { exact: true }, or neither.',
    );
  });
});
