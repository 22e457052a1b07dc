import type { OutputEvent } from './events.js';

/** How long text waits for more. */
const GATHER_MS = 10;
/** How many characters one output may have before it is passed on. */
const LARGEST = 4 * 1024 * 1024;

type TextEvent = OutputEvent & { type: 'stream' };

/**
 * Joins the text that a runner's process sends in many small parts, so as to lose none, into as few as a reader can
 * tell apart: lines that are printed in one go are one output, in every run.
 */
export class JoinedOutput {
  readonly #onOutput: (cell: number, event: OutputEvent) => void;
  #held: { cell: number; event: TextEvent; texts: string[]; length: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onOutput: (cell: number, event: OutputEvent) => void) {
    this.#onOutput = onOutput;
  }

  /** Takes the next output of a cell. */
  take(cell: number, event: OutputEvent): void {
    const held = this.#held;
    if (event.type === 'stream' && held?.cell === cell && held.event.name === event.name) {
      held.texts.push(event.text);
      held.length += event.text.length;
      if (held.length > LARGEST) this.flush();
      return;
    }
    this.flush();
    if (event.type !== 'stream') {
      this.#onOutput(cell, event);
      return;
    }
    this.#held = { cell, event, texts: [event.text], length: event.text.length };
    this.#timer = setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Passes on what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#onOutput(held.cell, { ...held.event, text: held.texts.join('') });
  }
}
