/** Shows on a terminal what is being done, on one line that it redraws; writes nothing elsewhere. */
export class Status {
  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** Shows what is being done. */
  show(doing: string): void {
    if (this.#stream.isTTY) this.#stream.write(`\r\x1b[2K${doing.slice(0, (this.#stream.columns || 80) - 1)}`);
  }

  /** Clears the line, so that something else can be written. */
  clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[2K');
  }
}
