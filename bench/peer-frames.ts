import { createRequire } from 'node:module';
import { peerPackage } from './peer-package.js';
import { pnlArrays } from './shared-frame.js';

/** What the benchmarks use of a DataFrame of danfo's. */
export interface DanfoFrame {
  groupby(keys: string[]): { col(names: string[]): { sum(): unknown } };
  sortValues(by: string): unknown;
  query(condition: unknown): unknown;
  column(name: string): { gt(value: number): unknown };
  asType(name: string, dtype: string): DanfoFrame;
}

/** Danfo as it is published, without what we mend. */
export interface Danfo {
  DataFrame: new (data: unknown) => DanfoFrame;
  toCSV(frame: DanfoFrame, options: { filePath: string }): unknown;
}

/** Danfo as it is published. */
export function danfo(): Danfo {
  return createRequire(import.meta.url)('danfojs-node') as Danfo;
}

/** The rows of `pnlFrame` as a frame of danfo's. */
export function danfoFrame(rows: number, wallets?: number): DanfoFrame {
  return new (danfo().DataFrame)(pnlArrays(rows, wallets));
}

/** What the benchmarks use of a DataFrame of polars. */
export interface PolarsFrame {
  groupBy(key: string): { agg(measure: unknown): unknown };
  sort(by: string): unknown;
  filter(condition: unknown): unknown;
  writeCSV(path: string): unknown;
  writeParquet(path: string, options: { compression: string }): unknown;
  writeIPC(path: string, options: { compression: string }): unknown;
  withColumns(...columns: unknown[]): PolarsFrame;
}

/** What the benchmarks use of polars. */
export interface Polars {
  DataFrame(columns: object): PolarsFrame;
  readRecords(records: object[]): PolarsFrame;
  col(name: string): { sum(): unknown; gt(value: number): unknown; cast(type: unknown): unknown };
  Float64: unknown;
}

/** Polars, from `bench/peers`. */
export async function polars(): Promise<Polars> {
  return ((await peerPackage('nodejs-polars')) as { default: Polars }).default;
}

/** The rows of `pnlFrame` as a frame of polars. */
export async function polarsFrame(rows: number, wallets?: number): Promise<{ pl: Polars; frame: PolarsFrame }> {
  const pl = await polars();
  return { pl, frame: pl.DataFrame(pnlArrays(rows, wallets)) };
}

/** What the benchmarks use of a table of arquero. */
export interface ArqueroTable {
  groupby(key: string): { rollup(measures: object): unknown };
  orderby(key: string): { reify(): unknown };
  filter(condition: (row: { pnl: number }) => boolean): { reify(): unknown };
  toCSV(): string;
}

interface Arquero {
  table(columns: object): ArqueroTable;
  op: { sum(name: string): unknown };
}

/** The rows of `pnlFrame` as a table of arquero. */
export async function arqueroTable(
  rows: number,
  wallets?: number,
): Promise<{ table: ArqueroTable; op: Arquero['op'] }> {
  const { table, op } = (await peerPackage('arquero')) as Arquero;
  return { table: table(pnlArrays(rows, wallets)), op };
}
