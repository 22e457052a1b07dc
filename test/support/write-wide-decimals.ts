import { writeFile } from 'node:fs/promises';
import { putVarint, VARINT_BYTES, zigzag } from '../../src/service/store/indexed-file.js';

const MAGIC = Buffer.from('PAR1');
const [BYTES, FIXED_BYTES, REQUIRED, UTF8, DECIMAL, PLAIN, RLE] = [6, 7, 0, 0, 5, 0, 3];
const WIDTH = 25;

/**
 * Writes a Parquet file of one row, with columns of text and of numbers as DECIMAL(60, 6), which neither the engine nor
 * JavaScript libraries write.
 *
 * @param row Values by column name; `a.b` is a structure `a` with the single field `b`.
 */
export async function writeWideDecimals(path: string, row: Readonly<Record<string, string | number>>): Promise<string> {
  const schema: ThriftStruct[] = [new ThriftStruct().text(4, 'rows').int(5, Object.keys(row).length)];
  const chunks: ThriftStruct[] = [];
  const pieces: Buffer[] = [MAGIC];
  let at = MAGIC.length;
  for (const [name, value] of Object.entries(row)) {
    const names = name.split('.');
    const field = names.pop() ?? '';
    for (const group of names) schema.push(new ThriftStruct().int(3, REQUIRED).text(4, group).int(5, 1));
    const [type, data] = typeof value === 'number' ? [FIXED_BYTES, decimal(value)] : [BYTES, text(value)];
    const element = new ThriftStruct().int(1, type);
    if (typeof value === 'number')
      element.int(2, WIDTH).int(3, REQUIRED).text(4, field).int(6, DECIMAL).int(7, 6).int(8, 60);
    else element.int(3, REQUIRED).text(4, field).int(6, UTF8);
    schema.push(element);
    const page = new ThriftStruct().int(1, 1).int(2, PLAIN).int(3, RLE).int(4, RLE);
    const header = new ThriftStruct().int(1, 0).int(2, data.length).int(3, data.length).struct(5, page).bytes();
    const bytes = header.length + data.length;
    const meta = new ThriftStruct()
      .int(1, type)
      .ints(2, [PLAIN])
      .texts(3, [...names, field])
      .int(4, 0)
      .long(5, 1);
    chunks.push(new ThriftStruct().long(2, at).struct(3, meta.long(6, bytes).long(7, bytes).long(9, at)));
    pieces.push(header, data);
    at += bytes;
  }
  const group = new ThriftStruct().structs(1, chunks).long(2, at).long(3, 1);
  const footer = new ThriftStruct().int(1, 1).structs(2, schema).long(3, 1).structs(4, [group]).bytes();
  const size = Buffer.alloc(4);
  size.writeUInt32LE(footer.length);
  await writeFile(path, Buffer.concat([...pieces, footer, size, MAGIC]));
  return path;
}

function decimal(value: number): Buffer {
  const bytes = Buffer.alloc(WIDTH);
  bytes.writeBigInt64BE(BigInt(Math.round(value * 1e6)), WIDTH - 8);
  return bytes;
}

function text(value: string): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(Buffer.byteLength(value));
  return Buffer.concat([size, Buffer.from(value)]);
}

const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

/**
 * Writes one struct in Thrift's compact protocol; fields must be added by ascending id.
 *
 * @see https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
class ThriftStruct {
  readonly #pieces: Uint8Array[] = [];
  #last = 0;

  int(id: number, value: number): this {
    return this.#field(id, I32, varint(zigzag(value)));
  }

  long(id: number, value: number): this {
    return this.#field(id, I64, varint(zigzag(value)));
  }

  text(id: number, value: string): this {
    return this.#field(id, BINARY, textOf(value));
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
    return this.#list(id, BINARY, values.map(textOf));
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

function textOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}
