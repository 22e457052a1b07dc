import { inspect } from 'node:util';
import { DataFrame as BundledFrame, Series as BundledSeries } from '#danfo';
import { toCsv } from '../csv/to-csv.js';
import { displayFrame } from '../display/frame-html.js';
import { toText } from '../display/frame-text.js';
import { recordsOf } from '../tabular/column-values.js';
import type {
  DataFrameConstructor,
  SeriesConstructor,
  DataFrame as TypedFrame,
  Series as TypedSeries,
} from '../tabular/data-frame.js';
import { provenanceOf } from '../tabular/provenance.js';
import { type Internals, type Mending, replaceMethods } from './danfo-internals.js';
import { mendAssignment, mendConversion } from './mend-assignment.js';
import { mendComputing } from './mend-computing.js';
import { constructible, mendConstruction } from './mend-construction.js';
import { mendSelection, mendSorting } from './mend-selection.js';
import { mendSeries } from './mend-series.js';

/**
 * Danfo's DataFrame, typed by the record that a row holds: all of danfo's methods, with double precision, and each column
 * as a property too. A column named as a member (`size`, `values`, …) is reached by `column(frame, 'size')`.
 *
 * @example new DataFrame({ wallet: ['0xa', '0xb'], pnl: [12.5, -3] }).head(1).print();
 */
export type DataFrame<Row extends object = object> = TypedFrame<Row>;

/**
 * Danfo's DataFrame class itself, so that `instanceof` holds, mended where danfo silently gives wrong rows (see
 * {@link mendFrame}), and for a column named `constructor` too. Arithmetic is in doubles.
 *
 * @example new DataFrame({ wallet: ['0xa', '0xb'], pnl: [12.5, -3] }).print();
 */
export const DataFrame: DataFrameConstructor = constructible(mendFrame(BundledFrame as DataFrameConstructor));

/** Danfo's Series, typed by its values: one column with danfo's methods, such as `sum()` and `mean()`. */
export type Series<Value = unknown> = TypedSeries<Value>;

/** Danfo's Series class itself, mended in the same way (see {@link mendSeries}). */
export const Series: SeriesConstructor = mendSeries(BundledSeries as SeriesConstructor);

/**
 * Mends danfo's DataFrame class in place, for frames of every origin, where danfo silently gives wrong rows or values,
 * changes what it should copy, or refuses valid input. Each part says what it mends.
 */
function mendFrame(frameClass: DataFrameConstructor): DataFrameConstructor {
  const prototype = frameClass.prototype as unknown as Internals;
  mendConstruction(prototype);
  mendAssignment(prototype);
  mendComputing(prototype);
  mendConversion(prototype);
  mendSorting(prototype);
  mendSelection(prototype);
  mendDisplay(prototype);
  return frameClass;
}

/**
 * Makes frames show themselves in notebooks, in `console.log`, and by `print` and `toString`, where danfo's table shows
 * raw digits. It also adds their provenance, and `toCSV` and `toJSON`, which danfo's own frames refuse: they return the
 * CSV of `toCsv` and the records.
 */
function mendDisplay(prototype: Internals): void {
  replaceMethods(prototype, {
    [Symbol.for('Jupyter.display')]: of(displayFrame),
    [inspect.custom]: of((frame) => toText(frame)),
    // Danfo's print writes this text.
    toString: of((frame) => toText(frame)),
    toCSV: of((frame) => toCsv(frame)),
    toJSON: of((frame) => recordsOf(frame)),
  });
  Object.defineProperty(prototype, 'provenance', {
    configurable: true,
    get(this: Internals) {
      return provenanceOf(this);
    },
  });
}

function of(answer: (frame: Internals) => unknown): Mending {
  return () =>
    function () {
      return answer(this);
    };
}
