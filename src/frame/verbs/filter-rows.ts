import { UsageError } from '../../base/errors.js';
import { noMore } from '../../base/nearest.js';
import { takeRows } from '../danfo/frame-from-vectors.js';
import type { DataFrame, Series } from '../tabular/data-frame.js';
import { rowCount } from '../tabular/tabular.js';
import type { Cell } from '../vector/vector.js';
import { type Cursor, type RowView, withRowView } from './row-view.js';

/** Whether to keep a row; null, as of a missing boolean, does not. */
type Verdict = boolean | null | undefined;

/** What a column gives that may hold verdicts, for all that is known at compile time. */
type Unknown<Row extends object> = [keyof Row] extends [never] ? Cell : never;

/**
 * A test that decides for each row whether to keep it: true keeps it; false, null or undefined does not.
 *
 * @param row One object that shows each row in turn, so do not store it. A missing number is NaN, for which no
 * comparison but `!==` holds; other missing values are null.
 * @param at The row's position, from 0.
 */
export type RowTest<Row extends object> = (row: RowView<Row>, at: number) => Verdict | Unknown<Row>;

/** One decision for each row, by position: booleans, bytes (0 or 1), or a Series as danfo's comparisons give it. */
export type RowMask = readonly Verdict[] | Uint8Array | Series<boolean>;

/**
 * The rows of a frame that pass a test, or that a mask marks, in their order.
 *
 * A test compares as JavaScript does. Times are text, so write the times to compare with as frames hold them:
 * `2025-11-05T00:00:00Z`, or `2025-11-05T00:00:00.500Z` with a fraction of a second. By `<` and `>`, a time without a
 * fraction sorts after those of the same second that have one: if a column has fractions, compare
 * `Date.parse(row.date)`.
 *
 * @returns A new frame with the same columns, possibly without rows.
 * @throws {UsageError} If the test or the mask gives anything but true, false or nothing (an async function gives
 * promises), if the test has braces but no `return`, or if the mask does not have one value for each row.
 * @example filterRows(pnl, (row) => row.pnl > 0 && row.trades >= 10);
 * @example filterRows(pnl, pnl.pnl.gt(0));
 */
export function filterRows<Row extends object>(frame: DataFrame<Row>, keep: RowTest<Row> | RowMask): DataFrame<Row>;
export function filterRows<Row extends object>(
  frame: DataFrame<Row>,
  keep: RowTest<Row> | RowMask,
  ...others: readonly unknown[]
): DataFrame<Row> {
  noMore(
    'filterRows',
    others,
    'join conditions in one function: filterRows(frame, (row) => row.pnl > 0 && row.trades > 3)',
  );
  const rows = rowCount(frame);
  const kept =
    typeof keep === 'function'
      ? withRowView<Row, Uint32Array>(frame, (view, cursor) => passing(keep, rows, view, cursor))
      : marked(keep, rows);
  return takeRows(frame, kept);
}

function passing<Row extends object>(
  test: RowTest<Row>,
  rows: number,
  view: RowView<Row>,
  cursor: Cursor,
): Uint32Array {
  const kept = new Uint32Array(rows);
  let many = 0;
  let silent = rows > 0;
  for (let row = 0; row < rows; row += 1) {
    cursor.row = row;
    const verdict = test(view, row);
    silent &&= verdict === undefined;
    if (verdict === true) {
      kept[many] = row;
      many += 1;
    } else if (verdict !== false) refuseOthers(verdict, row);
  }
  if (silent && lacksReturn(test)) {
    throw new UsageError('The test of filterRows has braces but returns nothing: write { return row.pnl > 0; }.');
  }
  // A copy only where it is far smaller.
  return 2 * many > rows ? kept.subarray(0, many) : kept.slice(0, many);
}

/** Whether a function ends in braces without a `return`, which TypeScript lets pass where undefined is allowed. */
export function lacksReturn(test: unknown): boolean {
  const text = String(test);
  return text.endsWith('}') && !/\breturn\b|\[native code\]/.test(text);
}

function marked(mask: RowMask, rows: number): Uint32Array {
  checkMask(mask);
  const marks: readonly unknown[] | Uint8Array =
    'values' in mask && typeof mask.values !== 'function' ? mask.values : (mask as Uint8Array);
  if (marks.length !== rows) {
    throw new UsageError(`The mask has ${marks.length} values, the frame ${rows} rows: give one value a row.`);
  }
  const bytes = marks instanceof Uint8Array;
  const kept = new Uint32Array(rows);
  let many = 0;
  for (let row = 0; row < rows; row += 1) {
    const mark = marks[row];
    if (mark === true || (bytes && mark !== 0)) {
      kept[many] = row;
      many += 1;
    } else if (!bytes && mark !== false) refuseOthers(mark, row);
  }
  return kept.slice(0, many);
}

/** Refuses what only TypeScript would have told. */
function checkMask(mask: unknown): void {
  const isObject = typeof mask === 'object' && mask !== null;
  const isFrame = isObject && '$isSeries' in mask && mask.$isSeries === false;
  if (isObject && !isFrame && ('length' in mask || 'values' in mask)) return;
  const found = isFrame ? 'a frame' : mask === null ? 'null' : typeof mask;
  throw new UsageError(
    `filterRows got ${found}: it needs a function such as (row) => row.pnl > 0, or one boolean a row.`,
  );
}

function refuseOthers(verdict: unknown, row: number): void {
  if (verdict === null || verdict === undefined) return;
  const found = verdict instanceof Promise ? 'a promise' : `${typeof verdict} ${String(verdict)}`;
  throw new UsageError(`filterRows got ${found} for row ${row}, counted from 0: it needs true or false.`);
}
