import { expect, test } from 'vitest';
import { ColumnError, UsageError } from '../../../src/base/errors.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import { provenanceOf, setProvenance } from '../../../src/frame/tabular/provenance.js';
import type { Tabular } from '../../../src/frame/tabular/tabular.js';
import { dropColumns, renameColumns, selectColumns } from '../../../src/frame/verbs/select-columns.js';
import { COLUMNS, frameOf, rawRows } from './random-frames.js';

const frame = frameOf([
  { text: 'a', number: 1.5, flag: null, money: 5n },
  { text: null, number: -0, flag: true, money: null },
]);
const query = { service: 'http://a', dataset: 569, params: {}, queriedAt: '2026-01-01T00:00:00Z', records: 2 };
setProvenance(frame, [query]);

const known = (made: Tabular) => [columnsOf(made), rawRows(made), provenanceOf(made)];

test('columns are selected, dropped and renamed with all that is known of them', () => {
  const [text, number, flag, money] = COLUMNS as [object, object, object, object];
  expect(known(selectColumns(frame, ['money', 'text', 'money']))).toEqual([
    [money, text],
    [
      [5n, 'a'],
      [null, null],
    ],
    [query],
  ]);
  expect(known(selectColumns(frame, 'flag'))).toEqual([[flag], [[null], [true]], [query]]);
  expect(known(dropColumns(frame, ['text', 'money']))).toEqual([
    [number, flag],
    [
      [1.5, null],
      [-0, true],
    ],
    [query],
  ]);
  const swapped = renameColumns(frame, { text: 'number', number: 'text', money: 'profit' });
  expect(known(swapped)).toEqual([
    [{ ...text, name: 'number' }, { ...number, name: 'text' }, flag, { ...money, name: 'profit' }],
    rawRows(frame),
    [query],
  ]);
  expect(frame.columns).toEqual(['text', 'number', 'flag', 'money']);
  expect(selectColumns(frameOf([]), 'money').shape).toEqual([0, 1]);
});

test('what is no column, or would be there twice, is refused', () => {
  for (const call of [
    () => selectColumns(frame, 'mony' as 'money'),
    () => dropColumns(frame, ['text', 'mony' as 'money']),
    () => renameColumns(frame, { mony: 'profit' } as never),
  ]) {
    expect(call).toThrow(new ColumnError('The frame has no column "mony". Did you mean "money"?'));
  }
  expect(() => renameColumns(frame, { money: 'text' })).toThrow('would have two columns "text"');
  expect(() => dropColumns(frame, ['text', 'number', 'flag', 'money'])).toThrow('would leave no column');
  for (const [call, message] of [
    [() => selectColumns(frame, []), 'selectColumns was given no column: name one'],
    [() => dropColumns(frame, []), 'dropColumns was given no column'],
    [() => selectColumns(frame, {} as never), 'The columns of selectColumns must be the name of a column'],
    [() => renameColumns(frame, 'money' as never), 'as in renameColumns(frame, {'],
    [() => renameColumns(frame, { money: '' }), 'needs a text as the new name of "money"; got ""'],
    [() => renameColumns(frame, { money: 5 } as never), 'needs a text as the new name of "money"; got 5'],
    [() => selectColumns([] as never, 'a' as never), 'This needs a frame'],
  ] as const) {
    expect(call).toThrow(UsageError);
    expect(call).toThrow(message);
  }
  // A frame with one column of danfo's own making, which has no descriptions.
  expect(renameColumns(new DataFrame({ a: [1] }), { a: 'b' }).values).toEqual([[1]]);
});
