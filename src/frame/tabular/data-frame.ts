import type { Cell } from '../vector/vector.js';
import type { Provenance } from './provenance.js';
import type { Tabular } from './tabular.js';

declare const rowType: unique symbol;

/** The names of a row type's columns; any text where the row type is not known. */
export type ColumnName<Row extends object> = [keyof Row] extends [never] ? string : Extract<keyof Row, string>;

/** Of the names of a row type's columns those that can hold such values; any text where the row type is not known. */
export type ColumnNameOf<Row extends object, Value> = [keyof Row] extends [never]
  ? string
  : { [Name in ColumnName<Row>]: CanHold<CellOf<Row, Name>, Value> extends true ? Name : never }[ColumnName<Row>];

type CanHold<Held, Value> = unknown extends Held ? true : [Extract<Held, Value>] extends [never] ? false : true;

/** The value of one column in a row; any cell where the row type is not known. */
export type CellOf<Row extends object, Name extends string> = Name extends keyof Row ? Row[Name] : Cell;

/** Along which way danfo computes: 0 down each column, 1 (danfo's default) along each row. */
interface Along {
  axis?: 0 | 1;
}

type Label = string | number;
type Selection = readonly (string | number | boolean)[] | Series<boolean>;

/**
 * The members of danfo's DataFrame, typed by the record that a row holds. Danfo labels 64-bit floats `float32`, since
 * it knows no other label; the values keep full double precision.
 */
interface FrameMembers<Row extends object = object> extends Tabular {
  readonly [rowType]?: Row;
  readonly columns: string[];
  /** Danfo's labels of the columns: float32 (for doubles too), int32, string, boolean. */
  readonly dtypes: string[];
  readonly shape: [number, number];
  readonly size: number;
  readonly index: Label[];
  /** The rows as arrays of cells, in the order of `columns`. */
  readonly values: Cell[][];
  readonly ctypes: Series<string>;
  readonly T: DataFrame;
  readonly getColumnData: Cell[][];
  /** The queries whose answers the rows are; empty for a frame of your own making. */
  readonly provenance: readonly Provenance[];

  column<Name extends ColumnName<Row>>(name: Name): Series<CellOf<Row, Name>>;
  head(rows?: number): DataFrame<Row>;
  tail(rows?: number): DataFrame<Row>;
  sample(rows?: number, options?: { seed?: number }): Promise<DataFrame<Row>>;
  at<Name extends ColumnName<Row>>(row: Label, column: Name): CellOf<Row, Name> | undefined;
  iat(row: number, column: number): Cell;
  loc(part: { rows?: Selection; columns?: readonly ColumnName<Row>[] }): DataFrame<Row>;
  iloc(part: { rows?: Selection; columns?: readonly Label[] }): DataFrame<Row>;
  query(condition: Series<boolean> | readonly boolean[], options?: InPlace): DataFrame<Row>;
  sortValues(by: ColumnName<Row>, options?: InPlace & { ascending?: boolean }): DataFrame<Row>;
  sortIndex(options?: InPlace & { ascending?: boolean }): DataFrame<Row>;
  groupby(by: readonly ColumnName<Row>[]): Grouped;
  describe(): DataFrame;
  selectDtypes(include: readonly string[]): DataFrame;

  count(options?: Along): Series<number>;
  sum(options?: Along): Series<number>;
  mean(options?: Along): Series<number>;
  median(options?: Along): Series<number>;
  mode(options?: Along & { keep?: number }): Series<number>;
  min(options?: Along): Series<number>;
  max(options?: Along): Series<number>;
  std(options?: Along): Series<number>;
  var(options?: Along): Series<number>;
  nUnique(axis?: 0 | 1): Series<number>;

  add(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  sub(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  mul(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  div(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  divNoNan(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  pow(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  mod(other: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  diff(periods: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  pctChange(periods: Operand | DataFrame, options?: Along & InPlace): DataFrame<Row>;
  abs(options?: InPlace): DataFrame<Row>;
  round(decimals?: number, options?: InPlace): DataFrame<Row>;
  cumSum(options?: Along & InPlace): DataFrame<Row>;
  cumMin(options?: Along & InPlace): DataFrame<Row>;
  cumMax(options?: Along & InPlace): DataFrame<Row>;
  cumProd(options?: Along & InPlace): DataFrame<Row>;
  lt(other: Operand | DataFrame, options?: Along): DataFrame;
  le(other: Operand | DataFrame, options?: Along): DataFrame;
  gt(other: Operand | DataFrame, options?: Along): DataFrame;
  ge(other: Operand | DataFrame, options?: Along): DataFrame;
  eq(other: Operand | DataFrame, options?: Along): DataFrame;
  ne(other: Operand | DataFrame, options?: Along): DataFrame;

  addColumn(name: string, values: Series | readonly Cell[], options?: InPlace & { atIndex?: Label }): DataFrame<Row>;
  drop(options: InPlace & { columns?: readonly ColumnName<Row>[]; index?: readonly Label[] }): DataFrame;
  rename(names: Readonly<Record<Label, Label>>, options?: Along & InPlace): DataFrame;
  replace(oldValue: Cell, newValue: Cell, options?: InPlace & { columns?: readonly string[] }): DataFrame<Row>;
  isNa(): DataFrame;
  dropNa(options?: Along & InPlace): DataFrame<Row>;
  fillNa(value: Cell | readonly Cell[], options?: InPlace & { columns?: readonly string[] }): DataFrame<Row>;
  asType(column: ColumnName<Row>, dtype: 'float32' | 'int32' | 'string' | 'boolean', options?: InPlace): DataFrame;
  setIndex(options: InPlace & { index?: readonly Label[]; column?: string; drop?: boolean }): DataFrame<Row>;
  resetIndex(options?: InPlace): DataFrame<Row>;
  append(rows: DataFrame | Series | readonly (readonly Cell[])[], index: readonly Label[]): DataFrame<Row>;
  apply(callable: (values: Cell[]) => Cell | Cell[], options?: Along): DataFrame | Series;
  applyMap(callable: (value: Cell) => Cell, options?: InPlace): DataFrame;
  transpose(options?: InPlace): DataFrame;
  getDummies(options?: InPlace & { columns?: readonly string[]; prefix?: string | readonly string[] }): DataFrame;
  copy(): DataFrame<Row>;
  /** Danfo's rows as records, or as an object of columns. */
  toJSON(options?: { format?: 'column' | 'row' }): object;
  toString(): string;
  print(): void;
}

/**
 * Danfo's own DataFrame, typed by its rows, with each column as a property too. A column whose name is a member of the
 * frame (`size`, `values`, `index`, `shape`, …) does not hide that member: reach it by `column(frame, 'size')`. A frame
 * of unknown columns is a plain `DataFrame`, and every `DataFrame<Row>` is one.
 */
export type DataFrame<Row extends object = object> = FrameMembers<Row> & {
  [Name in keyof Row as Exclude<Name, keyof FrameMembers<Row>>]: Series<Row[Name]>;
};

/** An aggregate that danfo's groups compute. */
type Aggregate = 'count' | 'sum' | 'mean' | 'median' | 'mode' | 'std' | 'var' | 'min' | 'max';

/** Rows grouped by keys, as danfo's `groupby` answers. Result columns are named `column_aggregate`. */
interface Grouped {
  readonly ngroups: number;
  readonly groups: Record<string, unknown>;
  col(names: readonly string[]): Grouped;
  count(): DataFrame;
  sum(): DataFrame;
  mean(): DataFrame;
  std(): DataFrame;
  var(): DataFrame;
  min(): DataFrame;
  max(): DataFrame;
  cumSum(): DataFrame;
  cumMin(): DataFrame;
  cumMax(): DataFrame;
  cumProd(): DataFrame;
  first(): DataFrame;
  last(): DataFrame;
  size(): DataFrame;
  getGroup(keys: readonly (string | number)[]): DataFrame;
  agg(operations: Record<string, Aggregate | readonly Aggregate[]>): DataFrame;
  apply(callable: (group: DataFrame) => DataFrame | Series): DataFrame;
}

/** What `new DataFrame(…)` takes: rows of cells, records, or an object of columns. */
export interface DataFrameConstructor {
  new (rows?: readonly (readonly Cell[])[], options?: DataFrameOptions): DataFrame;
  new <Row extends object>(records: readonly Row[], options?: DataFrameOptions): DataFrame<Row>;
  new <Columns extends Readonly<Record<string, readonly Cell[]>>>(
    columns: Columns,
    options?: DataFrameOptions,
  ): DataFrame<{ [Name in keyof Columns]: Columns[Name][number] }>;
  readonly prototype: DataFrame;
}

/** Labels of a new DataFrame. */
export interface DataFrameOptions {
  index?: readonly Label[];
  columns?: readonly string[];
  dtypes?: readonly string[];
  config?: Readonly<Record<string, unknown>>;
}

/** Options of danfo methods that can change the object itself instead of answering a new one. */
interface InPlace {
  /** Change this object and answer nothing. Default false. */
  inplace?: boolean;
}

/** What danfo's arithmetic and comparisons take on the other side. */
type Operand = Series<unknown> | readonly number[] | number;

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
  /** The methods of texts, for a column of texts: `names.str.toUpperCase()`. */
  readonly str: TextMethods;
  /** The parts of times in UTC, for a column of times: `pnl.column('date').dt.monthName()`. */
  readonly dt: TimeMethods;
  toString(): string;
  print(): void;
}

/** Danfo's methods of times, all in UTC. Each answers a column with the same row labels, in which missing times are missing. */
interface TimeMethods {
  year(): Series<number>;
  /** 0 for January to 11 for December, as danfo counts. */
  month(): Series<number>;
  monthName(): Series<string>;
  /** 1 to 31. */
  dayOfMonth(): Series<number>;
  /** 0 for Sunday to 6 for Saturday. */
  dayOfWeek(): Series<number>;
  dayOfWeekName(): Series<string>;
  hours(): Series<number>;
  minutes(): Series<number>;
  seconds(): Series<number>;
  /** ISO 8601 text. */
  date(): Series<string>;
}

/** Danfo's methods of texts, each of which answers a column. */
interface TextMethods {
  toLowerCase(options?: InPlace): Series<string>;
  toUpperCase(options?: InPlace): Series<string>;
  capitalize(options?: InPlace): Series<string>;
  trim(options?: InPlace): Series<string>;
  charAt(index?: number, options?: InPlace): Series<string>;
  concat(other: string | readonly Cell[], position?: 0 | 1, options?: InPlace): Series<string>;
  startsWith(text: string, options?: InPlace): Series<boolean>;
  endsWith(text: string, options?: InPlace): Series<boolean>;
  includes(text: string, options?: InPlace): Series<boolean>;
  indexOf(text: string, options?: InPlace): Series<number>;
  lastIndexOf(text: string, options?: InPlace): Series<number>;
  search(text: string, options?: InPlace): Series<number>;
  repeat(times?: number, options?: InPlace): Series<string>;
  replace(searched?: string | RegExp, replacement?: string, options?: InPlace): Series<string>;
  slice(from?: number, to?: number, options?: InPlace): Series<string>;
  substr(from?: number, length?: number, options?: InPlace): Series<string>;
  substring(from?: number, to?: number, options?: InPlace): Series<string>;
  split(separator?: string, options?: InPlace): Series<string>;
  join(value?: string, joiner?: string, options?: InPlace): Series<string>;
  len(options?: InPlace): Series<number>;
}

/** What `new Series(…)` takes. */
export interface SeriesConstructor {
  new <Value extends Cell>(values?: readonly Value[], options?: SeriesOptions): Series<Value>;
  readonly prototype: Series<unknown>;
}

/** Labels of a new Series. */
interface SeriesOptions {
  index?: readonly (string | number)[];
  columns?: readonly string[];
  dtypes?: readonly string[];
}
