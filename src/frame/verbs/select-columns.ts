import { ColumnError, UsageError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import { noMore } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { columnsOf } from '../tabular/columns-of.js';
import type { CellOf, ColumnName, DataFrame } from '../tabular/data-frame.js';
import { columnNames, placeOf, vectorsOf } from '../tabular/tabular.js';
import { keyNames, namedValues } from './group-by.js';
import { chosenColumns } from './with-columns.js';

/** A row with some of its columns; of unknown columns where the frame's are not known. */
type SelectedRow<Row extends object, Name extends string> = [keyof Row] extends [never]
  ? object
  : { [Selected in Name]: CellOf<Row, Selected> };

/** A row without some of its columns. */
type KeptRow<Row extends object, Name extends string> = [keyof Row] extends [never] ? object : Omit<Row, Name>;

/** New names of a row's columns, by the old ones. */
type NewNames<Row extends object> = { readonly [Name in ColumnName<Row>]?: string };

/** A row with other names. */
type RenamedRow<Row extends object, Names> = [keyof Row] extends [never]
  ? object
  : { [Name in keyof Row as Name extends keyof Names ? Extract<Names[Name], string> : Name]: Row[Name] };

/**
 * The named columns of a frame, in the order in which they are named, each once. They keep their dtype, unit and
 * meaning, and the frame its provenance.
 *
 * @throws {ColumnError} If the frame lacks one of them; the message names the most similar column.
 * @throws {UsageError} If no column is named.
 * @example selectColumns(pnl, ['date', 'pnl']);
 */
export function selectColumns<Row extends object, const Name extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  names: Name | readonly Name[],
): DataFrame<SelectedRow<Row, Name>>;
export function selectColumns<Row extends object, const Name extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  names: Name | readonly Name[],
  ...others: readonly unknown[]
): DataFrame<SelectedRow<Row, Name>> {
  noMore('selectColumns', others, "give several columns as a list: selectColumns(frame, ['date', 'pnl'])");
  const selected = keyNames('The columns of selectColumns', names);
  if (selected.length === 0) throw new UsageError(noName('selectColumns'));
  return chosenColumns(frame, selected) as DataFrame<SelectedRow<Row, Name>>;
}

/**
 * A frame without the named columns; the others keep their order, dtype, unit and meaning.
 *
 * @throws {ColumnError} If the frame lacks one of them, or would have no column left.
 * @throws {UsageError} If no column is named.
 * @example dropColumns(markets, ['side_a_token_id', 'side_b_token_id']);
 */
export function dropColumns<Row extends object, const Name extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  names: Name | readonly Name[],
): DataFrame<KeptRow<Row, Name>>;
export function dropColumns<Row extends object, const Name extends ColumnName<Row>>(
  frame: DataFrame<Row>,
  names: Name | readonly Name[],
  ...others: readonly unknown[]
): DataFrame<KeptRow<Row, Name>> {
  noMore('dropColumns', others, "give several columns as a list: dropColumns(frame, ['date', 'pnl'])");
  const dropped = keyNames('The columns of dropColumns', names);
  if (dropped.length === 0) throw new UsageError(noName('dropColumns'));
  for (const name of dropped) placeOf(frame, name);
  const kept = columnNames(frame).filter((name) => !dropped.includes(name));
  if (kept.length === 0) throw new ColumnError('dropColumns would leave no column: keep one at least.');
  return chosenColumns(frame, kept) as DataFrame<KeptRow<Row, Name>>;
}

/**
 * A frame with other names for some of its columns, in the same order. All are renamed at once, so that two can swap
 * their names.
 *
 * @param names New names by the old ones.
 * @throws {ColumnError} If the frame lacks a column, or two would have one name.
 * @throws {UsageError} If a new name is no text, or an empty one.
 * @example renameColumns(pnl, { proxy_wallet: 'wallet', pnl: 'profit' });
 */
export function renameColumns<Row extends object, const Names extends NewNames<Row>>(
  frame: DataFrame<Row>,
  names: Names,
): DataFrame<RenamedRow<Row, Names>>;
export function renameColumns<Row extends object, const Names extends NewNames<Row>>(
  frame: DataFrame<Row>,
  names: Names,
  ...others: readonly unknown[]
): DataFrame<RenamedRow<Row, Names>> {
  noMore('renameColumns', others, "name all columns at once: renameColumns(frame, { pnl: 'profit', date: 'day' })");
  const columns = columnsOf(frame);
  const given: Readonly<Record<string, unknown>> = names;
  for (const [old, name] of namedValues(given, "renameColumns(frame, { proxy_wallet: 'wallet' })")) {
    const place = placeOf(frame, old);
    if (typeof name !== 'string' || name === '') {
      throw new UsageError(`renameColumns needs a text as the new name of "${old}"; got ${shownValue(name)}.`);
    }
    const { alias: _, ...column } = itemAt(columns, place);
    columns[place] = { ...column, name };
  }
  const taken = columns.map(({ name }) => name);
  const twice = taken.find((name, at) => taken.indexOf(name) < at);
  if (twice !== undefined) throw new ColumnError(`The frame would have two columns "${twice}": choose another name.`);
  return frameFromVectors(columns, vectorsOf(frame), frame);
}

function noName(of: string): string {
  return `${of} was given no column: name one, such as ${of}(frame, 'pnl').`;
}
