/** Lets what concerns the same thing, such as a file, be done one after another. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does something once all that was to be done before with the same thing is over, whether it failed or not. */
  async take<Result>(thing: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(thing);
    const own = (async () => {
      await before?.catch(() => {});
      return action();
    })();
    this.#last.set(thing, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(thing) === own) this.#last.delete(thing);
    }
  }
}
