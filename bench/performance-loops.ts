import type { PnlRecord } from '../src/client/connect.js';
import type { DataFrame } from '../src/frame/danfo/danfo.js';
import { numericVector, plainColumn } from '../src/frame/tabular/tabular.js';
import { doublesOf } from '../src/frame/vector/plain-vector.js';
import { distinctWords } from '../src/frame/vector/text-vector.js';

type Frame = DataFrame<PnlRecord>;
type Amount = 'pnl' | 'invested' | 'wins' | 'losses';

/** The least that a measure of these columns can cost: the sum of each, over existing typed arrays. */
export function columnSums(frame: Frame, ...names: readonly Amount[]): number[] {
  return names.map((name) => {
    const values = doublesOf(numericVector(frame, name));
    let sum = 0;
    for (let row = 0; row < values.length; row += 1) sum += values[row] as number;
    return sum;
  });
}

/** The same by wallet or date, whose values are already small integers. */
export function groupSums(frame: Frame, by: 'proxy_wallet' | 'date', ...names: readonly Amount[]): Float64Array[] {
  const vector = plainColumn(frame, by);
  if (vector.kind !== 'text') throw new Error(`${by} holds no text`);
  const { codes, words } = distinctWords(vector);
  return names.map((name) => {
    const values = doublesOf(numericVector(frame, name));
    const sums = new Float64Array(words.length);
    for (let row = 0; row < values.length; row += 1) {
      const code = codes[row] as number;
      sums[code] = (sums[code] as number) + (values[row] as number);
    }
    return sums;
  });
}

/** Sums and counts of gains and losses. */
export function sides(frame: Frame): number[] {
  const pnl = doublesOf(numericVector(frame, 'pnl'));
  let won = 0;
  let lost = 0;
  let wins = 0;
  let losses = 0;
  for (let row = 0; row < pnl.length; row += 1) {
    const value = pnl[row] as number;
    if (value > 0) {
      won += value;
      wins += 1;
    } else if (value < 0) {
      lost -= value;
      losses += 1;
    }
  }
  return [won, lost, wins, losses];
}

/** Draws rows with replacement and sums two columns of them, three times. */
export function drawnSums(frame: Frame): number {
  const [pnl, invested] = [doublesOf(numericVector(frame, 'pnl')), doublesOf(numericVector(frame, 'invested'))];
  let gain = 0;
  let paid = 0;
  for (let at = 0; at < 3 * pnl.length; at += 1) {
    const row = Math.floor(Math.random() * pnl.length);
    gain += pnl[row] as number;
    paid += invested[row] as number;
  }
  return gain / paid;
}
