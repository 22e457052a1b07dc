import type { Dataset } from '../../contract/dataset.js';
import type { StopSignal } from '../transport/stop.js';
import type { AheadWindow } from './ahead-window.js';

/** One page of an answer, with its records not yet decoded. */
export interface Page {
  /** The limit that the service says it applied. */
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  /** Number of records of the whole query, if the service states it. */
  readonly total?: number;
  /** JSON text of the array of records, in UTF-8. */
  readonly results: Uint8Array;
}

/** A request for one series of pages: a dataset with its filters, with at most one wallet. */
export interface SeriesRequest {
  readonly dataset: Dataset;
  /** Filters as they are sent. */
  readonly params: Readonly<Record<string, string>>;
  /** The largest number of records. Default: all. */
  readonly maxRecords?: number | undefined;
  readonly signal?: StopSignal | undefined;
  /** The window that the series of one query share; a source in front of another passes it on. Default: a new one. */
  readonly window?: AheadWindow | undefined;
}

/** Where a series' records came from; known once its last page has been read. */
export interface Origin {
  /** Base address of the service. */
  readonly service: string;
  /** When the first page was answered, ISO 8601 in UTC. */
  readonly queriedAt: string;
  /** Version of the service's data, if it states one. */
  readonly dataVersion?: string;
  /** Name of the snapshot folder that the answer was recorded into or replayed from, without its path. */
  readonly snapshot?: string;
  /** SHA-256 of the recorded answer. */
  readonly sha256?: string;
}

/** A series that is being read. */
export interface Series {
  /** The pages in order; can be read only once. */
  readonly pages: AsyncIterable<Page>;
  /** Call it after the last page. */
  origin(): Origin;
}

/** Answers queries: the service itself, or a snapshot in front of it. Nothing happens before the pages are read. */
export type PageSource = (request: SeriesRequest) => Series;
