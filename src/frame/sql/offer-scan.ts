import type { Engine } from './engine.js';
import type { Feed } from './feed.js';

/** A column of a scan. */
export type ScanColumn = Pick<Feed, 'type' | 'fill'> & { readonly name: string };

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
export function offerScan(
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
