/** Says on a terminal what is being done now, on one line that the next one replaces; elsewhere it says nothing. */
export class Status {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** Shows what is being done now. */
  show(doing: string): void {
    if (this.#stream.isTTY) this.#stream.write(`\r\x1b[2K${doing.slice(0, (this.#stream.columns || 80) - 1)}`);
  }

  /** Takes the line away, before anything else is written. */
  clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[2K');
  }
}
