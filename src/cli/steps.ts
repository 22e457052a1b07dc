import { Status } from './status.js';

/** Progress of a command with several steps: a line for each thing done, and on a terminal what is being done. */
export class Steps {
  readonly #status = new Status();

  /** Shows what is being done now. */
  doing(text: string): void {
    this.#status.show(text);
  }

  /** Says what is done. */
  done(text: string): void {
    this.#status.clear();
    process.stderr.write(`✓ ${text}\n`);
  }

  /** Takes the line of what is being done away, before anything else is written. */
  clear(): void {
    this.#status.clear();
  }
}
