import { type ResultColumn, type ResultTable, tableName } from './result-tables.js';
import { shardOfWallet } from './shard-of.js';

/** Characters that TabSeparated cannot hold as they are, and their escapes, both in DuckDB's SQL. */
const ESCAPED = [
  ["'\\'", "'\\\\'"],
  ['chr(9)', "'\\t'"],
  ['chr(10)', "'\\n'"],
  ['chr(13)', "'\\r'"],
] as const;

/** DuckDB's statement for the rows of a table: each one's shard, and its line in ClickHouse's TabSeparated. */
export function linesOf(table: ResultTable, shards: number): string {
  return `SELECT ${shardColumn(table, shards)} AS shard, ${joined(table, escapedText)} AS line FROM ${table.source ?? table.name}`;
}

/** DuckDB's statement for the number of a table's rows by shard, and a checksum that does not depend on their order. */
export function sumsOf(table: ResultTable, shards: number): string {
  const line = joined(table, (value) => value);
  // ClickHouse's sum wraps at 2^64, DuckDB's does not.
  const sum = `(sum(md5_number_upper(${line})) % 18446744073709551616)::VARCHAR`;
  return `
    SELECT ${shardColumn(table, shards)} AS shard, count(*)::INTEGER AS rows, ${sum} AS checksum
    FROM ${table.source ?? table.name} GROUP BY 1`;
}

/** ClickHouse's statement for the same number and checksum. */
export function storedSumsOf({ name, columns }: ResultTable, version: string): string {
  const values = columns.map(({ name: column, type, nullable }) => {
    const written = type === 'String' ? column : `toString(${column})`;
    return nullable ? `ifNull(${written}, '\\\\N')` : written;
  });
  const line = `concat(${values.join(", '\\t', ")})`;
  const sum = `sum(reinterpretAsUInt64(substring(MD5(${line}), 1, 8)))`;
  return `SELECT count(), ${sum} FROM ${tableName(name, version)} FORMAT TabSeparated`;
}

function shardColumn({ byWallet }: ResultTable, shards: number): string {
  return byWallet ? shardOfWallet(shards) : '-1';
}

function joined({ columns }: ResultTable, ofText: (value: string) => string): string {
  return `concat_ws(chr(9), ${columns.map((column) => textOf(column, ofText)).join(', ')})`;
}

function textOf({ name, type, nullable, from }: ResultColumn, ofText: (value: string) => string): string {
  const value = from ?? name;
  const written = type === 'String' ? ofText(value) : `(${value})::VARCHAR`;
  return nullable ? `coalesce(${written}, '\\N')` : written;
}

function escapedText(value: string): string {
  return ESCAPED.reduce((text, [letter, escaped]) => `replace(${text}, ${letter}, ${escaped})`, value);
}
