import { CANDLES } from './candles.js';
import type { Column, OptionsOf, Parameter, ParsedOf, RecordOf, SentRecordOf } from './definition.js';
import { LEADERBOARD } from './leaderboard.js';
import { LIFETIME } from './lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from './markets.js';
import { PNL, PNL_BY } from './pnl.js';
import { POSITIONS } from './positions.js';
import { TRADES } from './trades.js';

/** One dataset of the service: its number, its filters and its record. Service and client both rely on this alone. */
export interface Dataset {
  /** `agent_id` on the wire. */
  readonly id: number;
  /** Name on the command line. */
  readonly name: string;
  readonly title: string;
  /** Columns that identify a record. */
  readonly key: readonly string[];
  /** The order in which the service sends records, in words. */
  readonly order: string;
  readonly columns: readonly Column[];
  readonly parameters: readonly Parameter[];
}

/** All datasets of the contract. */
export const DATASETS = [
  MARKETS,
  PNL,
  LIFETIME,
  MARKETS_BY_STATE,
  LEADERBOARD,
  POSITIONS,
  TRADES,
  CANDLES,
] as const satisfies readonly Dataset[];

/** The options of a client's query on a dataset. */
export type QueryOptions<D extends Dataset> = OptionsOf<D['parameters']>;

/** The datasets of market records, which differ in their filters alone. */
export type MarketDatasets = typeof MARKETS | typeof MARKETS_BY_STATE;

/** A decoded record of a dataset. */
export type DatasetRecord<D extends Dataset> = RecordOf<D['columns']>;

/** A record of a dataset as it goes on the wire: every column, and none besides. */
export type SentRecord<D extends Dataset> = SentRecordOf<D['columns']>;

/** The filters of a request as the service has read them, by wire name; absent if omitted and without a default. */
export type Filters<D extends Dataset> = {
  [P in D['parameters'][number] as P['name']]?: ParsedOf<P>;
};

/**
 * What each filter of a dataset means to an engine: it narrows what is gathered in `into`. A filter of the contract
 * that an engine gives no meaning is a type error, as it would be echoed to the client and then ignored.
 */
export type FilterMeanings<D extends Dataset, Into> = {
  readonly [P in D['parameters'][number] as P['name']]: (value: ParsedOf<P>, into: Into) => void;
};

/**
 * Applies the filters that a request states, in the order of their meanings.
 *
 * @returns `into`.
 * @example narrowed({ closed: (isClosed, into) => into.push(`closed = ${isClosed}`) }, { closed: true }, []);
 */
export function narrowed<Into, Meanings extends Readonly<Record<string, (value: never, into: Into) => void>>>(
  meanings: Meanings,
  filters: { readonly [Name in keyof Meanings]?: Parameters<Meanings[Name]>[0] },
  into: Into,
): Into {
  for (const name in meanings) {
    const value = filters[name];
    if (value !== undefined) meanings[name]?.(value as never, into);
  }
  return into;
}

/** Finds the dataset with this number or command-line name; undefined if there is none. */
export function findDataset(idOrName: number | string): Dataset | undefined {
  return DATASETS.find((dataset) => dataset.id === idOrName || dataset.name === idOrName);
}

/**
 * A dataset as it answers to these filters: with `by`, records of profit and loss have more columns.
 *
 * @param filters By wire name or option.
 */
export function answeredDataset(dataset: Dataset, filters: Readonly<Record<string, unknown>>): Dataset {
  const isBy = filters.by !== undefined && filters.by !== null && filters.by !== '';
  return dataset.id === PNL.id && isBy ? PNL_BY : dataset;
}

/** A dataset of which only the number is known: it may have any filter and any column. */
export function unknownDataset(id: number): Dataset {
  return { id, name: String(id), title: '', key: [], order: '', columns: [], parameters: [] };
}
