import { InputError } from '../../base/errors.js';
import type { InputRequest } from '../events.js';
import type { CellContext } from './cell-context.js';
import type { OutputQueue } from './output-queue.js';

interface Waiting {
  resolve: (text: string) => void;
  reject: (error: InputError) => void;
}

/** The lines that cells have asked their reader for but not received yet. */
export class InputRequests {
  readonly #output: OutputQueue;
  readonly #context: CellContext;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(output: OutputQueue, context: CellContext) {
    this.#output = output;
    this.#context = context;
  }

  /**
   * Asks for a line, after all that was shown before; a value's own display method asks ahead of what it holds up.
   *
   * @throws {InputError} If nobody can be asked.
   */
  ask(request: InputRequest): Promise<string> {
    const id = ++this.#lastId;
    const cell = this.#context.current();
    const question = { type: 'input', cell, id, request } as const;
    // The place of a value that asks in order to be shown stays open until the answer comes.
    if (this.#output.isDrawing(cell)) this.#output.flush(question);
    else {
      this.#output.put(question);
      this.#output.flush();
    }
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Delivers a line that was asked for; no text means that nobody can be asked. */
  answer(id: number, text?: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (text !== undefined) waiting?.resolve(text);
    else waiting?.reject(new InputError('The cell asks for input, but nobody can be asked here: give it the value.'));
  }
}
