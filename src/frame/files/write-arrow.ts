import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { writeWhole } from '../../base/whole-file.js';
import type { Column } from '../../contract/definition.js';
import { writtenPath } from '../csv/file-forms.js';
import type { WriteProgress, WrittenFile } from '../csv/named-file.js';
import { columnsOf } from '../tabular/columns-of.js';
import { rowCount, type Tabular, vectorsOf } from '../tabular/tabular.js';
import { plainVector } from '../vector/plain-vector.js';
import { type Arrow, arrowColumn, type MadeColumn } from './arrow-column.js';
import { FACTS_KEY, factsText } from './frame-facts.js';

/** Options of `writeArrow`. */
export interface ArrowOptions {
  /** `file` can be read from any place (Feather, version 2), `stream` only from its beginning. Default `file`. */
  format?: 'file' | 'stream';
  /** Called with the progress after each piece, and at the end. */
  onProgress?: (progress: WriteProgress) => void;
}

/**
 * Writes a frame in Arrow's IPC format. Doubles become float64, `int32` columns int32 if all their values fit, booleans
 * bool, text dictionary<int32, utf8>, exact amounts decimal128(18, 6), `datetime` columns timestamp in UTC (in
 * milliseconds if that suffices, else microseconds or nanoseconds), or date32 if they hold only days; missing values
 * are null. Days among times become their midnight; times beyond the range of nanoseconds become text, see
 * `writeParquet`. Half a surrogate pair in a text, which UTF-8 cannot represent, becomes U+FFFD. The schema holds the
 * columns' units and meanings and the provenance of the rows, so that `readArrow` gives the same frame back. The file
 * appears complete or not at all.
 *
 * @param path The file; its folder has to exist.
 * @throws {DataError} If the file cannot be written there; then nothing is left behind.
 * @throws {ColumnError} If a column mixes kinds of values.
 * @throws {UsageError} If an option is unknown, the format is another one, or the name's ending is that of another form.
 * @example await writeArrow(pnl, 'out/pnl.arrow'); // { path: '…/out/pnl.arrow', rows: 200, bytes: 15322 }
 */
export async function writeArrow(frame: Tabular, path: string, options: ArrowOptions = {}): Promise<WrittenFile> {
  knownOptions('writeArrow', options, ['format', 'onProgress']);
  const { format = 'file', onProgress } = options;
  if (format !== 'file' && format !== 'stream') {
    throw new UsageError(`There is no Arrow format "${format}": use file or stream.`);
  }
  const target = writtenPath(path, 'arrow');
  const rows = rowCount(frame);
  const pieces = encoded(await import('@uwdata/flechette'), frame, format);
  const bytes = await writeWhole(target, told(pieces, rows, onProgress));
  return { path: target, rows, bytes };
}

/** The pieces of the file: views of the columns, and the bytes between them. */
function encoded(arrow: Arrow, frame: Tabular, format: 'file' | 'stream'): Uint8Array[] {
  const columns = columnsOf(frame);
  const made = vectorsOf(frame).map((vector, at) =>
    arrowColumn(arrow, plainVector(frame.columns[at] ?? '', vector), columns[at]?.dtype ?? 'string'),
  );
  const facts = factsText(
    frame,
    made.map(({ moments }) => moments),
  );
  const schema = {
    version: arrow.Version.V5,
    endianness: arrow.Endianness.Little,
    fields: columns.map((column, at) => fieldOf(arrow, column, made[at])),
    metadata: new Map([[FACTS_KEY, facts]]),
  };
  const table = new arrow.Table(
    schema,
    made.map(({ column }) => column),
  );
  const pieces: Uint8Array[] = [];
  const sink = {
    write: (bytes: Uint8Array) => void pieces.push(bytes),
    pad: (count: number) => void pieces.push(new Uint8Array(count)),
    finish: () => null,
  };
  arrow.tableToIPC(table, { format, sink });
  return pieces;
}

function fieldOf(arrow: Arrow, { name, unit, nullable, meaning }: Column, made: MadeColumn | undefined) {
  const told = Object.entries({ unit, meaning }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const type = made?.column.type ?? arrow.nullType();
  return arrow.field(name, type, nullable || (made?.column.nullCount ?? 0) > 0, new Map(told));
}

function* told(
  pieces: readonly Uint8Array[],
  total: number,
  onProgress: ArrowOptions['onProgress'],
): Generator<Uint8Array> {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let written = 0;
  for (const piece of pieces) {
    yield piece;
    written += piece.length;
    // Smaller pieces are the bytes between the columns.
    if (piece.length > 4096) onProgress?.({ rows: Math.floor((total * written) / size), total });
  }
  onProgress?.({ rows: total, total });
}
