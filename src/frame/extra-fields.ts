import { type InferredColumn, inferColumn } from './infer-column.js';

type JsonRecord = Readonly<Record<string, unknown>>;

/** Collects the fields of records that are no known column, in the order in which they are first met. */
export class ExtraFields {
  readonly #known: ReadonlySet<string>;
  readonly #fields = new Map<string, unknown[]>();
  #rows = 0;
  #plainKeys: readonly string[] = [];

  /** @param known Names of the fields to leave out. */
  constructor(known: Iterable<string>) {
    this.#known = new Set(known);
  }

  /** Takes the fields of more records. */
  append(records: readonly JsonRecord[]): void {
    for (const record of records) {
      const keys = Object.keys(record);
      if (!sameKeys(keys, this.#plainKeys)) this.#take(record, keys);
      this.#rows += 1;
    }
  }

  /** The collected fields as columns, inferred over all rows. */
  infer(): InferredColumn[] {
    return Array.from(this.#fields, ([name, values]) => {
      while (values.length < this.#rows) values.push(undefined);
      return inferColumn(name, values);
    });
  }

  #take(record: JsonRecord, keys: readonly string[]): void {
    const extra = keys.filter((key) => !this.#known.has(key));
    if (extra.length === 0) this.#plainKeys = keys;
    for (const key of extra) {
      const values = this.#fields.get(key) ?? [];
      this.#fields.set(key, values);
      while (values.length < this.#rows) values.push(undefined);
      values.push(record[key]);
    }
  }
}

/** Whether two lists of keys are equal; records of one answer mostly have the same, so the rest is skipped for them. */
function sameKeys(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length || keys.length === 0) return false;
  for (let at = 0; at < keys.length; at += 1) if (keys[at] !== others[at]) return false;
  return true;
}
