import type { CellContext } from './cell-context.js';
import { mimeBundle } from './mime-bundle.js';
import type { OutputQueue } from './output-queue.js';

/** Shows each value in the place where it was given, even if its picture is ready later. */
export class ShownValues {
  readonly #output: OutputQueue;
  readonly #context: CellContext;
  readonly #promises = new WeakSet<object>();

  constructor(output: OutputQueue, context: CellContext) {
    this.#output = output;
    this.#context = context;
  }

  /**
   * Shows a value as its MIME bundle; resolves once it is shown.
   *
   * @throws Whatever the value's own display method throws.
   */
  show(value: unknown, type: 'display' | 'result'): Promise<void> {
    const shown = this.#show(value, type);
    this.#promises.add(shown);
    return shown;
  }

  /** Whether a value is a promise that `show` returned: a cell that ends in `display(x)` shows only x. */
  isPromise(value: unknown): boolean {
    return this.#promises.has(Object(value));
  }

  async #show(value: unknown, type: 'display' | 'result'): Promise<void> {
    const { fill, draw } = this.#output.reserve(this.#context.current());
    try {
      const bundle = await draw(() => mimeBundle(value));
      fill(bundle ? { type, ...bundle } : undefined);
    } catch (error) {
      fill(undefined);
      throw error;
    }
  }
}
