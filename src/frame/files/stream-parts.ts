/** Numbers of kinds of Arrow's messages. */
const SCHEMA = 1;
const DICTIONARY = 2;

/** Numbers of fields in the tables of Arrow's messages. */
const FIELD = { kind: 1, header: 2, bodyBytes: 3, id: 0, isDelta: 2 };

/**
 * The parts of an Arrow stream, each a stream of its own: a new one begins where a dictionary is replaced. The library
 * would read all rows by the last dictionary.
 *
 * @param bytes A stream that the library can read.
 * @returns The pieces of each part, which are views of the stream.
 */
export function streamParts(bytes: Uint8Array): Uint8Array[][] {
  const stream = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const schemas: Uint8Array[] = [];
  const dictionaries = new Map<bigint, Uint8Array[]>();
  const parts: Uint8Array[][] = [];
  let rows: Uint8Array[] = [];
  const endPart = () => {
    parts.push([...schemas, ...[...dictionaries.values()].flat(), ...rows]);
    rows = [];
  };
  for (let from = 0; from + 8 <= stream.length; ) {
    // Since version 0.15, a mark comes before the length.
    const start = from + (stream.readInt32LE(from) === -1 ? 8 : 4);
    const body = start + stream.readInt32LE(start - 4);
    if (body === start) break;
    const message = start + stream.readInt32LE(start);
    const sizeAt = fieldAt(stream, message, FIELD.bodyBytes);
    const to = body + (sizeAt ? Number(stream.readBigInt64LE(sizeAt)) : 0);
    const piece = bytes.subarray(from, to);
    from = to;
    const kind = stream[fieldAt(stream, message, FIELD.kind)];
    if (kind === SCHEMA) schemas.push(piece);
    else if (kind === DICTIONARY) {
      const headerAt = fieldAt(stream, message, FIELD.header);
      const header = headerAt + stream.readInt32LE(headerAt);
      const idAt = fieldAt(stream, header, FIELD.id);
      const id = idAt ? stream.readBigInt64LE(idAt) : 0n;
      const deltaAt = fieldAt(stream, header, FIELD.isDelta);
      const earlier = dictionaries.get(id);
      if (deltaAt && stream[deltaAt] === 1) earlier?.push(piece);
      else {
        if (earlier && rows.length > 0) endPart();
        dictionaries.set(id, [piece]);
      }
    } else rows.push(piece);
  }
  endPart();
  return parts;
}

/** Where a field of a table of a message stands; 0 if it has its default. */
function fieldAt(stream: Buffer, table: number, field: number): number {
  const fields = table - stream.readInt32LE(table);
  const place = 4 + 2 * field;
  const offset = place < stream.readUInt16LE(fields) ? stream.readUInt16LE(fields + place) : 0;
  return offset === 0 ? 0 : table + offset;
}
