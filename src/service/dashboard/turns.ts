/** Does one thing at a time for each name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs work once all earlier work of the same name has ended, whether or not it failed. */
  async take<T>(name: string, doing: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(doing, doing);
    this.#last.set(name, done);
    try {
      return await done;
    } finally {
      if (this.#last.get(name) === done) this.#last.delete(name);
    }
  }
}
