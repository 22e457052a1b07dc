import { availableParallelism } from 'node:os';
import type { DatabaseOptions } from '../store/database.js';

/** How much memory an ingest takes unless told otherwise, in bytes. */
export const DEFAULT_MEMORY = 1_000_000_000;

/** The least that it works with, in bytes. */
const LEAST_MEMORY = 400_000_000;

/**
 * The engine's part: the rest is for the program itself, the ledger of one wallet at a time, and what the engine takes
 * beyond what it is told.
 */
const ENGINE_SHARE = 0.5;

/** A reader of JSON or Parquet keeps about this much. */
const PER_THREAD = 125_000_000;

/** The engine's settings so that the whole process stays within some bytes. @param spillTo For what does not fit. */
export function engineWithin(memory: number, spillTo: string): DatabaseOptions {
  const engine = Math.max(LEAST_MEMORY, memory) * ENGINE_SHARE;
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(engine / PER_THREAD)));
  return { memory: `${Math.floor(engine / 1e6)}MB`, threads, spillTo };
}
