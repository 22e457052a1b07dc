import { availableParallelism } from 'node:os';
import type { DatabaseOptions } from '../store/database.js';

/** How much memory an ingest takes unless told otherwise, in bytes. */
export const DEFAULT_MEMORY = 1_000_000_000;

/**
 * What the process takes beside what the engine counts, as measured at 3 million fills of 940,000 wallets in 300,000
 * markets: the program itself, the markets, and the rows between the engine and the ledger; and of what the engine counts
 * a part once more, which it allocates uncounted.
 */
const BESIDE = 330_000_000;
const UNCOUNTED = 0.8;

/** With less than this its sorts and joins no longer fit, however much is put on disk. */
const LEAST_ENGINE = 200_000_000;

/** What one more of the engine's threads is worth only from this on: each sorts and reads on its own. */
const PER_THREAD = 300_000_000;

/** The engine's settings so that the whole process stays within some bytes. @param spillTo For what does not fit. */
export function engineWithin(memory: number, spillTo: string): DatabaseOptions {
  const engine = Math.max(LEAST_ENGINE, (memory - BESIDE) / (1 + UNCOUNTED));
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(engine / PER_THREAD)));
  return { memory: `${Math.floor(engine / 1e6)}MB`, threads, spillTo };
}
