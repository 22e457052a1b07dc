import type { RunnerCommand, RunnerEvent } from './wire/runner.js';
import type { Answered, Question } from './wire/variables.js';

/** How long a question may wait for the process to hear it before the answer is that a cell computes. */
const UNHEARD_MS = 250;

/** The questions about variables that a runner's process is asked, and those that it has not answered yet. */
export class RunnerQuestions {
  readonly #send: (command: RunnerCommand) => void;
  readonly #open = new Map<number, { resolve: (answered: Answered) => void; timer: NodeJS.Timeout }>();
  #last = 0;

  /** @param send Sends the process a command. */
  constructor(send: (command: RunnerCommand) => void) {
    this.#send = send;
  }

  ask<Asked extends Question>(question: Asked): Promise<Answered<Asked['about']>> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<Answered>((resolve) => {
      const timer = setTimeout(() => this.#end(id, { status: 'busy' }), UNHEARD_MS);
      this.#open.set(id, { resolve, timer });
    });
    this.#send({ type: 'ask', id, question });
    // The process answers each question by its kind.
    return answered as Promise<Answered<Asked['about']>>;
  }

  /** The process has heard of a question, which it then answers, however long that takes; or here is its answer. */
  take(event: Extract<RunnerEvent, { type: 'heard' | 'told' }>): void {
    if (event.type === 'told') this.#end(event.id, event.answered);
    else clearTimeout(this.#open.get(event.id)?.timer);
  }

  /** The process has ended, and nobody is left to answer. */
  endAll(): void {
    for (const id of this.#open.keys()) this.#end(id, { status: 'lost' });
  }

  #end(id: number, answered: Answered): void {
    const open = this.#open.get(id);
    clearTimeout(open?.timer);
    open?.resolve(answered);
    this.#open.delete(id);
  }
}
