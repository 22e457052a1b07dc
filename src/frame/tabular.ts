/** A value in a frame. Missing numbers are NaN, missing text is null. */
export type Cell = string | number | boolean | bigint | Date | null | undefined;

/** What reading a frame takes: names, a shape, and an array of values a column. Every danfo DataFrame has it. */
export interface Tabular {
  readonly columns: readonly string[];
  /** Rows, then columns. */
  readonly shape: readonly number[];
  /** One array a column, in the order of `columns`; may be empty where there are no rows. */
  readonly getColumnData: readonly (readonly Cell[])[];
}
