import { ProblemError } from '../problems.js';

/** Tells of the end of a client's patience: calls back once it has gone. */
export type OnGone = (tell: () => void) => void;

/** Whether somebody still waits for a query's answer. It costs nothing until the query asks to be told. */
export class Patience {
  readonly #onGone: OnGone;
  #controller: AbortController | undefined;
  #isOver = false;
  #isAnswered = false;

  constructor(onGone: OnGone) {
    this.#onGone = onGone;
  }

  /** Aborted once nobody waits any more. */
  signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#abort();
      else this.#onGone(() => this.end());
    }
    return this.#controller.signal;
  }

  /** The answer is there: who leaves from now on leaves nothing behind. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** Nobody waits from now on. */
  end(): void {
    if (this.#isAnswered) return;
    this.#isOver = true;
    this.#abort();
  }

  /** The reason is no failure of ours, and nobody is there to read it. */
  #abort(): void {
    this.#controller?.abort(new ProblemError(503, 'Nobody waited for the answer any more.'));
  }
}
