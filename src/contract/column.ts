/**
 * What a column holds in a frame. `float64` and `int32` are numbers, `datetime` is ISO 8601 text in UTC (which sorts
 * by time), `string` and `boolean` are themselves.
 */
export type Dtype = 'string' | 'boolean' | 'int32' | 'float64' | 'datetime';

/** One column of a dataset: how its values travel, what they mean, and what they are in a frame. */
export interface Column {
  /** Field name on the wire, in the frame and on a chart's axis. */
  readonly name: string;
  readonly dtype: Dtype;
  /** Unit of the values, as it would stand beside an axis: `USD`, `%`, `fills`. Absent where there is none. */
  readonly unit?: string;
  /** Whether the service may send null, an empty string or nothing. */
  readonly nullable: boolean;
  /** Sent as decimal text rather than as a JSON number, to keep every digit. */
  readonly decimal?: true;
  /** Hexadecimal digits behind `0x`, which are the same in capitals: they are read in lower case. */
  readonly hex?: true;
  /** Another field name under which some servers send the same value. */
  readonly alias?: string;
  readonly meaning: string;
}

/** The JavaScript value of one cell of a column. */
export type ValueOf<C extends Column> = C['dtype'] extends 'boolean'
  ? boolean | NullOf<C>
  : C['dtype'] extends 'int32' | 'float64'
    ? number | NullOf<C>
    : string | NullOf<C>;

type NullOf<C extends Column> = C['nullable'] extends true ? null : never;

/** The record type that a list of columns describes, numbers decoded. */
export type RecordOf<Columns extends readonly Column[]> = {
  [C in Columns[number] as C['name']]: ValueOf<C>;
};
