import { inspect } from 'node:util';
import { inheritColumns } from './columns-of.js';
import { toCsv } from './csv.js';
import type { DataFrameConstructor } from './data-frame.js';
import { displayFrame } from './display-frame.js';
import { inheritProvenance, provenanceOf } from './provenance.js';
import { recordsOf } from './records-of.js';
import type { Cell, Tabular } from './tabular.js';
import { toText } from './text.js';

type Method = (this: Internals, ...given: unknown[]) => unknown;

/** The parts of danfo's frames that its types hide. */
interface Internals extends Tabular {
  [method: string]: unknown;
  $getColumnData(name: string): unknown;
  $setColumnData(name: string, values: unknown): void;
}

/** Danfo methods that answer rows or columns of the same frame, so that what is known of its columns stays true. */
const SELECTING = [
  ...['head', 'tail', 'iloc', 'loc', 'query', 'copy', 'drop', 'dropNa', 'fillNa'],
  ...['sortValues', 'sortIndex', 'resetIndex', 'setIndex', 'append'],
];

/**
 * Mends danfo's DataFrame class in place, for frames of every origin:
 * - a column named like a member (`size`, `values`, …) no longer hides that member;
 * - `query` and `iloc` take booleans by position, where danfo takes the row labels for positions and so answers wrong
 *   rows after a sort or a filter;
 * - assigning a Series to a column stores its values, not the Series;
 * - selecting methods keep what {@link columnsOf} and {@link provenanceOf} know;
 * - `toCSV` and `toJSON`, which danfo's own frames refuse, answer our CSV and the records;
 * - frames show themselves in notebooks and in `console.log`.
 */
export function mendFrame(frameClass: DataFrameConstructor): DataFrameConstructor {
  const prototype = frameClass.prototype as unknown as Internals;
  replace(prototype, '$setInternalColumnDataProperty', () => defineColumnProperties);
  replace(
    prototype,
    '$setColumnData',
    (original) =>
      function (name, values) {
        return original.call(this, name, valuesOfSeries(values) ?? values);
      },
  );
  replace(
    prototype,
    'query',
    (original) =>
      function (condition, options) {
        return original.call(this, positionsOf(condition), options);
      },
  );
  replace(
    prototype,
    'iloc',
    (original) =>
      function (part) {
        const { rows, ...rest } = part as { rows?: unknown };
        return original.call(this, { ...rest, rows: positionsOf(rows) });
      },
  );
  for (const name of SELECTING) replace(prototype, name, inheriting);
  Object.defineProperty(prototype, 'provenance', {
    configurable: true,
    get(this: Internals) {
      return provenanceOf(this);
    },
  });
  addDisplay(prototype);
  return frameClass;
}

function replace(prototype: Internals, name: string | symbol, wrap: (original: Method) => Method): void {
  const original = Reflect.get(prototype, name) as Method;
  Object.defineProperty(prototype, name, { value: wrap(original), configurable: true, writable: true });
}

function inheriting(original: Method): Method {
  return function (...given) {
    const result = original.apply(this, given);
    if (result && typeof result === 'object' && 'getColumnData' in result) inheritFacts(this, result as Tabular);
    return result;
  };
}

/** Defines a property a column, except where the frame has a member of that name. */
function defineColumnProperties(this: Internals, only?: unknown): void {
  for (const name of typeof only === 'string' ? [only] : this.columns) {
    if (name in this) continue;
    Object.defineProperty(this, name, {
      configurable: true,
      get: () => this.$getColumnData(name),
      set: (values) => this.$setColumnData(name, values),
    });
  }
}

function valuesOfSeries(values: unknown): readonly Cell[] | undefined {
  return values && typeof values === 'object' && !Array.isArray(values) && 'values' in values
    ? (values.values as readonly Cell[])
    : undefined;
}

/** Row positions where a condition of booleans holds; any other selection as it was. */
function positionsOf(selection: unknown): unknown {
  const rows = valuesOfSeries(selection) ?? selection;
  if (!Array.isArray(rows) || typeof rows[0] !== 'boolean') return rows;
  return rows.flatMap((chosen, row) => (chosen === true ? [row] : []));
}

function inheritFacts(from: Tabular, to: Tabular): void {
  inheritColumns(from, to);
  if (from !== to) inheritProvenance([from], to);
}

function addDisplay(prototype: Internals): void {
  replace(
    prototype,
    Symbol.for('Jupyter.display'),
    () =>
      function () {
        return displayFrame(this);
      },
  );
  replace(
    prototype,
    inspect.custom,
    () =>
      function () {
        return toText(this);
      },
  );
  replace(
    prototype,
    'toCSV',
    () =>
      function () {
        return toCsv(this);
      },
  );
  replace(
    prototype,
    'toJSON',
    () =>
      function () {
        return recordsOf(this);
      },
  );
}
