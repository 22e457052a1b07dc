import { Stop } from '../transport/stop.js';
import type { Transport } from '../transport/transport.js';
import type { AheadWindow } from './ahead-window.js';
import { type AnswerSource, readPage } from './page-envelope.js';
import type { Page, SeriesRequest } from './page-source.js';
import type { Slots } from './slots.js';

/** A page that arrived, and the version of its data if the service states one. */
export interface CamePage {
  readonly page: Page;
  readonly dataVersion: string | undefined;
}

/** The outcome of a request. */
export type Outcome = CamePage | { readonly error: unknown };

/** A requested page. */
export class AskedPage {
  readonly offset: number;
  readonly limit: number;
  /** The outcome; never rejects, since a page that was requested ahead may never be read. */
  readonly outcome: Promise<Outcome>;
  readonly #stop = new Stop();
  #settled: Outcome | undefined;

  constructor(
    { transport, slots, window, source }: AskedOf,
    { dataset, params }: SeriesRequest,
    pagination: { limit: number; offset: number },
  ) {
    const stop = this.#stop;
    this.offset = pagination.offset;
    this.limit = pagination.limit;
    const envelope = { agent_id: dataset.id, params, pagination, formatter_config: { format_type: 'raw' } };
    const post = () => {
      window.requests += 1;
      return transport.post(envelope, stop);
    };
    const read = async (): Promise<CamePage> => {
      const { body, dataVersion, waitedMs } = await slots.run(post, stop);
      window.waitedMs += waitedMs;
      return { page: readPage(body, source), dataVersion };
    };
    const settle = (outcome: Outcome): Outcome => {
      this.#settled = outcome;
      return outcome;
    };
    this.outcome = read().then(settle, (error: unknown) => settle({ error }));
  }

  /** Whether it is already known that no page follows. */
  get isLast(): boolean {
    return this.#settled !== undefined && ('error' in this.#settled || !this.#settled.page.hasMore);
  }

  /** Cancels the request if it is still under way. */
  cancel(reason?: unknown): void {
    this.#stop.abort(reason);
  }
}

/** What a series needs to request its pages. */
export interface AskedOf {
  readonly transport: Transport;
  readonly slots: Slots;
  readonly window: AheadWindow;
  readonly source: AnswerSource;
}
