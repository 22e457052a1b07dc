import { basename } from 'node:path';

/** Tells on a stream which cell runs: one line redrawn on a terminal, elsewhere one line a notebook. */
export class CellProgress {
  readonly #stream: NodeJS.WriteStream;
  #path: string | undefined;
  #isOpen = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** Shows that a cell starts, or how far it is. */
  show(path: string, cell: number, total: number, progress = ''): void {
    const text = `running ${basename(path)}: cell ${cell} of ${total}${progress && ` · ${progress}`}`;
    if (this.#stream.isTTY) {
      this.#stream.write(`\r\x1b[2K${text.slice(0, (this.#stream.columns || 80) - 1)}`);
      this.#isOpen = true;
    } else if (path !== this.#path) {
      this.#stream.write(`running ${basename(path)}: ${total} cells\n`);
    }
    this.#path = path;
  }

  /** Takes the line of a terminal away, before anything else is written. */
  finish(): void {
    if (this.#isOpen) this.#stream.write('\r\x1b[2K');
    this.#isOpen = false;
  }
}
