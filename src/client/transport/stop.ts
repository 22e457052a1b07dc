/**
 * What ends one request before its time: an AbortController and its signal in one, made of so little that every request
 * can have its own. See {@link onAbort} for being told.
 */
export class Stop {
  #isAborted = false;
  #reason: unknown;
  readonly #callbacks = new Set<() => void>();

  /** Whether it was told to stop. */
  get aborted(): boolean {
    return this.#isAborted;
  }

  /** Why; undefined until then. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Tells everybody to stop, the first time that it is called. */
  abort(reason: unknown = new Error('The request was given up.')): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    for (const callback of [...this.#callbacks]) callback();
    this.#callbacks.clear();
  }

  /** @throws The reason, where it was told to stop. */
  throwIfAborted(): void {
    if (this.#isAborted) throw this.#reason;
  }

  /**
   * Calls back when it is told to stop.
   *
   * @returns Forgets the callback.
   */
  onAbort(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => {
      this.#callbacks.delete(callback);
    };
  }
}

/** What may end a request: a caller's signal, or a {@link Stop} of ours. */
export type StopSignal = AbortSignal | Stop;
