import type { Problem } from '../../contract/envelope.js';
import { PageError } from './visit.js';

/** A tear sheet, as parts of a page. */
export interface Sheet {
  readonly title: string;
  /** The text of a style sheet. */
  readonly style: string;
  /** The text of the script that tells what its charts hold. */
  readonly script: string;
  /** Markup in which every value is escaped. */
  readonly body: string;
  /** The wallets that no record mentions. */
  readonly unseen: readonly string[];
}

/** An answer of the query endpoint: its body as text, or why there is none. */
export type SheetAnswer = { readonly body: string } | { readonly problem: Problem };

/**
 * Makes tear sheets away from this process's own loop, from what it asks of the service. The toolkit that makes them
 * lies beyond the service, which therefore gets it handed in.
 */
export interface SheetMaker {
  /** @param job.signal Once it is aborted, all work ends and the promise is rejected. */
  make(job: {
    readonly wallets: readonly string[];
    readonly ask: (envelope: unknown) => Promise<SheetAnswer>;
    readonly signal: AbortSignal;
  }): Promise<Sheet>;
  close(): void;
}

/** How many sheets are kept, how many may wait to be made, and how long one may take from when it was asked for. */
const [MOST_KEPT, MOST_WAITING, MOST_MS] = [50, 8, 60_000];

/** How many of those that wait one account may have asked for, so that there is room for others. */
const MOST_OF_ONE = 2;

/** Sheets of one data version: each is made once, one after the other, and the latest asked for are kept. */
export class SheetShelf {
  readonly #made = new Map<string, Promise<Sheet>>();
  readonly #mostMs: number;
  #version: string | undefined;
  #waiting = 0;
  readonly #waitingOf = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(mostMs = MOST_MS) {
    this.#mostMs = mostMs;
  }

  /** Whether a sheet is there, or being made. */
  has(version: string, name: string): boolean {
    return this.#version === version && this.#made.has(name);
  }

  /**
   * The sheet of this name, made now if it is not there.
   *
   * @param account Who asks for it.
   * @throws {PageError} 503 if too many wait already, of all accounts or of this one, or it takes too long.
   */
  take(version: string, name: string, make: (signal: AbortSignal) => Promise<Sheet>, account: string): Promise<Sheet> {
    if (this.#version !== version) {
      this.#made.clear();
      this.#version = version;
    }
    const known = this.#made.get(name);
    // The least recently asked for is the first to go.
    this.#made.delete(name);
    const sheet = known ?? this.#makeInTurn(make, account);
    this.#made.set(name, sheet);
    const forget = () => {
      if (this.#made.get(name) === sheet) this.#made.delete(name);
    };
    if (!known) sheet.catch(forget);
    const [oldest = ''] = this.#made.keys();
    if (this.#made.size > MOST_KEPT) this.#made.delete(oldest);
    return sheet;
  }

  /** @throws {PageError} 503 if no further sheet of an account can wait now. */
  checkRoom(account: string): void {
    if ((this.#waitingOf.get(account) ?? 0) >= MOST_OF_ONE) {
      throw new PageError(503, 'Your other sheets are still being made', 'Load the page again once they are.', {
        'Retry-After': '10',
      });
    }
    if (this.#waiting >= MOST_WAITING) {
      throw new PageError(503, 'Too many sheets are being made', 'Load the page again in a minute.', {
        'Retry-After': '60',
      });
    }
  }

  async #makeInTurn(make: (signal: AbortSignal) => Promise<Sheet>, account: string): Promise<Sheet> {
    this.checkRoom(account);
    this.#waiting += 1;
    this.#waitingOf.set(account, (this.#waitingOf.get(account) ?? 0) + 1);
    const signal = AbortSignal.timeout(this.#mostMs);
    const before = this.#last;
    const making = before
      .catch(() => {})
      .then(() => {
        signal.throwIfAborted();
        return make(signal);
      });
    this.#last = making;
    try {
      return await making;
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new PageError(
        503,
        'This sheet takes too long',
        'Its record may be very large: the command “oddslab tearsheet” makes it without a limit.',
        { 'Retry-After': '60' },
      );
    } finally {
      this.#waiting -= 1;
      const left = (this.#waitingOf.get(account) ?? 1) - 1;
      if (left > 0) this.#waitingOf.set(account, left);
      else this.#waitingOf.delete(account);
    }
  }
}
