/**
 * The type of a column in a frame. `float64` and `int32` are numbers, `datetime` is ISO 8601 text in UTC, `string` is
 * text and `boolean` is true or false.
 */
export type Dtype = 'string' | 'boolean' | 'int32' | 'float64' | 'datetime';

/** The description of a column: how its values are sent, what they mean, and what they are in a frame. */
export interface Column {
  /** Field name on the wire, in the frame and on a chart's axis. */
  readonly name: string;
  readonly dtype: Dtype;
  /** Unit of the values, as at an axis: `USD`, `%`, `fills`. Absent if there is none. */
  readonly unit?: string;
  /** Whether a value may be missing: sent as null, as an empty string or not at all. */
  readonly nullable: boolean;
  /** Sent as decimal text rather than as a JSON number, to keep every digit. */
  readonly decimal?: true;
  /** Hexadecimal digits after `0x`, which mean the same in upper case: they are converted to lower case. */
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
