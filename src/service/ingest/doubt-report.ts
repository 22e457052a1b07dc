import { openWhole, type WholeFile } from '../../base/whole-file.js';
import type { DoubtfulRow } from './doubtful-rows.js';
import type { DoubtfulEvent } from './doubts.js';
import { INCOME } from './event-columns.js';

/** A doubtful row: one of an input, with its file and line, or one of the data as a whole, with its content. */
export type Doubtful = DoubtfulRow | DoubtfulEvent;

/** The number of examples to keep for each reason. */
export const EXAMPLES = 3;

const BLOCK = 1 << 16;

/** Collects doubtful rows: a few examples for each reason, and all of them in a file if one is asked for. */
export class DoubtReport {
  readonly #file: WholeFile | undefined;
  readonly #examples = new Map<string, Doubtful[]>();
  #text = '';

  private constructor(file: WholeFile | undefined) {
    this.#file = file;
  }

  /** @param path The JSON lines file to write, if any. @throws {DataError} If it cannot be written. */
  static async open(path: string | undefined): Promise<DoubtReport> {
    return new DoubtReport(path === undefined ? undefined : await openWhole(path));
  }

  /** The number of rows that are of use for each reason; undefined for all. */
  get each(): number | undefined {
    return this.#file ? undefined : EXAMPLES;
  }

  /** Whether more rows of a reason are of use. For examples of income, which is no doubt, no file is read again. */
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

  /** The examples by reason. */
  get examples(): ReadonlyMap<string, readonly Doubtful[]> {
    return this.#examples;
  }

  /** Completes the file and puts it in its place. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#file?.finish();
  }

  /** Removes the file unless it is finished. */
  async discard(): Promise<void> {
    await this.#file?.discard();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#file?.write(text);
  }
}
