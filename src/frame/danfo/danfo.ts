import { DataFrame as BundledFrame, Series as BundledSeries } from '#danfo';
import type { DataFrameConstructor, DataFrame as TypedFrame } from './data-frame.js';
import { constructible } from './mend-construction.js';
import { mendFrame } from './mend-frame.js';
import { mendSeries } from './mend-series.js';
import type { SeriesConstructor, Series as TypedSeries } from './series.js';

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
