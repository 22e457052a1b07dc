/**
 * Ends one request early: an AbortController and its signal in one, light enough for every request to have its own. See
 * {@link onAbort} for callbacks.
 */
export class Stop {
  #isAborted = false;
  #reason: unknown;
  readonly #callbacks = new Set<() => void>();

  /** Whether it was aborted. */
  get aborted(): boolean {
    return this.#isAborted;
  }

  /** The reason; undefined until it is aborted. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Calls all callbacks, the first time that it is called. */
  abort(reason: unknown = new Error('The request was given up.')): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    for (const callback of [...this.#callbacks]) callback();
    this.#callbacks.clear();
  }

  /** @throws The reason, if it was aborted. */
  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }

  /**
   * Calls back when it is aborted.
   *
   * @returns A function that removes the callback.
   */
  onAbort(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => {
      this.#callbacks.delete(callback);
    };
  }
}

/** What may end a request: a caller's signal, or a {@link Stop}. */
export type StopSignal = AbortSignal | Stop;
