import { openWhole, type WholeFile } from '../../whole-file.js';
import type { DoubtfulRow } from './doubtful-rows.js';
import type { DoubtfulEvent } from './doubts.js';
import { INCOME } from './event-columns.js';

/** A row that is doubtful: of an input, by file and line, or of the data as a whole, by what it says. */
export type Doubtful = DoubtfulRow | DoubtfulEvent;

/** How many examples of a reason are kept. */
export const EXAMPLES = 3;

const BLOCK = 1 << 16;

/** Collects doubtful rows: a few examples of each reason, and all of them in a file where one is asked for. */
export class DoubtReport {
  readonly #file: WholeFile | undefined;
  readonly #examples = new Map<string, Doubtful[]>();
  #text = '';

  private constructor(file: WholeFile | undefined) {
    this.#file = file;
  }

  /** @param path The JSON lines file to write, if there shall be one. @throws {DataError} If it cannot be written. */
  static async open(path: string | undefined): Promise<DoubtReport> {
    return new DoubtReport(path === undefined ? undefined : await openWhole(path));
  }

  /** How many rows of each reason are of use here: undefined for all. */
  get each(): number | undefined {
    return this.#file ? undefined : EXAMPLES;
  }

  /** Whether more rows of a reason are of use. Examples of income, which is no doubt, are not worth reading a file again. */
  wants(reason: string): boolean {
    if (this.#file) return true;
    return !reason.endsWith(INCOME) && (this.#examples.get(reason)?.length ?? 0) < EXAMPLES;
  }

  async add(rows: AsyncIterable<Doubtful>): Promise<void> {
    for await (const row of rows) {
      const examples = this.#examples.get(row.reason) ?? [];
      if (examples.length < EXAMPLES) this.#examples.set(row.reason, [...examples, row]);
      if (!this.#file) continue;
      this.#text += `${JSON.stringify(row)}\n`;
      if (this.#text.length > BLOCK) await this.#flush();
    }
  }

  /** Examples by reason. */
  get examples(): ReadonlyMap<string, readonly Doubtful[]> {
    return this.#examples;
  }

  /** Puts the file in its place. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#file?.finish();
  }

  /** Leaves no file, unless it is finished. */
  async discard(): Promise<void> {
    await this.#file?.discard();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#file?.write(text);
  }
}
