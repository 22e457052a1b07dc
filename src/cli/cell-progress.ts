import { basename } from 'node:path';

/** Shows on a terminal which cells are running, on one line that it redraws; writes nothing elsewhere. */
export class CellProgress {
  readonly #stream: NodeJS.WriteStream;
  /** Progress of each running notebook, by its path. */
  readonly #running = new Map<string, { cell: number; total: number; progress: string }>();
  #isOpen = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Shows that a cell has started, or its progress. */
  show(path: string, cell: number, total: number, progress = ''): void {
    this.#running.set(path, { cell, total, progress });
    this.#draw();
  }

  /** Removes a notebook that is done. */
  done(path: string): void {
    this.#running.delete(path);
    this.finish();
    if (this.#running.size > 0) this.#draw();
  }

  /** Clears the line, so that something else can be written; the next progress draws it again. */
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
