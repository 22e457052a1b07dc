import type { Granularity } from './bucket.js';

/** The kind of value that a parameter takes; {@link OptionOf} says what the client accepts for each. */
export type ParameterKind =
  | 'boolean'
  | 'amount'
  | 'text'
  | 'conditionId'
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
  readonly meaning: string;
  readonly example: string;
}

/** The value that the client accepts for a parameter. */
export type OptionOf<P extends Parameter> = {
  boolean: boolean;
  amount: number;
  text: string;
  conditionId: string;
  wallet: string | readonly string[];
  unixSeconds: Date | string | number;
  date: Date | string;
  granularity: Granularity;
}[P['kind']];

/** The client's options for a list of parameters, by their option names. */
export type OptionsOf<Parameters extends readonly Parameter[]> = {
  [P in Extract<Parameters[number], { required: true }> as P['option']]: OptionOf<P>;
} & {
  [P in Extract<Parameters[number], { required: false }> as P['option']]?: OptionOf<P> | undefined;
};

/**
 * The value that the service works with, by kind: amounts, which are lower bounds, in micro-units and rounded up; dates
 * as UTC day numbers; times in Unix seconds; ids in lower case; wallets as a list without repeats.
 */
export type ParsedOf<P extends Parameter> = {
  boolean: boolean;
  amount: bigint;
  text: string;
  conditionId: string;
  wallet: string[];
  unixSeconds: number;
  date: number;
  granularity: Granularity;
}[P['kind']];
