import { toUSVString } from 'node:util';
import type { OutputEvent } from './events.js';

/** How long text waits for more. */
const GATHER_MS = 10;
/** Most characters that one output gathers before it is passed on. */
const LARGEST = 4 * 1024 * 1024;
const FIRST_HALF = /[\ud800-\udbff]/;

type TextEvent = OutputEvent & { type: 'stream' };

interface Held {
  cell: number;
  event: TextEvent;
  texts: string[];
  length: number;
}

/**
 * Joins the many small parts in which a runner's process sends text, so that lines printed in one go are one output in
 * every run. Rejoins surrogate pairs that were cut; a half that stays alone becomes U+FFFD, as when Node prints it.
 */
export class JoinedOutput {
  readonly #onOutput: (cell: number, event: OutputEvent) => void;
  #held: Held | undefined;
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
      if (held.length > LARGEST) this.#flushCharacters();
      else this.#timer ??= this.#flushSoon();
      return;
    }
    this.flush();
    if (event.type !== 'stream') {
      this.#onOutput(cell, event);
      return;
    }
    this.#held = { cell, event, texts: [event.text], length: event.text.length };
    this.#timer = this.#flushSoon();
  }

  /** Passes on the text that waits. */
  flush(): void {
    const held = this.#release();
    if (held) this.#pass(held.cell, held.event, held.texts.join(''));
  }

  #flushSoon(): NodeJS.Timeout {
    return setTimeout(() => this.#flushCharacters(), GATHER_MS);
  }

  /** Does the same, but keeps half a surrogate pair at the end: its other half may be on its way. */
  #flushCharacters(): void {
    const held = this.#release();
    if (!held) return;
    const text = held.texts.join('');
    const end = FIRST_HALF.test(text.slice(-1)) ? text.length - 1 : text.length;
    if (end < text.length) this.#held = { ...held, texts: [text.slice(end)], length: 1 };
    if (end > 0) this.#pass(held.cell, held.event, text.slice(0, end));
  }

  #release(): Held | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  #pass(cell: number, event: TextEvent, text: string): void {
    this.#onOutput(cell, { ...event, text: toUSVString(text) });
  }
}
