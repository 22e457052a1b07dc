import { Stop } from '../transport/stop.js';
import type { Transport } from '../transport/transport.js';
import type { AheadWindow } from './ahead-window.js';
import { type AnswerSource, readPage } from './page-envelope.js';
import type { Page, SeriesRequest } from './page-source.js';
import type { Slots } from './slots.js';

/** A page that came, and the version of the data that it was made from where the service tells one. */
export interface CamePage {
  readonly page: Page;
  readonly dataVersion: string | undefined;
}

/** What became of a request. */
export type Outcome = CamePage | { readonly error: unknown };

/** One page that was asked for. */
export class AskedPage {
  readonly offset: number;
  readonly limit: number;
  /** Never rejects, since nobody may ever look at a page asked ahead. */
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

  /** Whether it is known already that nothing follows this page. */
  get isLast(): boolean {
    return this.#settled !== undefined && ('error' in this.#settled || !this.#settled.page.hasMore);
  }

  /** Breaks the request off where it is still under way. */
  cancel(reason?: unknown): void {
    this.#stop.abort(reason);
  }
}

/** What a series asks its pages of. */
export interface AskedOf {
  readonly transport: Transport;
  readonly slots: Slots;
  readonly window: AheadWindow;
  readonly source: AnswerSource;
}
