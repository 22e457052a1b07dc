import type { DuckDBType, DuckDBVector } from '@duckdb/node-api';
import { type DuckDB, quoteName } from '../../base/duckdb.js';
import { ColumnError } from '../../base/errors.js';
import type { Dtype } from '../../contract/definition.js';
import { columnsOf } from '../tabular/columns-of.js';
import { type Tabular, vectorsOf } from '../tabular/tabular.js';
import { type MomentForm, type Moments, momentsOf } from '../vector/moment-form.js';
import { type PlainVector, plainVector } from '../vector/plain-vector.js';
import { distinctWords } from '../vector/text-vector.js';
import { lengthOf, type MicrosVector, type NumberVector, type TextVector } from '../vector/vector.js';
import type { Engine } from './engine.js';

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
 */
export async function offerFrame(
  engine: Engine,
  name: string,
  frame: Tabular,
  options: OfferOptions = {},
): Promise<OfferedFrame> {
  const vectors = checkedVectors(
    options.to === 'Parquet' ? 'The frame' : `The frame "${name}"`,
    options.to ?? 'SQL',
    frame,
  );
  const columns = columnsOf(frame);
  const feeds = vectors.map((vector, at) => feedOf(engine.duckdb, vector, columns[at]?.dtype ?? 'string'));
  const rows = vectors[0] ? lengthOf(vectors[0]) : 0;
  const scan = `oddslab scan of ${name}`;
  const plain: ScanColumn[] = feeds.map((feed, at) => ({ name: `c${at}`, ...feed }));
  offerScan(engine, scan, plain, rows, options.onRows);
  const expressions: string[] = [];
  for (const [at, feed] of feeds.entries()) {
    const value = feed.words ? await numberedText(engine, `${name}.${at}`, feed, `c${at}`) : feed.sql(`c${at}`);
    expressions.push(`${value} AS ${quoteName(frame.columns[at] ?? '')}`);
  }
  await engine.connection.run(
    `CREATE TEMP VIEW ${quoteName(name)} AS SELECT ${expressions.join(', ')} FROM ${quoteName(scan)}()`,
  );
  return { rows, moments: feeds.map(({ moments }) => moments) };
}

function checkedVectors(subject: string, to: string, frame: Tabular): PlainVector[] {
  if (frame.columns.length === 0) throw new ColumnError(`${subject} has no column: ${to} needs one at least.`);
  if (frame.columns.includes(''))
    throw new ColumnError(`${subject} has a column without a name, which ${to} cannot say: name it.`);
  const alike = namesAlike(frame.columns);
  if (alike) {
    throw new ColumnError(
      `${subject} has the columns "${alike[0]}" and "${alike[1]}", which ${to === 'SQL' ? 'SQL does' : 'readers of Parquet do'} not tell apart: rename one.`,
    );
  }
  return vectorsOf(frame).map((vector, at) => plainVector(frame.columns[at] ?? '', vector));
}

/** Puts the words of a column into a list; the text of a row is the list's entry at its number. */
async function numberedText(
  engine: Engine,
  name: string,
  { words = [], hasAll }: Feed,
  plain: string,
): Promise<string> {
  const { VARCHAR, INTEGER } = engine.duckdb;
  const scan = `oddslab words of ${name}`;
  const columns: ScanColumn[] = [
    { name: 'place', type: INTEGER, fill: fillWith((place) => place) },
    { name: 'word', type: VARCHAR, fill: fillWith((place) => words[place] ?? null) },
  ];
  offerScan(engine, scan, columns, words.length);
  const table = quoteName(`oddslab list of ${name}`);
  await engine.connection.run(
    `CREATE TEMP TABLE ${table} AS SELECT list(word ORDER BY place) AS words FROM ${quoteName(scan)}()`,
  );
  const word = `(SELECT words FROM ${table})[${plain} + 1]`;
  return hasAll ? word : `CASE WHEN ${plain} >= 0 THEN ${word} END`;
}

/** A column of a scan. */
type ScanColumn = Pick<Feed, 'type' | 'fill'> & { readonly name: string };

/** The state of a scan. */
interface Scan {
  at: number;
  /** Indexes of the columns that the statement reads. */
  readonly places: readonly number[];
}

/** Number of rows in a chunk of the database. */
const CHUNK_ROWS = 2048;

/**
 * Makes rows readable by a table function: the database takes one chunk at a time, in order, of only the columns that
 * it reads.
 *
 * @param onRows Called after each chunk with the number of rows taken so far.
 */
function offerScan(
  { duckdb, connection }: Engine,
  name: string,
  columns: readonly ScanColumn[],
  rows: number,
  onRows?: (rows: number) => void,
): void {
  connection.registerTableFunction(
    duckdb.DuckDBTableFunction.create({
      name,
      supportsProjectionPushdown: true,
      bindFunction(info) {
        for (const column of columns) info.addResultColumn(column.name, column.type);
        info.setCardinality(rows, true);
      },
      initFunction(info) {
        info.setMaxThreads(1);
        info.setInitData({ at: 0, places: info.getColumnIndexes() } satisfies Scan);
      },
      mainFunction(info, chunk) {
        const scan = info.getInitData() as Scan;
        const taken = Math.min(CHUNK_ROWS, rows - scan.at);
        chunk.rowCount = taken;
        if (taken === 0) return;
        for (const [index, place] of scan.places.entries()) {
          const target = chunk.getColumnVector(index);
          columns[place]?.fill(target, scan.at);
          target.flush();
        }
        scan.at += taken;
        onRows?.(scan.at);
      },
    }),
  );
}

/** How a column gets into the database: as plain values, which an SQL expression then converts. */
interface Feed {
  /** Type of the plain values. */
  readonly type: DuckDBType;
  /** Sets the next values of a chunk from the rows that begin at `from`. */
  fill(target: DuckDBVector, from: number): void;
  /** Returns the SQL of the value, given that of the plain one. */
  sql(plain: string): string;
  /** The texts that the plain values are indexes of. */
  readonly words?: readonly string[];
  /** Whether each row has one of them. */
  readonly hasAll?: boolean;
  /** Form of the column's moments, if it becomes a DATE or TIMESTAMP. */
  readonly moments?: MomentForm;
}

const INT32_LIMIT = 2 ** 31;
/** The smallest number of micro-units with more than 18 digits. */
const DECIMAL18_LIMIT = 10n ** 18n;
const LEAST = -(2n ** 63n);
const LEAST_BIGINT = `(${LEAST})`;

/**
 * The feed of a column: doubles as DOUBLE (INTEGER or BIGINT where the dtype is `int32` and every value whole), exact
 * amounts as DECIMAL with six places, text as VARCHAR, booleans as BOOLEAN; moments (see {@link momentsOf}) as DATE,
 * TIMESTAMP or TIMESTAMP_NS. What is missing becomes NULL.
 */
function feedOf(duckdb: DuckDB, vector: PlainVector, dtype: Dtype): Feed {
  switch (vector.kind) {
    case 'number':
      return numberFeed(duckdb, vector, dtype === 'int32');
    case 'micros':
      return microsFeed(duckdb, vector);
    case 'boolean':
      return {
        type: duckdb.TINYINT,
        fill: filler(vector.values),
        sql: (plain) => `CASE WHEN ${plain} >= 0 THEN ${plain} = 1 END`,
      };
    default:
      return textFeed(duckdb, vector, dtype);
  }
}

/** Fills a chunk with a part of an array: at once where the chunk's own array is of the same kind. */
function filler(values: Float64Array | BigInt64Array | Int32Array | Int8Array): Feed['fill'] {
  const oneByOne = fillWith((row) => values[row] ?? null);
  return (target, from) => {
    const items: unknown = Reflect.get(target, 'items');
    const part = values.subarray(from, from + target.itemCount);
    // No value stands for NULL here, so that the chunk's validity is not touched.
    if (items instanceof Float64Array && part instanceof Float64Array) items.set(part);
    else if (items instanceof Int32Array && !(part instanceof BigInt64Array)) items.set(part);
    else if (items instanceof Int8Array && part instanceof Int8Array) items.set(part);
    else if (items instanceof BigInt64Array && part instanceof BigInt64Array) items.set(part);
    else oneByOne(target, from);
  };
}

/** Fills a chunk with the values that a function returns by row. */
function fillWith(valueAt: (row: number) => number | bigint | string | null): Feed['fill'] {
  return (target, from) => {
    const rows = target.itemCount;
    for (let row = 0; row < rows; row += 1) target.setItem(row, valueAt(from + row));
  };
}

/** Fills a chunk with moments, and with {@link LEAST} where one is missing. */
function pickedFrom({ codes, values }: Moments): Feed['fill'] {
  const oneByOne = fillWith((row) => values[codes[row] ?? -1] ?? LEAST);
  return (target, from) => {
    const items: unknown = Reflect.get(target, 'items');
    if (!(items instanceof BigInt64Array)) return oneByOne(target, from);
    for (let at = 0; at < items.length; at += 1) {
      const code = codes[from + at] as number;
      items[at] = code < 0 ? LEAST : (values[code] as bigint);
    }
  };
}

function numberFeed(duckdb: DuckDB, { values }: NumberVector, whole: boolean): Feed {
  const type = whole ? integerType(values) : undefined;
  const value = (plain: string) => (type ? `${plain}::${type}` : plain);
  // Most columns lack nothing, and need not be asked for each row.
  if (!values.some(Number.isNaN)) {
    const isSmall = type === 'INTEGER';
    return {
      type: isSmall ? duckdb.INTEGER : duckdb.DOUBLE,
      fill: filler(values),
      sql: isSmall ? (plain) => plain : value,
    };
  }
  return {
    type: duckdb.DOUBLE,
    fill: filler(values),
    sql: (plain) => `CASE WHEN NOT isnan(${plain}) THEN ${value(plain)} END`,
  };
}

/** The narrowest type that holds every value unchanged; undefined if only a double does. */
function integerType(values: Float64Array): 'INTEGER' | 'BIGINT' | undefined {
  let type: 'INTEGER' | 'BIGINT' = 'INTEGER';
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return undefined;
    if (Math.abs(value) >= INT32_LIMIT) type = 'BIGINT';
  }
  return type;
}

function microsFeed(duckdb: DuckDB, { values }: MicrosVector): Feed {
  const isLarge = values.some(
    (value) => value > -(2n ** 63n) && (value >= DECIMAL18_LIMIT || value <= -DECIMAL18_LIMIT),
  );
  const exact = (plain: string) => `${plain}::DECIMAL(19, 0) * 0.000001::DECIMAL(7, 6)`;
  return {
    type: duckdb.BIGINT,
    fill: filler(values),
    sql: (plain) =>
      `CASE WHEN ${plain} <> ${LEAST_BIGINT} THEN (${exact(plain)})::DECIMAL(${isLarge ? 26 : 18}, 6) END`,
  };
}

function textFeed(duckdb: DuckDB, vector: TextVector, dtype: Dtype): Feed {
  const moments = momentsOf(vector, dtype);
  if (moments) {
    const make = moments.form === 'nanos' ? 'make_timestamp_ns' : 'make_timestamp';
    const type = moments.form === 'day' ? '::DATE' : '';
    return {
      type: duckdb.BIGINT,
      fill: pickedFrom(moments),
      sql: (plain) => {
        const moment = `${make}(${plain})${type}`;
        return moments.codes.includes(-1) ? `CASE WHEN ${plain} <> ${LEAST_BIGINT} THEN ${moment} END` : moment;
      },
      moments: moments.form,
    };
  }
  const { codes, words } = distinctWords(vector);
  if (words.length > codes.length / 2) {
    return {
      type: duckdb.VARCHAR,
      fill: fillWith((row) => words[codes[row] ?? -1] ?? null),
      sql: (plain) => plain,
    };
  }
  const hasAll = !codes.includes(-1);
  return { type: duckdb.INTEGER, fill: filler(codes), sql: (plain) => plain, words, hasAll };
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
