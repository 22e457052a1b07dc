import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MarketRecord, PnlRecord } from '../src/client/connect.js';
import { MARKET_COLUMNS, MARKETS } from '../src/contract/markets.js';
import { PNL, PNL_COLUMNS } from '../src/contract/pnl.js';
import type { DataFrame } from '../src/frame/danfo/danfo.js';
import { FrameBuilder } from '../src/frame/decode/frame-builder.js';
import { vectorOf } from '../src/frame/tabular/tabular.js';
import { type Cell, cellsOf } from '../src/frame/vector/vector.js';
import { marketPages, pnlPages } from './records.js';

const PAGE = 1000;

const frames = new Map<string, DataFrame<PnlRecord>>();

/** A frame of PnL records like the client's, made once for each size. */
export function pnlFrame(rows: number, wallets?: number): DataFrame<PnlRecord> {
  const name = `${rows}-${wallets}`;
  const known = frames.get(name);
  if (known) return known;
  const builder = new FrameBuilder<PnlRecord>(PNL_COLUMNS, { key: PNL.key });
  for (const page of pnlPages(rows, PAGE, wallets)) builder.appendText(Buffer.from(page));
  const frame = builder.build();
  if (frame.shape[0] !== rows) throw new Error(`${frame.shape[0]} rows of ${rows}: the records repeat their keys`);
  frames.set(name, frame);
  return frame;
}

/** A frame of market records, of which most texts are unique to their row. */
export function marketFrame(rows: number): DataFrame<MarketRecord> {
  const builder = new FrameBuilder<MarketRecord>(MARKET_COLUMNS, { key: MARKETS.key });
  for (const page of marketPages(rows, PAGE)) builder.appendText(Buffer.from(page));
  return builder.build();
}

/** The same rows as plain arrays, for the peers' constructors. */
export function pnlArrays(rows: number, wallets?: number): Record<keyof PnlRecord, (string | number)[]> {
  return arraysOf(pnlFrame(rows, wallets)) as never;
}

/** The columns of a frame as plain arrays. */
export function arraysOf(frame: DataFrame): Record<string, Cell[]> {
  return Object.fromEntries(frame.columns.map((name) => [name, cellsOf(vectorOf(frame, name))]));
}

/** Writes the same rows to a file for peers in other processes: one page of JSON per line. */
export async function pagesFile(rows: number, wallets?: number): Promise<string> {
  const path = join(tmpdir(), `oddslab-bench-${rows}-${wallets}-${process.pid}.ndjson`);
  await writeFile(path, `${pnlPages(rows, PAGE, wallets).join('\n')}\n`);
  process.once('exit', () => rmSync(path, { force: true }));
  return path;
}
