import type { DuckDBType } from '@duckdb/node-api';
import { quoteName } from '../../base/duckdb.js';
import type { Dtype } from '../../contract/definition.js';
import { isBeyondIso, type MomentForm } from '../vector/moment-form.js';
import type { Vector } from '../vector/vector.js';
import type { Engine } from './engine.js';
import { type Collector, type ColumnStatistics, needsRange, type TakenColumn, takenColumn } from './take-column.js';

/** A column of a relation as a frame holds it. */
export interface ReadColumn {
  readonly name: string;
  readonly dtype: Dtype;
  readonly vector: Vector;
}

/** A column of a relation as the database holds it. */
interface RelationColumn {
  readonly name: string;
  readonly type: DuckDBType;
}

/**
 * Reads all rows of a relation, in its order; see {@link takenColumn} for what becomes of each type.
 *
 * @param relation What stands after FROM: a table, or a table function that gives the same rows each time.
 * @param forms In which form the moments of a column of that name are said.
 * @param onRows Told how many rows have been read, now and then.
 */
export async function readRelation(
  engine: Engine,
  relation: string,
  forms: ReadonlyMap<string, MomentForm>,
  onRows?: (rows: number) => void,
): Promise<ReadColumn[]> {
  const columns = await columnsOfRelation(engine, relation);
  const statistics = await statisticsOf(engine, relation, columns);
  const rows = statistics[0]?.rows ?? 0;
  const taken: TakenColumn[] = [];
  for (const [at, { name, type }] of columns.entries()) {
    const column = takenColumn(name, type, statistics[at] ?? NO_STATISTICS, forms.get(name));
    taken.push(column.numbered ? await numbered(engine, relation, quoteName(name), column, at) : column);
  }
  const collectors = taken.map((column) => column.collector(rows));
  const values = taken.map((column, at) => column.sql(quoteName(columns[at]?.name ?? '')));
  const result = await engine.connection.stream(`SELECT ${values.join(', ')} FROM ${relation}`);
  let from = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for (const [at, collector] of collectors.entries()) collector.take(chunk.getColumnVector(at), chunk.rowCount, from);
    from += chunk.rowCount;
    onRows?.(from);
  }
  return columns.map(({ name }, at) => {
    const vector = collectors[at]?.vector() ?? { kind: 'mixed', cells: [] };
    const dtype = taken[at]?.dtype ?? 'string';
    return { name, dtype: dtype === 'datetime' && isBeyondIso(vector) ? 'string' : dtype, vector };
  });
}

const NO_STATISTICS: ColumnStatistics = { rows: 0, least: null, greatest: null, different: 0 };

async function columnsOfRelation({ connection }: Engine, relation: string): Promise<RelationColumn[]> {
  const prepared = await connection.prepare(`FROM ${relation}`);
  try {
    return Array.from({ length: prepared.columnCount }, (_, at) => ({
      name: prepared.columnName(at),
      type: prepared.columnType(at),
    }));
  } finally {
    prepared.destroySync();
  }
}

async function statisticsOf(
  { duckdb, connection }: Engine,
  relation: string,
  columns: readonly RelationColumn[],
): Promise<ColumnStatistics[]> {
  const asked = columns.flatMap(({ name, type }) => {
    const column = quoteName(name);
    const range = needsRange(type) ? [`min(${column})::VARCHAR`, `max(${column})::VARCHAR`] : ['NULL', 'NULL'];
    const { VARCHAR, DATE, TIMESTAMP_NS } = duckdb.DuckDBTypeId;
    const isText = type.typeId === VARCHAR || type.typeId === DATE || type.typeId === TIMESTAMP_NS;
    return [...range, isText ? `approx_count_distinct(${column})` : '0'];
  });
  const reader = await connection.runAndReadAll(`SELECT ${['count(*)', ...asked].join(', ')} FROM ${relation}`);
  const [rows, ...values] = reader.getRowsJson()[0] ?? [];
  return columns.map((_, at) => {
    const [least, greatest, different] = values.slice(3 * at, 3 * at + 3);
    return {
      rows: Number(rows),
      least: textOrNull(least),
      greatest: textOrNull(greatest),
      different: Number(different),
    };
  });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Lets the database number the texts of a column, so that each is read once and the rows as numbers. */
async function numbered(
  { connection }: Engine,
  relation: string,
  column: string,
  taken: TakenColumn,
  place: number,
): Promise<TakenColumn> {
  const type = quoteName(`oddslab words ${place}`);
  const text = taken.sql(column);
  await connection.run(
    `CREATE TYPE ${type} AS ENUM (SELECT DISTINCT ${text} AS word FROM ${relation} WHERE ${column} IS NOT NULL ORDER BY word)`,
  );
  const reader = await connection.runAndReadAll(`SELECT unnest(enum_range(NULL::${type})) AS word`);
  const words = reader.getColumnsJson()[0]?.map(String) ?? [];
  return {
    dtype: taken.dtype,
    sql: () => `enum_code(${text}::${type})::INTEGER`,
    collector: (rows) => numberedTexts(rows, words),
  };
}

function numberedTexts(rows: number, words: readonly string[]): Collector {
  const codes = new Int32Array(rows).fill(-1);
  return {
    take(source, count, from) {
      for (let row = 0; row < count; row += 1) {
        const code = source.getItem(row);
        if (typeof code === 'number') codes[from + row] = code;
      }
    },
    vector: () => ({ kind: 'text', codes, words, distinct: true }),
  };
}
