import type { Column, RecordOf } from './column.js';
import { LIFETIME } from './lifetime.js';
import { MARKETS, MARKETS_BY_STATE } from './markets.js';
import type { OptionsOf, Parameter, ParsedOf } from './parameter.js';
import { PNL } from './pnl.js';

/** One dataset of the service: its number, its filters and its record. Both ends of the wire read this and only this. */
export interface Dataset {
  /** `agent_id` on the wire. */
  readonly id: number;
  /** Name on the command line. */
  readonly name: string;
  readonly title: string;
  /** Columns that tell one record from every other. */
  readonly key: readonly string[];
  /** The order in which our service sends records, in words. */
  readonly order: string;
  readonly columns: readonly Column[];
  readonly parameters: readonly Parameter[];
}

/** Every dataset that the contract knows. */
export const DATASETS = [MARKETS, PNL, LIFETIME, MARKETS_BY_STATE] as const satisfies readonly Dataset[];

/** Options of the client's query on a dataset. */
export type QueryOptions<D extends Dataset> = OptionsOf<D['parameters']>;

/** A decoded record of a dataset. */
export type DatasetRecord<D extends Dataset> = RecordOf<D['columns']>;

/** The filters of a request after the service has read them, by wire name; absent where omitted without a default. */
export type Filters<D extends Dataset> = {
  [P in D['parameters'][number] as P['name']]?: ParsedOf<P>;
};

/** The dataset with this number or command-line name, or undefined. */
export function findDataset(idOrName: number | string): Dataset | undefined {
  return DATASETS.find((dataset) => dataset.id === idOrName || dataset.name === idOrName);
}

/** A dataset of which the number alone is known: any filter and any column may be its. */
export function unknownDataset(id: number): Dataset {
  return { id, name: String(id), title: '', key: [], order: '', columns: [], parameters: [] };
}
