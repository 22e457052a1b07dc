import { DataFrame as BundledFrame, Series as BundledSeries } from '#danfo';
import type { DataFrameConstructor, DataFrame as TypedFrame } from './data-frame.js';
import { mendFrame } from './mend-frame.js';
import type { SeriesConstructor, Series as TypedSeries } from './series.js';

/** {@inheritDoc TypedFrame} */
export type DataFrame<Row extends object = object> = TypedFrame<Row>;

/**
 * Danfo's DataFrame class itself, so that `instanceof` holds, mended where danfo silently gives wrong rows (see
 * {@link mendFrame}). Arithmetic is in doubles.
 *
 * @example new DataFrame({ wallet: ['0xa', '0xb'], pnl: [12.5, -3] }).print();
 */
export const DataFrame: DataFrameConstructor = mendFrame(BundledFrame as DataFrameConstructor);

/** {@inheritDoc TypedSeries} */
export type Series<Value = unknown> = TypedSeries<Value>;

/** Danfo's Series class itself. */
export const Series: SeriesConstructor = BundledSeries as SeriesConstructor;
