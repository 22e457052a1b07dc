import type { Cell } from '../tabular.js';

/** Options of danfo methods that can change the object itself instead of answering a new one. */
export interface InPlace {
  /** Change this object and answer nothing. Default false. */
  inplace?: boolean;
}

/** What danfo's arithmetic and comparisons take on the other side. */
export type Operand = Series<unknown> | readonly number[] | number;

/**
 * A column with row labels: danfo's own Series, with types. Missing values are left out of the aggregates.
 *
 * @example new Series([1, 2, 4]).mean(); // 2.333…
 */
export interface Series<Value = unknown> {
  readonly values: Value[];
  readonly index: (string | number)[];
  readonly columns: string[];
  readonly dtypes: string[];
  readonly dtype: string;
  readonly shape: [number, number];
  readonly size: number;

  head(rows?: number): Series<Value>;
  tail(rows?: number): Series<Value>;
  iloc(rows: readonly (string | number | boolean)[]): Series<Value>;
  loc(rows: readonly (string | number | boolean)[]): Series<Value>;
  at(row: string | number): Value | undefined;
  iat(row: number): Value;
  sample(count?: number, options?: { seed?: number }): Promise<Series<Value>>;

  add(other: Operand, options?: InPlace): Series<number>;
  sub(other: Operand, options?: InPlace): Series<number>;
  mul(other: Operand, options?: InPlace): Series<number>;
  div(other: Operand, options?: InPlace): Series<number>;
  pow(other: Operand, options?: InPlace): Series<number>;
  mod(other: Operand, options?: InPlace): Series<number>;
  abs(options?: InPlace): Series<number>;
  round(decimals?: number, options?: InPlace): Series<number>;
  cumSum(options?: InPlace): Series<number>;
  cumMin(options?: InPlace): Series<number>;
  cumMax(options?: InPlace): Series<number>;
  cumProd(options?: InPlace): Series<number>;

  lt(other: Operand | readonly Cell[] | string): Series<boolean>;
  le(other: Operand | readonly Cell[] | string): Series<boolean>;
  gt(other: Operand | readonly Cell[] | string): Series<boolean>;
  ge(other: Operand | readonly Cell[] | string): Series<boolean>;
  eq(other: Operand | readonly Cell[] | string | boolean): Series<boolean>;
  ne(other: Operand | readonly Cell[] | string | boolean): Series<boolean>;
  and(other: Series<boolean> | readonly boolean[] | boolean): Series<boolean>;
  or(other: Series<boolean> | readonly boolean[] | boolean): Series<boolean>;

  count(): number;
  sum(): number;
  mean(): number;
  median(): number;
  mode(): Value[];
  min(): number;
  max(): number;
  std(): number;
  var(): number;
  nUnique(): number;
  argMax(): number;
  argMin(): number;
  describe(): Series<number>;
  unique(): Series<Value>;
  valueCounts(): Series<number>;

  apply<Result>(callable: (value: Value) => Result, options?: InPlace): Series<Result>;
  map<Result>(callable: ((value: Value, row: number) => Result) | object, options?: InPlace): Series<Result>;
  sortValues(options?: InPlace & { ascending?: boolean }): Series<Value>;
  argSort(options?: { ascending?: boolean }): Series<number>;
  isNa(): Series<boolean>;
  dropNa(options?: InPlace): Series<Value>;
  fillNa(value: Value, options?: InPlace): Series<Value>;
  replace(oldValue: Value, newValue: Value, options?: InPlace): Series<Value>;
  dropDuplicates(options?: InPlace & { keep?: 'first' | 'last' }): Series<Value>;
  resetIndex(options?: InPlace): Series<Value>;
  setIndex(index: readonly (string | number)[], options?: InPlace): Series<Value>;
  append(values: Series<Value> | readonly Value[] | Value, index: readonly (string | number)[]): Series<Value>;
  asType(dtype: 'float32' | 'int32' | 'string' | 'boolean', options?: InPlace): Series<unknown>;
  copy(): Series<Value>;
  toString(): string;
  print(): void;
}

/** What `new Series(…)` takes. */
export interface SeriesConstructor {
  new <Value extends Cell>(values?: readonly Value[], options?: SeriesOptions): Series<Value>;
  readonly prototype: Series<unknown>;
}

/** Labels of a new Series. */
export interface SeriesOptions {
  index?: readonly (string | number)[];
  columns?: readonly string[];
  dtypes?: readonly string[];
}
