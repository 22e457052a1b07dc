import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { gammaMarket, trade } from '../../support/raw-records.js';
import { NEW_YEAR } from '../../support/small-market.js';
import { put } from '../../support/temporary-folder.js';

/**
 * Ingests one more market, with a fill of its own: the nth version of a folder holds n markets, and its first wallet
 * has n days.
 *
 * @param beside The folder for the raw records.
 * @returns The version's name.
 */
export async function ingestNext(folder: string, beside: string, n: number): Promise<string> {
  return (await ingest({ folder, inputs: await nextInputs(beside, n) })).version.name;
}

/** Writes the raw records that {@link ingestNext} reads. */
export async function nextInputs(beside: string, n: number): Promise<string[]> {
  const fill = trade({ wallet: 1, market: n, side: 0, does: 'BUY', size: 1, price: 0.5, time: NEW_YEAR + n * 86_400 });
  return [await put(beside, `m${n}.json`, [gammaMarket(n)]), await put(beside, `t${n}.json`, [fill])];
}
