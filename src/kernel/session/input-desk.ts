import { UsageError } from '../../errors.js';
import type { InputRequest } from '../events.js';
import type { Incoming, Outlet, Parent } from '../protocol/message.js';

interface Question {
  parent: Parent;
  request: InputRequest;
  resolve: (text: string) => void;
  /** Of the message that asks; absent until it is sent. */
  messageId?: string;
}

/** Asks the front end that sent a cell for lines, one at a time. */
export class InputDesk {
  readonly #outlet: Outlet;
  #questions: Question[] = [];

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

  /** Takes an answer; one that nothing waits for is dropped. */
  take({ parentHeader, content }: Incoming): void {
    const [first] = this.#questions;
    // Many front ends name no parent; one that does must mean the question that is open.
    if (!first || (parentHeader.msg_id !== undefined && parentHeader.msg_id !== first.messageId)) return;
    this.#questions.shift();
    first.resolve(typeof content.value === 'string' ? content.value : '');
    this.#askNext();
  }

  /** Forgets what a cell asked for, which is over. */
  forget(parent: Parent): void {
    this.#questions = this.#questions.filter((question) => question.parent !== parent);
    this.#askNext();
  }

  #askNext(): void {
    const [first] = this.#questions;
    if (!first || first.messageId !== undefined) return;
    const content = { prompt: first.request.prompt, password: first.request.isPassword };
    first.messageId = this.#outlet.send('stdin', { type: 'input_request', content }, first.parent);
  }
}
