import { writeFile } from 'node:fs/promises';
import { ThriftStruct } from '../../src/service/store/number-table.js';

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
