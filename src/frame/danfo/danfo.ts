import { inspect } from 'node:util';
import { DataFrame as BundledFrame, Series as BundledSeries } from '#danfo';
import { ownHook } from '../../base/own-hook.js';
import { displayFrame } from '../display/frame-html.js';
import { frameTable, seriesTable } from '../display/frame-table.js';
import { toText } from '../display/frame-text.js';
import type {
  DataFrameConstructor,
  SeriesConstructor,
  DataFrame as TypedFrame,
  Series as TypedSeries,
} from '../tabular/data-frame.js';
import { provenanceOf } from '../tabular/provenance.js';
import type { Tabular } from '../tabular/tabular.js';
import type { Cell } from '../vector/vector.js';
import { type Internals, type Mending, replaceMethods } from './danfo-internals.js';
import { mendFrameArithmetic } from './mend-arithmetic.js';
import { mendAssignment, mendConversion } from './mend-assignment.js';
import { mendComputing } from './mend-computing.js';
import { constructible, mendConstruction } from './mend-construction.js';
import { mendDummies } from './mend-dummies.js';
import { mendGroups } from './mend-groups.js';
import { mendSelection, mendSorting } from './mend-selection.js';
import { mendSeries } from './mend-series.js';
import { mendWriting } from './mend-writing.js';

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
export const Series: SeriesConstructor = shown(mendSeries(BundledSeries as SeriesConstructor, DataFrame));

/** Makes series show themselves as the frame of one column that they would be. */
function shown(seriesClass: SeriesConstructor): SeriesConstructor {
  type Parts = { columns: string[]; values: Cell[]; index: number[] };
  const nameOf = (series: Internals): string => String((series as unknown as Parts).columns[0] ?? 0);
  const asFrame = (series: Internals): Tabular => {
    const { values, index } = series as unknown as Parts;
    return new DataFrame({ [nameOf(series)]: values }, { index });
  };
  replaceMethods(seriesClass.prototype as unknown as Internals, {
    [Symbol.for('Jupyter.display')]: of((series) => displayFrame(asFrame(series))),
    [Symbol.for('oddslab.table')]: of((series) =>
      seriesTable(nameOf(series), series.values.length, () => asFrame(series)),
    ),
    [inspect.custom]: of((series) => toText(asFrame(series))),
    toString: of((series) => toText(asFrame(series))),
  });
  mendWriting(seriesClass.prototype as unknown as Internals, asFrame);
  return seriesClass;
}

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
  mendWriting(prototype, (frame) => frame);
  mendFrameArithmetic(prototype);
  mendDummies(prototype);
  mendGroups(frameClass, prototype);
  return frameClass;
}

/**
 * Makes frames show themselves in notebooks, in `console.log`, and by `print` and `toString`, where danfo's table shows
 * raw digits. It also adds their provenance.
 */
function mendDisplay(prototype: Internals): void {
  replaceMethods(prototype, {
    [Symbol.for('Jupyter.display')]: of(displayFrame),
    [Symbol.for('oddslab.table')]: of(frameTable),
    [inspect.custom]: of((frame) => toText(frame)),
    // Danfo's print writes this text.
    toString: of((frame) => toText(frame)),
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
    ownHook(function (this: Internals) {
      return answer(this);
    });
}
