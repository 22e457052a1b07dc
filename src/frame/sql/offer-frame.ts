import { quoteName } from '../../base/duckdb.js';
import { ColumnError, UsageError } from '../../base/errors.js';
import { columnsOf } from '../tabular/columns-of.js';
import { type Tabular, vectorsOf } from '../tabular/tabular.js';
import type { MomentForm } from '../vector/moment-form.js';
import { type PlainVector, plainVector } from '../vector/plain-vector.js';
import { lengthOf } from '../vector/vector.js';
import { CHUNK_ROWS, ChunkColumn, type Feed } from './chunk-feed.js';
import { feedOf } from './column-feed.js';
import type { Engine } from './engine.js';
import { TextPacker } from './packed-text.js';

/** How a frame is offered to the database. */
interface OfferOptions {
  /** Where the frame goes, for errors. Default: `SQL`. */
  readonly to?: 'SQL' | 'Parquet';
  /** Called with the number of rows that the database has taken, each time it takes some. */
  onRows?: ((rows: number) => void) | undefined;
}

/** A frame that the database can read. */
interface OfferedFrame {
  readonly rows: number;
  /** Form of the moments of each column that became a DATE or TIMESTAMP. */
  readonly moments: readonly (MomentForm | undefined)[];
}

/**
 * Makes a frame readable as a view with a name. Only the words of text columns are copied in advance; the database
 * takes rows, of only the columns that a statement reads, while it runs.
 *
 * @throws {ColumnError} If the frame has no column, one that mixes types, or two whose names differ only by case, which
 * SQL does not tell apart.
 * @throws {UsageError} If the name of a column has U+0000.
 */
export async function offerFrame(
  engine: Engine,
  name: string,
  frame: Tabular,
  options: OfferOptions = {},
): Promise<OfferedFrame> {
  const { to = 'SQL' } = options;
  const vectors = checkedVectors(to === 'Parquet' ? 'The frame' : `The frame "${name}"`, to, frame);
  const columns = columnsOf(frame);
  const packer = new TextPacker(engine.bindings);
  const feeds = vectors.map((vector, at) => feedOf(engine.duckdb, packer, vector, columns[at]?.dtype ?? 'string', to));
  const rows = vectors[0] ? lengthOf(vectors[0]) : 0;
  const scan = `oddslab scan of ${name}`;
  offerScan(engine, scan, feeds, rows, options.onRows);
  const expressions = feeds.map((_, at) => `c${at} AS ${quoteName(frame.columns[at] ?? '')}`);
  await engine.connection.run(
    `CREATE TEMP VIEW ${quoteName(name)} AS SELECT ${expressions.join(', ')} FROM ${quoteName(scan)}()`,
  );
  return { rows, moments: feeds.map(({ moments }) => moments) };
}

function checkedVectors(subject: string, to: string, frame: Tabular): PlainVector[] {
  if (frame.columns.length === 0) throw new ColumnError(`${subject} has no column: ${to} needs one at least.`);
  if (frame.columns.includes(''))
    throw new ColumnError(`${subject} has a column without a name, which ${to} cannot say: name it.`);
  refuseNulName(`${subject} has a column`, frame.columns, to);
  const alike = namesAlike(frame.columns);
  if (alike) {
    throw new ColumnError(
      `${subject} has the columns "${alike[0]}" and "${alike[1]}", which ${to === 'SQL' ? 'SQL does' : 'readers of Parquet do'} not tell apart: rename one.`,
    );
  }
  return vectorsOf(frame).map((vector, at) => plainVector(frame.columns[at] ?? '', vector));
}

/** The state of a scan. */
interface Scan {
  at: number;
  /** Indexes of the columns that the statement reads. */
  readonly places: readonly number[];
}

/**
 * Makes rows readable by a table function: the database takes one chunk at a time, in order, of only the columns that
 * it reads. They are called `c0`, `c1` and so on.
 *
 * @param onRows Called after each chunk with the number of rows taken so far.
 */
function offerScan(
  { duckdb, bindings, connection }: Engine,
  name: string,
  columns: readonly Feed[],
  rows: number,
  onRows?: (rows: number) => void,
): void {
  connection.registerTableFunction(
    duckdb.DuckDBTableFunction.create({
      name,
      supportsProjectionPushdown: true,
      bindFunction(info) {
        for (const [at, { type }] of columns.entries()) info.addResultColumn(`c${at}`, type);
        info.setCardinality(rows, true);
      },
      initFunction(info) {
        info.setMaxThreads(1);
        info.setInitData({ at: 0, places: info.getColumnIndexes() } satisfies Scan);
      },
      mainFunction(info, chunk) {
        const scan = info.getInitData() as Scan;
        const taken = Math.min(CHUNK_ROWS, rows - scan.at);
        bindings.data_chunk_set_size(chunk.chunk, taken);
        if (taken === 0) return;
        for (const [index, place] of scan.places.entries()) {
          const memory = bindings.data_chunk_get_vector(chunk.chunk, index);
          columns[place]?.fill(new ChunkColumn(bindings, memory), scan.at, scan.at + taken);
        }
        scan.at += taken;
        onRows?.(scan.at);
      },
    }),
  );
}

/**
 * Refuses names with U+0000, at which the database's reader of statements takes the text to end.
 *
 * @param subject What has the name, such as `There is a table`.
 * @throws {UsageError} If there is such a name.
 */
export function refuseNulName(subject: string, names: readonly string[], to = 'SQL'): void {
  const bad = names.find((name) => name.includes('\0'));
  if (bad !== undefined)
    throw new UsageError(
      `${subject} ${JSON.stringify(bad)}, with the character U+0000 in its name, which ${to} cannot say: rename it.`,
    );
}

/** Two names that SQL does not tell apart, because they differ only by case; undefined if there are none. */
export function namesAlike(names: readonly string[]): readonly [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) return [other, name];
    seen.set(name.toLowerCase(), name);
  }
  return undefined;
}
