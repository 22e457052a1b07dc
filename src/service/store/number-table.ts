import { type FileHandle, open } from 'node:fs/promises';
import { ThriftStruct } from './thrift.js';

/** How a column of a {@link NumberTable} is kept. */
export type NumberKind = 'INTEGER' | 'DOUBLE';

/** Rows of a row group: the engine reads several of them at a time. */
const GROUP_ROWS = 1 << 16;

/** Types and words of the Parquet format, by its Thrift definition. */
const TYPE: Readonly<Record<NumberKind, number>> = { INTEGER: 1, DOUBLE: 5 };
const MAGIC = Buffer.from('PAR1');
const [PLAIN, RLE, UNCOMPRESSED, REQUIRED, DATA_PAGE] = [0, 3, 0, 0, 0];

/** Rows that are read together, and where each of their columns is. */
interface RowGroup {
  rows: number;
  places: readonly { at: number; bytes: number }[];
}

type Kinds = Readonly<Record<string, NumberKind>>;

/** The values of a row group by column, to be filled in. */
type Columns<K extends Kinds> = { readonly [Name in keyof K]: K[Name] extends 'INTEGER' ? Int32Array : Float64Array };

/**
 * Writes a table of numbers without nulls as a Parquet file, plain and unpacked: what the engine reads as fast as a table
 * of its own, and takes none of its memory or time to write. Bounded in memory; for scratch, as a half of it may stay.
 *
 * @see https://github.com/apache/parquet-format, `parquet.thrift` in the compact protocol.
 */
export class NumberTable<K extends Kinds> {
  readonly #file: FileHandle;
  readonly #kinds: K;
  readonly #groups: RowGroup[] = [];
  /** Rooms for a row group that is written already. */
  readonly #free: Columns<K>[] = [];
  #columns: Columns<K>;
  #rows = 0;
  #written = 0;
  #pending: Promise<void> = Promise.resolve();
  #before: Promise<void> = this.#pending;

  private constructor(file: FileHandle, kinds: K) {
    this.#file = file;
    this.#kinds = kinds;
    this.#columns = this.#room();
  }

  /** @throws An error of the system if it cannot be written there. */
  static async create<K extends Kinds>(path: string, kinds: K): Promise<NumberTable<K>> {
    const table = new NumberTable(await open(path, 'w'), kinds);
    table.#write([MAGIC]);
    return table;
  }

  /** Begins a row. @returns Where in {@link columns} its values belong, each of which must be set. */
  next(): number {
    if (this.#rows === GROUP_ROWS) this.#endGroup();
    return this.#rows++;
  }

  /** The columns of the row that {@link next} began last. */
  get columns(): Columns<K> {
    return this.#columns;
  }

  /**
   * Settles once no more than one row group waits to be written: for who would add faster than that.
   *
   * @throws An error of the system if one could not be written.
   */
  hasRoom(): Promise<void> {
    return this.#before;
  }

  /** Makes the file whole. @throws An error of the system if it could not be written. */
  async finish(): Promise<void> {
    if (this.#rows > 0) this.#endGroup();
    const footer = this.#metadata();
    const size = Buffer.alloc(4);
    size.writeUInt32LE(footer.length);
    this.#write([footer, size, MAGIC]);
    await this.#pending;
  }

  /** Lets go of the file, whole or not. */
  async close(): Promise<void> {
    await this.#pending.catch(() => {});
    await this.#file.close();
  }

  #room(): Columns<K> {
    const kept = this.#free.pop();
    if (kept) return kept;
    const columns = Object.entries(this.#kinds).map(([name, kind]) => [
      name,
      kind === 'INTEGER' ? new Int32Array(GROUP_ROWS) : new Float64Array(GROUP_ROWS),
    ]);
    return Object.fromEntries(columns);
  }

  #endGroup(): void {
    const [rows, columns] = [this.#rows, this.#columns];
    const places: { at: number; bytes: number }[] = [];
    const pieces: Uint8Array[] = [];
    let at = this.#written;
    for (const column of Object.values(columns)) {
      const data = new Uint8Array(column.buffer, 0, rows * column.BYTES_PER_ELEMENT);
      const header = pageHeader(rows, data.length);
      const bytes = header.length + data.length;
      places.push({ at, bytes });
      pieces.push(header, data);
      at += bytes;
    }
    this.#groups.push({ rows, places });
    this.#write(pieces, columns);
    this.#columns = this.#room();
    this.#rows = 0;
  }

  /** @param columns Free again once the pieces are written. */
  #write(pieces: readonly Uint8Array[], columns?: Columns<K>): void {
    for (const piece of pieces) this.#written += piece.length;
    this.#before = this.#pending;
    this.#pending = this.#pending.then(async () => {
      await this.#file.writev([...pieces]);
      if (columns) this.#free.push(columns);
    });
    // Whoever waits is told; until then a failure is no crash.
    this.#pending.catch(() => {});
  }

  #metadata(): Buffer {
    const columns = Object.entries(this.#kinds).map(([name, kind]) =>
      new ThriftStruct().int(1, TYPE[kind]).int(3, REQUIRED).text(4, name),
    );
    const rows = this.#groups.reduce((sum, group) => sum + group.rows, 0);
    const groups = this.#groups.map((group) => groupOf(this.#kinds, group));
    const schema = [new ThriftStruct().text(4, 'rows').int(5, columns.length), ...columns];
    return new ThriftStruct().int(1, 1).structs(2, schema).long(3, rows).structs(4, groups).bytes();
  }
}

function groupOf(kinds: Kinds, { rows, places }: RowGroup): ThriftStruct {
  const columns = Object.entries(kinds).map(([name, kind], i) => {
    const { at, bytes } = places[i] ?? { at: 0, bytes: 0 };
    const meta = new ThriftStruct().int(1, TYPE[kind]).ints(2, [PLAIN]).texts(3, [name]).int(4, UNCOMPRESSED);
    meta.long(5, rows).long(6, bytes).long(7, bytes).long(9, at);
    return new ThriftStruct().long(2, at).struct(3, meta);
  });
  const bytes = places.reduce((sum, place) => sum + place.bytes, 0);
  return new ThriftStruct().structs(1, columns).long(2, bytes).long(3, rows);
}

function pageHeader(rows: number, bytes: number): Buffer {
  const data = new ThriftStruct().int(1, rows).int(2, PLAIN).int(3, RLE).int(4, RLE);
  return new ThriftStruct().int(1, DATA_PAGE).int(2, bytes).int(3, bytes).struct(5, data).bytes();
}
