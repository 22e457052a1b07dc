import { basename } from 'node:path';

/** Shows on a terminal what is being done, on one line that it redraws; writes nothing elsewhere. */
export class Status {
  readonly #stream: NodeJS.WriteStream;
  #isOpen = false;

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream;
  }

  /** Shows what is being done. */
  show(doing: string): void {
    if (!this.#stream.isTTY) return;
    this.#stream.write(`\r\x1b[2K${doing.slice(0, (this.#stream.columns || 80) - 1)}`);
    this.#isOpen = true;
  }

  /** Clears the line, so that something else can be written. */
  clear(): void {
    if (this.#isOpen) this.#stream.write('\r\x1b[2K');
    this.#isOpen = false;
  }

  /** Prints on a line of its own what could not be done, where the rest goes on. */
  note(text: string): void {
    this.clear();
    this.#stream.write(`! ${text}\n`);
  }

  /** Prints on a line of its own that a step is done. */
  done(step: string): void {
    this.clear();
    this.#stream.write(`✓ ${step}\n`);
  }
}

/** Shows on a terminal which cells are running. */
export class CellProgress {
  readonly #status: Status;
  /** Progress of each running notebook, by its path. */
  readonly #running = new Map<string, string>();

  constructor(stream: NodeJS.WriteStream) {
    this.#status = new Status(stream);
  }

  /** Shows that a cell has started, or its progress. */
  show(path: string, cell: number, total: number, progress = ''): void {
    this.#running.set(path, `${basename(path)}: cell ${cell} of ${total}${progress && ` · ${progress}`}`);
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
    this.#status.clear();
  }

  #draw(): void {
    this.#status.show(`running ${[...this.#running.values()].join(' | ')}`.replaceAll('\n', ' '));
  }
}

/** One cell of a printed row; null for an empty one. */
export type RowCell = string | number | null;

/**
 * Lays out rows as lines: for a terminal in columns below a header, numbers aligned right; for another program
 * separated by tabs and without a header, so that every line is a row.
 *
 * @param isTerminal Whether the output goes to a terminal: `process.stdout.isTTY`.
 * @returns Lines with their line ends; an empty string if there are no rows.
 * @example rowsText(['ID', 'NAME'], [['1a', 'laptop']], false); // '1a\tlaptop\n'
 */
export function rowsText(
  heads: readonly string[],
  rows: readonly (readonly RowCell[])[],
  isTerminal: boolean | undefined,
): string {
  if (rows.length === 0) return '';
  const texts = rows.map((row) => row.map((cell) => String(cell ?? '')));
  if (!isTerminal) return texts.map((row) => `${row.join('\t')}\n`).join('');
  const widths = heads.map((head, at) =>
    texts.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), head.length),
  );
  const isNumber = heads.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const line = (row: readonly string[]) => {
    const cells = widths.map((width, at) => (isNumber[at] ? row[at]?.padStart(width) : row[at]?.padEnd(width)));
    return `${cells.join('  ').trimEnd()}\n`;
  };
  return [heads, ...texts].map(line).join('');
}
