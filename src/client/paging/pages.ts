import type { Transport } from '../transport/transport.js';
import type { PageSource } from './page-source.js';
import { SeriesReader } from './series-reader.js';
import { Slots } from './slots.js';

/** How a service's pages are read. */
export interface PagesOptions {
  /** Base address of the service, for the records' provenance. */
  readonly service: string;
  /** Where queries are posted, for errors. */
  readonly url: string;
  /** Records asked for at a time. */
  readonly pageSize: number;
  /** Requests in flight at once, over all queries. */
  readonly concurrency: number;
  /** Takes out of a text what must not be told: the API key. */
  readonly hide: (text: string) => string;
  /** Told what was odd in the answers but did no harm. */
  readonly warn: (text: string) => void;
}

/**
 * The pages of a service, several in flight and in order all the same. It goes on from what came, never from what was
 * asked, since a server may send fewer; see {@link SeriesReader} for what is checked.
 */
export function servicePages(transport: Transport, options: PagesOptions): PageSource {
  const slots = new Slots(options.concurrency);
  return (request) => {
    const reader = new SeriesReader(transport, slots, request, options);
    return { pages: reader.pages(), origin: () => reader.origin() };
  };
}
