import type { Transport } from '../transport/transport.js';
import type { PageSource } from './page-source.js';
import { SeriesReader } from './series-reader.js';
import { Slots } from './slots.js';

/** How a service's pages are read. */
export interface PagesOptions {
  /** Base address of the service, for the records' provenance. */
  readonly service: string;
  /** Address that queries are posted to, for errors. */
  readonly url: string;
  /** Number of records per request. */
  readonly pageSize: number;
  /** Number of requests in flight at once, over all queries. */
  readonly concurrency: number;
  /** Removes the API key from a text. */
  readonly hide: (text: string) => string;
  /** Called with a description of answers that were odd but did no harm. */
  readonly warn: (text: string) => void;
}

/**
 * Reads the pages of a service in order, with several requests in flight. Each page continues from the records that
 * came, not from those requested, since a server may send fewer. See {@link SeriesReader} for the checks.
 */
export function servicePages(transport: Transport, options: PagesOptions): PageSource {
  const slots = new Slots(options.concurrency);
  return (request) => {
    const reader = new SeriesReader(transport, slots, request, options);
    return { pages: reader.pages(), origin: () => reader.origin() };
  };
}
