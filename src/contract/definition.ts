import type { Granularity } from './time.js';

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
  /** Whether it is a share of one, such as a win rate or a return: 0.1 means 10%, as which tables show it. */
  readonly fraction?: true;
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

/** An id of hexadecimal digits. */
export const HEX_ID = { dtype: 'string', hex: true, nullable: false } as const;
/** An amount in dollars, sent as text. */
export const DOLLARS = { dtype: 'float64', unit: 'USD', nullable: false, decimal: true } as const;
/** A share in percent, sent as text. */
export const PERCENT = { dtype: 'float64', unit: '%', nullable: false, decimal: true } as const;

/** The JavaScript value of one cell of a column. */
type ValueOf<C extends Column> = C['dtype'] extends 'boolean'
  ? boolean | NullOf<C>
  : C['dtype'] extends 'int32' | 'float64'
    ? number | NullOf<C>
    : string | NullOf<C>;

type NullOf<C extends Column> = C['nullable'] extends true ? null : never;

/** The record type that a list of columns describes, numbers decoded. */
export type RecordOf<Columns extends readonly Column[]> = {
  [C in Columns[number] as C['name']]: ValueOf<C>;
};

/** The record type that a list of columns describes, as it is sent: decimals as text. */
export type SentRecordOf<Columns extends readonly Column[]> = {
  [C in Columns[number] as C['name']]: C extends { decimal: true } ? string | NullOf<C> : ValueOf<C>;
};

/** The kind of value that a parameter takes; {@link OptionOf} says what the client accepts for each. */
export type ParameterKind =
  | 'boolean'
  | 'amount'
  | 'signedAmount'
  | 'count'
  | 'text'
  | 'choice'
  | 'conditionId'
  | 'conditionIds'
  | 'tokenId'
  | 'wallet'
  | 'unixSeconds'
  | 'date'
  | 'granularity';

/** One filter of a dataset: its names on the wire and in the client, its kind and its meaning. */
export interface Parameter {
  /** Name on the wire, in `params`. */
  readonly name: string;
  /** Name in the client's options. */
  readonly option: string;
  readonly kind: ParameterKind;
  readonly required: boolean;
  /** The value that the service applies and echoes if the parameter is omitted. */
  readonly default?: string;
  /** The values that a parameter of the kind `choice` takes. */
  readonly choices?: readonly string[];
  /** The value that means the same as leaving the filter out; in an id or a list of ids, in any case. */
  readonly wildcard?: 'ALL';
  readonly meaning: string;
  readonly example: string;
}

/** The filter by wallets, which each dataset names on the wire as it likes. */
export const WALLETS = {
  option: 'wallet',
  kind: 'wallet',
  required: true,
  meaning: 'The wallet, or up to 100 wallets with commas between.',
  example: `0x${'5'.repeat(40)}`,
} as const;

/** The value that the client accepts for a parameter. */
type OptionOf<P extends Parameter> = {
  boolean: boolean;
  amount: number;
  signedAmount: number;
  count: number;
  text: string;
  choice: ChoiceOf<P> | WildcardOf<P>;
  conditionId: string;
  conditionIds: string | readonly string[];
  tokenId: string;
  wallet: string | readonly string[];
  unixSeconds: Date | string | number;
  date: Date | string;
  granularity: Granularity;
}[P['kind']];

type ChoiceOf<P extends Parameter> = P extends { choices: readonly (infer Choice)[] } ? Choice : string;
type WildcardOf<P extends Parameter> = P extends { wildcard: infer Wildcard } ? Wildcard : never;

/** The client's options for a list of parameters, by their option names. */
export type OptionsOf<Parameters extends readonly Parameter[]> = {
  [P in Extract<Parameters[number], { required: true }> as P['option']]: OptionOf<P>;
} & {
  [P in Extract<Parameters[number], { required: false }> as P['option']]?: OptionOf<P> | undefined;
};

/**
 * The value that the service works with, by kind: amounts, which are lower bounds, in micro-units and rounded up; signed
 * amounts in micro-units, exactly; dates as UTC day numbers; times in Unix seconds; ids in lower case; wallets and
 * condition ids as lists without repeats. A filter that is given its wildcard has no value.
 */
export type ParsedOf<P extends Parameter> = {
  boolean: boolean;
  amount: bigint;
  signedAmount: bigint;
  count: number;
  text: string;
  choice: ChoiceOf<P>;
  conditionId: string;
  conditionIds: string[];
  tokenId: string;
  wallet: string[];
  unixSeconds: number;
  date: number;
  granularity: Granularity;
}[P['kind']];
