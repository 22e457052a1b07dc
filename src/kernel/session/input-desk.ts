import { UsageError } from '../../base/errors.js';
import type { InputRequest } from '../events.js';
import type { Incoming, Outlet, Parent } from '../protocol/message.js';

interface Question {
  parent: Parent;
  request: InputRequest;
  resolve: (text: string) => void;
  /** Id of the message that asks; absent until it is sent. */
  messageId?: string;
}

/**
 * Asks the front ends that sent cells for lines, one at a time. A question of a cell that has ended waits for those of
 * the running cell and does not hold them up.
 */
export class InputDesk {
  readonly #outlet: Outlet;
  #questions: Question[] = [];
  readonly #over = new WeakSet<Parent>();

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /**
   * Asks for a line.
   *
   * @param parent The request that runs the cell.
   * @throws {UsageError} If `isAllowed` is false: the front end has nobody to ask.
   */
  ask(parent: Parent, request: InputRequest, isAllowed: boolean): Promise<string> {
    if (!isAllowed) {
      const remedy = 'Set the value in the code, or run the notebook where someone can type.';
      throw new UsageError(`Nobody can be asked here: the front end runs this cell without input. ${remedy}`);
    }
    return new Promise((resolve) => {
      this.#questions.push({ parent, request, resolve });
      this.#askNext();
    });
  }

  /** Takes an answer; drops it if nothing waits for it. */
  take({ parentHeader, content }: Incoming): void {
    const { msg_id } = parentHeader;
    // Many front ends name no parent; one that does must name an open question.
    const meant = msg_id === undefined ? this.#first() : this.#questions.find(({ messageId }) => messageId === msg_id);
    if (!meant) return;
    this.#questions = this.#questions.filter((question) => question !== meant);
    meant.resolve(typeof content.value === 'string' ? content.value : '');
    this.#askNext();
  }

  /**
   * Notes that a cell has ended: its questions come after those of a running cell; those of a failed cell are dropped.
   */
  leave(parent: Parent, hasFailed: boolean): void {
    this.#over.add(parent);
    if (hasFailed) this.#questions = this.#questions.filter((question) => question.parent !== parent);
    this.#askNext();
  }

  /** Forgets all questions: the process that asked is gone. */
  forgetAll(): void {
    this.#questions = [];
  }

  #first(): Question | undefined {
    return this.#questions.find(({ parent }) => !this.#over.has(parent)) ?? this.#questions[0];
  }

  #askNext(): void {
    const first = this.#first();
    if (!first || first.messageId !== undefined) return;
    const content = { prompt: first.request.prompt, password: first.request.isPassword };
    first.messageId = this.#outlet.send('stdin', { type: 'input_request', content }, first.parent);
  }
}
