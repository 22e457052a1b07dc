import { createHash } from 'node:crypto';
import { jsonIn } from '../base/texts.js';
import { PageFile, type PageState, type PageStep } from './page-file.js';
import type { SourceRecord } from './records.js';

/** A file of records that may change: a newer version is appended only if it differs from the latest one. */
export class RecordFile<Fact> {
  readonly #folder: string;
  readonly #name: string;
  readonly #endpoint: string;
  readonly #idOf: (value: SourceRecord['value']) => string;
  readonly #factOf: (value: SourceRecord['value']) => Fact;
  readonly #latest = new Map<string, { readonly hash: string; readonly fact: Fact }>();
  #file: PageFile | undefined;

  /**
   * @param name Of the file, without its extension.
   * @param idOf What makes two records versions of the same.
   * @param factOf What is to be known of each record.
   */
  constructor(
    folder: string,
    name: string,
    endpoint: string,
    idOf: (value: SourceRecord['value']) => string,
    factOf: (value: SourceRecord['value']) => Fact,
  ) {
    this.#folder = folder;
    this.#name = `${name}.ndjson`;
    this.#endpoint = endpoint;
    this.#idOf = idOf;
    this.#factOf = factOf;
  }

  /** Reads what the file holds, if there is one. @throws {DataError} If it is damaged. */
  async load(): Promise<void> {
    if (!(await PageFile.stateOf(this.#folder, this.#name))) return;
    const file = await this.#open();
    for await (const line of file.lines()) {
      const value = jsonIn(line) as SourceRecord['value'] | undefined;
      if (value) this.#remember({ value, text: line });
    }
  }

  /** What is known of the latest version of each record. */
  facts(): Fact[] {
    return [...this.#latest.values()].map(({ fact }) => fact);
  }

  get rows(): number {
    return this.#file?.state.rows ?? 0;
  }

  /** Where the file stands; undefined if there is none yet. */
  get state(): PageState | undefined {
    return this.#file?.state;
  }

  /**
   * Appends the records that are new or differ from their latest version.
   *
   * @param step What the walk that they come from notes beside them.
   * @returns How many there were.
   */
  async add(records: readonly SourceRecord[], step?: PageStep): Promise<number> {
    const fresh = records.filter((record) => this.#remember(record));
    if (fresh.length > 0 || step)
      await (await this.#open()).append(
        fresh.map(({ text }) => text),
        step,
      );
    return fresh.length;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** @returns Whether it is new. */
  #remember({ value, text }: SourceRecord): boolean {
    const id = this.#idOf(value);
    const hash = createHash('sha1').update(text).digest('base64');
    if (this.#latest.get(id)?.hash === hash) return false;
    this.#latest.set(id, { hash, fact: this.#factOf(value) });
    return true;
  }

  async #open(): Promise<PageFile> {
    this.#file ??= await PageFile.open(this.#folder, this.#name, { endpoint: this.#endpoint, params: {} });
    return this.#file;
  }
}
