import { type FileHandle, open } from 'node:fs/promises';
import { putVarint, VARINT_BYTES, zigzag } from './indexed-file.js';

/** The type of a column of a {@link NumberTable}. */
type NumberKind = 'INTEGER' | 'DOUBLE';

/** Rows in a row group; the engine reads several groups at a time. */
const GROUP_ROWS = 1 << 16;
/** Rows that the first arrays have room for: a small table should not take the memory of a whole group. */
const FIRST_ROWS = 1 << 10;

/** Types and constants of the Parquet format, from its Thrift definition. */
const TYPE: Readonly<Record<NumberKind, number>> = { INTEGER: 1, DOUBLE: 5 };
const MAGIC = Buffer.from('PAR1');
const [PLAIN, RLE, UNCOMPRESSED, REQUIRED, DATA_PAGE] = [0, 3, 0, 0, 0];

/** Rows that are written together, and where each of their columns is in the file. */
interface RowGroup {
  rows: number;
  places: readonly { at: number; bytes: number }[];
}

type Kinds = Readonly<Record<string, NumberKind>>;

/** The values of a row group by column, to be filled in. */
type Columns<K extends Kinds> = { readonly [Name in keyof K]: K[Name] extends 'INTEGER' ? Int32Array : Float64Array };

/**
 * Writes a table of numbers without nulls as a Parquet file, with plain encoding and no compression. The engine reads
 * such a file as fast as a table of its own, but needs no memory or time to write it. Memory is bounded. For scratch
 * files only: a failure leaves a partial file behind.
 *
 * @see https://github.com/apache/parquet-format, `parquet.thrift` in the compact protocol.
 */
export class NumberTable<K extends Kinds> {
  readonly #file: FileHandle;
  readonly #kinds: K;
  readonly #groups: RowGroup[] = [];
  /** Arrays of row groups that are written already, to be used again. */
  readonly #free: Columns<K>[] = [];
  #columns: Columns<K>;
  #capacity = FIRST_ROWS;
  #rows = 0;
  #written = 0;
  #pending: Promise<void> = Promise.resolve();
  #before: Promise<void> = this.#pending;

  private constructor(file: FileHandle, kinds: K) {
    this.#file = file;
    this.#kinds = kinds;
    this.#columns = this.#room();
  }

  /** Creates the file. @throws A system error if that fails. */
  static async create<K extends Kinds>(path: string, kinds: K): Promise<NumberTable<K>> {
    const table = new NumberTable(await open(path, 'w'), kinds);
    table.#write([MAGIC]);
    return table;
  }

  /** Begins a row. @returns Its index in {@link columns}; each column must be set there. */
  next(): number {
    if (this.#rows === GROUP_ROWS) this.#endGroup();
    else if (this.#rows === this.#capacity) this.#grow();
    return this.#rows++;
  }

  /** The columns of the row that {@link next} began last. */
  get columns(): Columns<K> {
    return this.#columns;
  }

  /**
   * Settles once at most one row group waits to be written, to slow down whoever adds rows faster than that.
   *
   * @throws A system error if a row group could not be written.
   */
  hasRoom(): Promise<void> {
    return this.#before;
  }

  /** Writes what is left, and the footer. @throws A system error if the file could not be written. */
  async finish(): Promise<void> {
    if (this.#rows > 0) this.#endGroup();
    const footer = this.#metadata();
    const size = Buffer.alloc(4);
    size.writeUInt32LE(footer.length);
    this.#write([footer, size, MAGIC]);
    await this.#pending;
  }

  /** Closes the file, finished or not. */
  async close(): Promise<void> {
    await this.#pending.catch(() => {});
    await this.#file.close();
  }

  #room(): Columns<K> {
    const columns = Object.entries(this.#kinds).map(([name, kind]) => [
      name,
      kind === 'INTEGER' ? new Int32Array(this.#capacity) : new Float64Array(this.#capacity),
    ]);
    return Object.fromEntries(columns);
  }

  #grow(): void {
    const narrow = this.#columns;
    this.#capacity *= 2;
    this.#columns = this.#room();
    for (const [name, column] of Object.entries(this.#columns)) column.set(narrow[name] ?? []);
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
    const isWhole = rows === GROUP_ROWS;
    this.#write(pieces, isWhole ? columns : undefined);
    if (isWhole) this.#columns = this.#free.pop() ?? this.#room();
    this.#rows = 0;
  }

  /** @param columns Arrays that may be used again once the pieces are written. */
  #write(pieces: readonly Uint8Array[], columns?: Columns<K>): void {
    for (const piece of pieces) this.#written += piece.length;
    this.#before = this.#pending;
    this.#pending = this.#pending.then(async () => {
      await this.#file.writev([...pieces]);
      if (columns) this.#free.push(columns);
    });
    // Whoever awaits it gets the failure; until then it must not crash the process.
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

const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

/**
 * Writes one struct in Thrift's compact protocol; fields must be added by ascending id.
 *
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export class ThriftStruct {
  readonly #pieces: Uint8Array[] = [];
  #last = 0;

  int(id: number, value: number): this {
    return this.#field(id, I32, varint(zigzag(value)));
  }

  long(id: number, value: number): this {
    return this.#field(id, I64, varint(zigzag(value)));
  }

  text(id: number, value: string): this {
    return this.#field(id, BINARY, textBytes(value));
  }

  struct(id: number, value: ThriftStruct): this {
    return this.#field(id, STRUCT, value.bytes());
  }

  ints(id: number, values: readonly number[]): this {
    return this.#list(
      id,
      I32,
      values.map((value) => varint(zigzag(value))),
    );
  }

  texts(id: number, values: readonly string[]): this {
    return this.#list(id, BINARY, values.map(textBytes));
  }

  structs(id: number, values: readonly ThriftStruct[]): this {
    return this.#list(
      id,
      STRUCT,
      values.map((value) => value.bytes()),
    );
  }

  /** The bytes of the struct, with its end mark. */
  bytes(): Buffer {
    return Buffer.concat([...this.#pieces, Buffer.of(0)]);
  }

  #list(id: number, type: number, items: readonly Uint8Array[]): this {
    const size =
      items.length < 15 ? [Buffer.of((items.length << 4) | type)] : [Buffer.of(0xf0 | type), varint(items.length)];
    return this.#field(id, LIST, Buffer.concat([...size, ...items]));
  }

  #field(id: number, type: number, value: Uint8Array): this {
    this.#pieces.push(Buffer.of(((id - this.#last) << 4) | type), value);
    this.#last = id;
    return this;
  }
}

function varint(value: number): Buffer {
  const bytes = Buffer.alloc(VARINT_BYTES);
  return bytes.subarray(0, putVarint(bytes, 0, value));
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}
