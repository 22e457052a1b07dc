import { createRequire } from 'node:module';
import { peerPackage } from './peer-package.js';
import { pnlArrays } from './shared-frame.js';

/** The part of a danfo DataFrame that the benchmarks use. */
export interface DanfoFrame {
  groupby(keys: string[]): { col(names: string[]): { sum(): unknown } };
  sortValues(by: string): unknown;
  query(condition: unknown): unknown;
  column(name: string): { gt(value: number): unknown };
  asType(name: string, dtype: string): DanfoFrame;
}

/** The part of danfo that the benchmarks use. */
export interface Danfo {
  DataFrame: new (data: unknown) => DanfoFrame;
  toCSV(frame: DanfoFrame, options: { filePath: string }): unknown;
}

/** Danfo as published, without oddslab's fixes. */
export function danfo(): Danfo {
  return createRequire(import.meta.url)('danfojs-node') as Danfo;
}

/** The rows of `pnlFrame` as a danfo frame. */
export function danfoFrame(rows: number, wallets?: number): DanfoFrame {
  return new (danfo().DataFrame)(pnlArrays(rows, wallets));
}

/** The part of a polars DataFrame that the benchmarks use. */
export interface PolarsFrame {
  groupBy(key: string): { agg(measure: unknown): unknown };
  sort(by: string): unknown;
  filter(condition: unknown): unknown;
  writeCSV(path: string): unknown;
  writeParquet(path: string, options: { compression: string }): unknown;
  writeIPC(path: string, options: { compression: string }): unknown;
  withColumns(...columns: unknown[]): PolarsFrame;
}

/** The part of polars that the benchmarks use. */
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

/** The rows of `pnlFrame` as a polars frame. */
export async function polarsFrame(rows: number, wallets?: number): Promise<{ pl: Polars; frame: PolarsFrame }> {
  const pl = await polars();
  return { pl, frame: pl.DataFrame(pnlArrays(rows, wallets)) };
}

/** The part of an arquero table that the benchmarks use. */
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

/** The rows of `pnlFrame` as an arquero table. */
export async function arqueroTable(
  rows: number,
  wallets?: number,
): Promise<{ table: ArqueroTable; op: Arquero['op'] }> {
  const { table, op } = (await peerPackage('arquero')) as Arquero;
  return { table: table(pnlArrays(rows, wallets)), op };
}
