import type { Dataset } from '../../contract/dataset.js';
import type { StopSignal } from '../transport/stop.js';
import type { AheadWindow } from './ahead-window.js';

/** One page of an answer, its records not decoded yet. */
export interface Page {
  /** The limit that the service says it applied. */
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** How many records the whole query has, where a service tells it. */
  readonly total?: number;
  /** JSON text of the array of records, in UTF-8. */
  readonly results: Uint8Array;
}

/** One series of pages: a dataset with its filters, one wallet at most. */
export interface SeriesRequest {
  readonly dataset: Dataset;
  /** As they are sent. */
  readonly params: Readonly<Record<string, string>>;
  /** Records wanted at most; all where absent. */
  readonly maxRecords?: number | undefined;
  readonly signal?: StopSignal | undefined;
  /** What the series of one query share; a source in front of another passes it on. Default: one of the series' own. */
  readonly window?: AheadWindow | undefined;
}

/** Where a series' records came from; known once its last page has been read. */
export interface Origin {
  /** Base address of the service. */
  readonly service: string;
  /** When the first page was answered, ISO 8601 in UTC. */
  readonly queriedAt: string;
  /** Version of the service's data where it tells one. */
  readonly dataVersion?: string;
  /** Name of the snapshot folder that the answer was recorded into or replayed from, without its path. */
  readonly snapshot?: string;
  /** SHA-256 of the recorded answer. */
  readonly sha256?: string;
}

/** A series under way. */
export interface Series {
  /** In order; read them once. */
  readonly pages: AsyncIterable<Page>;
  /** Call it after the last page. */
  origin(): Origin;
}

/** What answers a query: the service itself, or a snapshot before it. Nothing runs before the pages are read. */
export type PageSource = (request: SeriesRequest) => Series;
