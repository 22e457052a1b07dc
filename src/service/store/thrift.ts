import { putVarint, VARINT_BYTES, zigzag } from './varint.js';

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
