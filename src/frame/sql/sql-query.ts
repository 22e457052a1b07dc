import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBValue } from '@duckdb/node-api';
import { UsageError } from '../../base/errors.js';
import { refuseLocalDays, refuseLocalMidnight } from '../../base/local-midnight.js';
import { shownValue } from '../../base/option-types.js';
import { jsonIn } from '../../base/texts.js';
import type { DataFrame } from '../danfo/danfo.js';
import { frameFromVectors } from '../danfo/frame-from-vectors.js';
import { describedColumn } from '../tabular/columns-of.js';
import type { Tabular } from '../tabular/tabular.js';
import type { MomentForm } from '../vector/moment-form.js';
import { originsOf } from './column-origins.js';
import { type Engine, withEngine } from './engine.js';
import { namesAlike, offerFrame, refuseNulName } from './offer-frame.js';
import type { PassedRow } from './passed-columns.js';
import { readRelation } from './read-relation.js';
import { sqlFailure } from './sql-failure.js';

/** A value for a parameter of an SQL statement. */
export type SqlParameter = string | number | boolean | bigint | Date | null | readonly SqlParameter[];

/** Values of the parameters `$1`, `$2`, … or `?`, in their order, or of `$name`, by name. */
export type SqlParameters = readonly SqlParameter[] | Readonly<Record<string, SqlParameter>>;

const RESULT = '"oddslab result"';

/**
 * Runs an SQL query on frames, by an embedded DuckDB that is loaded when it is first needed.
 *
 * In the tables, missing values are NULL; numbers are DOUBLE, or INTEGER and BIGINT in `int32` columns; exact amounts
 * are DECIMAL with six places. `datetime` columns are TIMESTAMP in UTC (days among times are their midnight), or DATE
 * if they hold only days, so that `date_trunc` and comparisons work. If a time has nine digits of a second, the column
 * is TIMESTAMP_NS; if such a column also has a time outside the years 1677 to 2262, or a time has more than nine
 * digits, it is VARCHAR. Half a surrogate pair in a text, which UTF-8 cannot represent, is U+FFFD there.
 *
 * In the result, whole numbers become `int32` if all of them fit, else doubles if none is beyond ±2⁵³, else text, so
 * they are never rounded; decimals of up to six places become exact amounts, others the nearest doubles; dates and
 * times ISO 8601 text, infinite ones `infinity` or `-infinity`, dates before the year 1 as DuckDB prints them, and a
 * column is `string`, not `datetime`, if one of its times is infinite or in a year beyond 9999 or before 0; lists and
 * structs JSON text; NULL is missing. A column that is selected unchanged, by its name or by `*`, keeps its unit and
 * meaning, also under a new name and through joins, subqueries, WITH and UNION; the sum, mean, median, least or greatest
 * of a column keeps its unit; what else is computed, as `roi * 100 AS roi`, has none. The result has the provenance of
 * all sources.
 *
 * The query is one statement that returns rows. It can read local files: `FROM 'trades.parquet'` has only the columns
 * of the file; `read_parquet(…)`, `read_csv(…)` and `read_json(…)` take options, and also have columns from folders
 * called `name=value`, which replace those of the file of that name unless `hive_partitioning = false`. DuckDB reads
 * ids of more than 18 digits in CSV as DOUBLE, which rounds them: name their types, as in
 * `read_csv('fills.csv', types = {'token': 'VARCHAR'})`. The query cannot use the network, write files or change
 * settings. The frames are not changed.
 *
 * TypeScript knows the columns of one table that are selected by their own names (`SELECT date, sum(pnl) AS pnl FROM pnl`
 * knows `date`), and all of `SELECT * FROM pnl WHERE …`; `query<Row>(…)` declares others.
 *
 * @param sql The query; the order of its rows is only defined by ORDER BY.
 * @param frames The frames, by the names of their tables.
 * @param parameters Values for `$1`, `?` or `$name`, which are bound, never inserted into the text.
 * @returns The rows; if there are none, all the columns without rows.
 * @throws {UsageError} If a table is not a frame, the names of two differ only by case, or a table's or column's has
 * U+0000. If the query is wrong or
 * fails: with the reason and, if it names a missing table, the names of those that exist. If a column of the result has
 * decimals of up to six places beyond ±9.2 trillion, too large for exact amounts: select it as `total::DOUBLE`, which
 * rounds, or as `total::VARCHAR`.
 * @throws {ColumnError} If a frame has no column, one that mixes kinds of values, or two whose names differ only by
 * case.
 * @example await query('SELECT proxy_wallet, sum(pnl) AS pnl FROM pnl WHERE pnl > $1 GROUP BY ALL', { pnl }, [0]);
 */
export function query<const Sql extends string, const Frames extends Readonly<Record<string, Tabular>>>(
  sql: Sql,
  frames: Frames,
  parameters?: SqlParameters,
): Promise<DataFrame<PassedRow<Sql, Frames>>>;
export function query<Row extends object = object>(
  sql: string,
  frames?: Readonly<Record<string, Tabular>>,
  parameters?: SqlParameters,
): Promise<DataFrame<Row>>;
export function query(
  sql: string,
  frames: Readonly<Record<string, Tabular>> = {},
  parameters: SqlParameters = [],
): Promise<DataFrame> {
  return withEngine(async (engine) => {
    checkGiven(sql, frames, parameters);
    checkTables(Object.keys(frames));
    const forms = new Map<string, MomentForm>();
    for (const [name, frame] of Object.entries(frames)) {
      checkFrame(name, frame);
      const { moments } = await offerFrame(engine, name, frame);
      for (const [at, form] of moments.entries()) if (form) forms.set(frame.columns[at] ?? '', form);
    }
    try {
      await answer(engine, sql, parameters);
    } catch (cause) {
      throw sqlFailure(cause, frames);
    }
    const read = await readRelation(engine, RESULT, forms);
    const origins = originsOf(await treeOf(engine, sql), frames);
    const known = origins?.length === read.length ? origins : [];
    const columns = read.map(({ name, dtype, vector }, at) => describedColumn(name, dtype, vector, known[at]?.origin));
    const vectors = read.map(({ vector }) => vector);
    return frameFromVectors(columns, vectors, ...Object.values(frames));
  });
}

/** Checks what only TypeScript would have told. */
function checkGiven(sql: unknown, frames: unknown, parameters: unknown): void {
  if (typeof sql !== 'string') throw new UsageError(`query() needs a statement as text; got ${found(sql)}.`);
  // The database would take the text to end there, and answer another query.
  if (sql.includes('\0'))
    throw new UsageError(
      'The query has the character U+0000, which SQL cannot say: write chr(0), or give it as a parameter.',
    );
  if (isFrame(frames) || Array.isArray(frames) || frames instanceof Map)
    throw new UsageError('query() takes the frames by the names that the query gives them: query(sql, { trades }).');
  for (const [what, value] of Object.entries({ 'the frames by their names': frames, 'the parameters': parameters })) {
    if (typeof value !== 'object' || value === null)
      throw new UsageError(`query() takes ${what} in an object; got ${found(value)}.`);
  }
}

/** Of two views by one name, or of one with U+0000, the database would speak in its own words. */
function checkTables(names: readonly string[]): void {
  refuseNulName('There is a table', names);
  const alike = namesAlike(names);
  if (alike)
    throw new UsageError(
      `The tables "${alike[0]}" and "${alike[1]}" are given, which SQL does not tell apart: rename one.`,
    );
}

function found(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
}

function isFrame(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'shape' in value && 'getColumnData' in value;
}

function checkFrame(name: string, frame: unknown): void {
  if (isFrame(frame)) return;
  if (typeof frame === 'object' && frame !== null && 'then' in frame)
    throw new UsageError(`The table "${name}" is a Promise of something: await it first.`);
  throw new UsageError(
    `The table "${name}" must be a DataFrame, but is ${found(frame)}: make one of records by new DataFrame([{ price: 0.4 }]), or of columns by new DataFrame({ price: [0.4] }).`,
  );
}

/** Runs the query into a table of its own. */
async function answer(engine: Engine, sql: string, parameters: SqlParameters): Promise<void> {
  await refuseOthers(engine, sql);
  const { connection } = engine;
  const statements = await connection.extractStatements(`CREATE TEMP TABLE ${RESULT} AS ${sql}`).then(
    (direct) => direct,
    // DESCRIBE, SUMMARIZE and SHOW answer rows, but as a part of another statement alone.
    () => connection.extractStatements(`CREATE TEMP TABLE ${RESULT} AS FROM (${withoutEnd(sql)}\n)`),
  );
  for (let at = 0; at < statements.count; at += 1) {
    const prepared = await statements.prepare(at);
    try {
      // A PIVOT is two statements, the first of which takes no parameter.
      if (at === statements.count - 1) bind(engine, prepared, parameters);
      await prepared.run();
    } finally {
      prepared.destroySync();
    }
  }
}

/** Refuses what is not one statement that answers rows; finds what is wrong with the query as the user wrote it. */
async function refuseOthers({ duckdb, connection }: Engine, sql: string): Promise<void> {
  const statements = await connection.extractStatements(sql).catch(async (cause) => {
    if (await isNothing(connection, sql)) throw new UsageError('query() needs a statement, but the text is empty.');
    throw cause;
  });
  // Of one statement DuckDB makes several where there is a PIVOT in it: types, and behind them what reads; all of
  // another kind in a transaction.
  const isPivot = statements.count > 1;
  if (isPivot && hasMore(sql)) {
    throw new UsageError('query() answers one statement: call it once for each, or join them by WITH … SELECT.');
  }
  const first = await statements.prepare(0);
  try {
    const { SELECT, CREATE } = duckdb.StatementType;
    if (first.statementType === (isPivot ? CREATE : SELECT)) return;
    const kind = (isPivot ? undefined : duckdb.StatementType[first.statementType]) ?? 'other';
    throw new UsageError(`query() answers statements that read, such as SELECT, not ${kind} statements.`);
  } finally {
    first.destroySync();
  }
}

/** Whether there is no statement in a text; at such a text alone DuckDB fails, but not behind a statement. */
function isNothing(connection: DuckDBConnection, sql: string): Promise<boolean> {
  return connection.extractStatements(`SELECT 1;${sql}`).then(
    ({ count }) => count === 1,
    () => false,
  );
}

/** Whether something stands after a semicolon; a semicolon in a text counts as one, which is the safe side. */
function hasMore(sql: string): boolean {
  return withoutEnd(sql).includes(';');
}

function withoutEnd(sql: string): string {
  return sql.replace(/[\s;]+$/, '');
}

/** A query as DuckDB reads it; undefined where it does not tell, as of PIVOT and DESCRIBE. */
async function treeOf({ connection }: Engine, sql: string): Promise<unknown> {
  const told = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]).catch(() => undefined);
  return jsonIn(String(told?.getRowsJson()[0]?.[0]));
}

function bind({ duckdb }: Engine, prepared: DuckDBPreparedStatement, parameters: SqlParameters): void {
  const boundOf = (name: string, parameter: SqlParameter): DuckDBValue => {
    if (isList(parameter)) {
      refuseLocalDays(`the list ${name} of query`, parameter, true);
      return duckdb.listValue(parameter.map((each) => partOf(name, each)));
    }
    refuseLocalMidnight(`${name} of query`, parameter, true);
    return partOf(name, parameter);
  };
  const partOf = (name: string, parameter: SqlParameter): DuckDBValue => {
    if (isList(parameter)) return boundOf(name, parameter);
    if (parameter instanceof Date && !Number.isNaN(parameter.getTime()))
      return new duckdb.DuckDBTimestampValue(BigInt(parameter.getTime()) * 1000n);
    if (isPlain(parameter)) return parameter;
    throw new UsageError(
      `${name} of query must be text, a number, a big integer, true, false, null, a Date, or a list of them; got ${shownValue(parameter)}.`,
    );
  };
  if (isList(parameters)) prepared.bind(parameters.map((each, at) => boundOf(`$${at + 1}`, each)));
  else {
    const entries = Object.entries(parameters);
    prepared.bind(Object.fromEntries(entries.map(([name, value]) => [name, boundOf(`$${name}`, value)])));
  }
}

function isPlain(value: unknown): value is string | number | boolean | bigint | null {
  return value === null || ['string', 'number', 'boolean', 'bigint'].includes(typeof value);
}

function isList(value: unknown): value is readonly SqlParameter[] {
  return Array.isArray(value);
}
