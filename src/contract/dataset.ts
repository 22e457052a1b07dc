import type { Column, OptionsOf, Parameter, ParsedOf, RecordOf } from './definition.js';
import { LIFETIME } from './lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from './markets.js';
import { PNL } from './pnl.js';

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
export const DATASETS = [MARKETS, PNL, LIFETIME, MARKETS_BY_STATE] as const satisfies readonly Dataset[];

/** The options of a client's query on a dataset. */
export type QueryOptions<D extends Dataset> = OptionsOf<D['parameters']>;

/** A decoded record of a dataset. */
export type DatasetRecord<D extends Dataset> = RecordOf<D['columns']>;

/** The filters of a request as the service has read them, by wire name; absent if omitted and without a default. */
export type Filters<D extends Dataset> = {
  [P in D['parameters'][number] as P['name']]?: ParsedOf<P>;
};

/** Finds the dataset with this number or command-line name; undefined if there is none. */
export function findDataset(idOrName: number | string): Dataset | undefined {
  return DATASETS.find((dataset) => dataset.id === idOrName || dataset.name === idOrName);
}

/** A dataset of which only the number is known: it may have any filter and any column. */
export function unknownDataset(id: number): Dataset {
  return { id, name: String(id), title: '', key: [], order: '', columns: [], parameters: [] };
}
