import { randomUUID } from 'node:crypto';
import { escapeHtml } from '../../base/texts.js';

const INTERVAL_MS = 100;

/** Shows the progress of long work in one line that is updated in place. */
export class ProgressLine {
  readonly #send: (type: string, content: object) => void;
  #id: string | undefined;
  #text = '';
  #shownAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (type: string, content: object) => void) {
    this.#send = send;
  }

  /** Shows a line, at most ten times a second; empty text ends and removes the line. */
  show(text: string): void {
    if (text === '' && this.#id === undefined) return;
    this.#text = text;
    const waitMs = this.#shownAtMs + INTERVAL_MS - performance.now();
    if (text === '' || waitMs <= 0) this.#draw();
    else this.#timer ??= setTimeout(() => this.#draw(), waitMs);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shownAtMs = performance.now();
    const type = this.#id === undefined ? 'display_data' : 'update_display_data';
    this.#id ??= randomUUID();
    const data = {
      'text/plain': this.#text,
      'text/html': this.#text === '' ? '' : `<pre>${escapeHtml(this.#text)}</pre>`,
    };
    this.#send(type, { data, metadata: {}, transient: { display_id: this.#id } });
    if (this.#text === '') this.#id = undefined;
  }
}
