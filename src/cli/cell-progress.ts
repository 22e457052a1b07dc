import { basename } from 'node:path';

/** Tells on a terminal which cells run, on one line that is redrawn; elsewhere it says nothing. */
export class CellProgress {
  readonly #stream: NodeJS.WriteStream;
  /** How far each running notebook is, by its path. */
  readonly #running = new Map<string, { cell: number; total: number; progress: string }>();
  #isOpen = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Shows that a cell starts, or how far it is. */
  show(path: string, cell: number, total: number, progress = ''): void {
    this.#running.set(path, { cell, total, progress });
    this.#draw();
  }

  /** Leaves a notebook out from now on: it is over. */
  done(path: string): void {
    this.#running.delete(path);
    this.finish();
    if (this.#running.size > 0) this.#draw();
  }

  /** Takes the line away, before anything else is written; what comes next draws it anew. */
  finish(): void {
    if (this.#isOpen) this.#stream.write('\r\x1b[2K');
    this.#isOpen = false;
  }

  #draw(): void {
    if (!this.#stream.isTTY) return;
    const parts = [...this.#running].map(([path, { cell, total, progress }]) => {
      return `${basename(path)}: cell ${cell} of ${total}${progress && ` · ${progress}`}`;
    });
    const text = `running ${parts.join(' | ')}`.replaceAll('\n', ' ');
    this.#stream.write(`\r\x1b[2K${text.slice(0, (this.#stream.columns || 80) - 1)}`);
    this.#isOpen = true;
  }
}
