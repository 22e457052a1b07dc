import { Status } from './status.js';

/**
 * Shows the progress of a command with several steps: a line for each finished step and, on a terminal, the current.
 */
export class Steps {
  readonly #status = new Status();

  /** Shows what is being done. */
  doing(text: string): void {
    this.#status.show(text);
  }

  /** Prints that a step is done. */
  done(text: string): void {
    this.#status.clear();
    process.stderr.write(`✓ ${text}\n`);
  }

  /** Clears the current step, so that something else can be written. */
  clear(): void {
    this.#status.clear();
  }
}
