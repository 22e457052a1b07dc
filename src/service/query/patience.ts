import { ProblemError } from '../problems.js';

/** Registers a callback that is called once the client has gone. */
export type OnGone = (tell: () => void) => void;

/** Whether somebody still waits for a query's answer. It costs nothing until the query asks for the signal. */
export class Patience {
  readonly #onGone: OnGone;
  #controller: AbortController | undefined;
  #isOver = false;
  #isAnswered = false;

  constructor(onGone: OnGone) {
    this.#onGone = onGone;
  }

  /** A signal that is aborted once nobody waits any more. */
  signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#abort();
      else this.#onGone(() => this.end());
    }
    return this.#controller.signal;
  }

  /** Notes that the answer is there: from now on nothing is to be aborted. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** Notes that nobody waits any more. */
  end(): void {
    if (this.#isAnswered) return;
    this.#isOver = true;
    this.#abort();
  }

  /** Aborts with a reason that does not count as a failure of the service; nobody is there to read it. */
  #abort(): void {
    this.#controller?.abort(new ProblemError(503, 'Nobody waited for the answer any more.'));
  }
}
