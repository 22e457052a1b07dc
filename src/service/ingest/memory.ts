import { availableParallelism } from 'node:os';
import type { DatabaseOptions } from '../store/database.js';

/** How much memory an ingest takes unless told otherwise, in bytes. */
export const DEFAULT_MEMORY = 1_000_000_000;

/**
 * What the process takes beside what the engine counts, as measured at 3 and 10 million fills: the program itself, the
 * rows between the engine and the ledger, and what the engine allocates without counting it.
 */
const BESIDE = 450_000_000;

/** With less than this its sorts and joins no longer fit, however much is put on disk. */
const LEAST_ENGINE = 200_000_000;

/** What one more of the engine's threads is worth only from this on: each sorts and reads on its own. */
const PER_THREAD = 300_000_000;

/** The engine's settings so that the whole process stays within some bytes. @param spillTo For what does not fit. */
export function engineWithin(memory: number, spillTo: string): DatabaseOptions {
  const engine = Math.max(LEAST_ENGINE, memory - BESIDE);
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(engine / PER_THREAD)));
  return { memory: `${Math.floor(engine / 1e6)}MB`, threads, spillTo };
}
