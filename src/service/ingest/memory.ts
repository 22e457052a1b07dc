import { availableParallelism } from 'node:os';
import type { DatabaseOptions } from '../store/database.js';

/** The most memory that an ingest uses by default, in bytes. */
export const DEFAULT_MEMORY = 1_000_000_000;

/**
 * Bytes that the process uses besides the engine: the program itself, the markets, and the rows between the engine and
 * the ledger. Measured, like the next figure, with 3 million fills of 940,000 wallets in 300,000 markets.
 */
const BESIDE = 330_000_000;
/** What the engine allocates without counting it, as a share of what it counts. */
const UNCOUNTED = 0.8;

/** The least memory for the engine, in bytes: with less, its sorts and joins fail, however much it spills to disk. */
const LEAST_ENGINE = 200_000_000;

/** The engine's memory, in bytes, from which another thread is worthwhile: each sorts and reads on its own. */
const PER_THREAD = 300_000_000;

/**
 * The engine's settings that keep the whole process within some bytes.
 *
 * @param spillTo A folder for what does not fit.
 */
export function engineWithin(memory: number, spillTo: string): DatabaseOptions {
  const engine = Math.max(LEAST_ENGINE, (memory - BESIDE) / (1 + UNCOUNTED));
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(engine / PER_THREAD)));
  return { memory: `${Math.floor(engine / 1e6)}MB`, threads, spillTo };
}
