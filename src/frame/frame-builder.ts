import type { Column } from '../contract/column.js';
import { AnswerError } from '../errors.js';
import type { DataFrame } from './danfo.js';
import { decodeCell, expectedOf } from './decode-cell.js';
import { ExtraFields } from './extra-fields.js';
import { frameFromColumns } from './frame-from-columns.js';
import type { Cell } from './tabular.js';

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Builds a frame from pages of decoded JSON records, by key and never by position, straight into columns. Any split of
 * the same records into pages gives the same frame; without records it has no rows but all its columns and dtypes.
 * Fields that are no column are kept behind the columns, inferred over all rows (see {@link inferColumn}).
 *
 * @example
 * const builder = new FrameBuilder<PnlRecord>(PNL_COLUMNS);
 * for await (const page of pages) builder.append(page);
 * const frame = builder.build();
 */
export class FrameBuilder<Row extends object = object> {
  readonly #columns: readonly Column[];
  readonly #arrays: Cell[][];
  readonly #extra: ExtraFields;
  #pages = 0;
  #rows = 0;

  /** @param columns The dataset's; none for a dataset of unknown shape. */
  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#arrays = columns.map(() => []);
    this.#extra = new ExtraFields(columns.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])));
  }

  /** Records taken so far. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Takes the records of the next page.
   *
   * @throws {AnswerError} If a record is no object, or a value has the wrong type or is missing: names page, row (both
   * counted from 1), field and value. The builder is of no more use then.
   */
  append(records: readonly unknown[]): void {
    this.#pages += 1;
    const checked = records.map((record, at) => this.#checkRecord(record, at));
    for (const [at, column] of this.#columns.entries()) this.#appendColumn(column, this.#arrays[at] ?? [], checked);
    this.#extra.append(checked);
    this.#rows += checked.length;
  }

  /** The frame of all records taken; call it once. */
  build(): DataFrame<Row> {
    const extra = this.#extra.infer();
    const columns = [...this.#columns, ...extra.map(({ column }) => column)];
    return frameFromColumns<Row>(columns, [...this.#arrays, ...extra.map(({ cells }) => cells)]);
  }

  #checkRecord(record: unknown, at: number): JsonRecord {
    if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record as JsonRecord;
    throw new AnswerError(
      `Page ${this.#pages}, row ${at + 1} is ${show(record)} where a record (a JSON object) belongs.`,
    );
  }

  #appendColumn(column: Column, array: Cell[], records: readonly JsonRecord[]): void {
    const read = readerOf(column);
    for (let at = 0; at < records.length; at += 1) {
      const value = read(records[at] ?? {});
      const cell = decodeCell(column, value);
      if (cell === undefined) this.#refuse(column, value, at);
      array.push(cell);
    }
  }

  #refuse(column: Column, value: unknown, at: number): never {
    const what = value === undefined ? 'is missing' : `is ${show(value)}`;
    const where = `Page ${this.#pages}, row ${at + 1}: the field "${column.name}"`;
    throw new AnswerError(`${where} ${what}; it should be ${expectedOf(column)}.`);
  }
}

/** Reads a column's field from a record, or its alias; inherited members such as `constructor` are no fields. */
function readerOf({ name, alias }: Column): (record: JsonRecord) => unknown {
  const own = fieldReader(name);
  if (alias === undefined) return own;
  const other = fieldReader(alias);
  return (record) => own(record) ?? other(record);
}

function fieldReader(name: string): (record: JsonRecord) => unknown {
  if (!(name in Object.prototype)) return (record) => record[name];
  return (record) => (Object.hasOwn(record, name) ? record[name] : undefined);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
