import { DAY_SECONDS } from '../../contract/time.js';
import type { ActivityRows } from './activity-rows.js';
import type { Random } from './random.js';
import { sampleWindow } from './sample-window.js';

const WEEK = 7 * DAY_SECONDS;
const WEEKS = Math.ceil((sampleWindow.end - sampleWindow.start) / WEEK);

/** The rebates and rewards that the market place pays its makers each week for their liquidity. */
export class Rebates {
  private readonly volume: Float64Array;

  /** @param makers The number of makers: wallets 0 to makers - 1 are paid. */
  constructor(private readonly makers: number) {
    this.volume = new Float64Array(makers * WEEKS);
  }

  /** Counts a maker's fill, in millionths of a dollar; other wallets are ignored. */
  note(wallet: number, microUsd: number, time: number): void {
    if (wallet >= this.makers) return;
    const at = wallet * WEEKS + Math.floor((time - sampleWindow.start) / WEEK);
    this.volume[at] = (this.volume[at] ?? 0) + microUsd;
  }

  /**
   * Writes a rebate for each maker and week with fills, and a reward for many. Yields when the file must be flushed.
   */
  *pay(rows: ActivityRows, random: Random): Generator<undefined> {
    for (const [at, microUsd] of this.volume.entries()) {
      const wallet = Math.floor(at / WEEKS);
      const time = sampleWindow.start + ((at % WEEKS) + 1) * WEEK + random.below(3_600);
      if (microUsd === 0 || time >= sampleWindow.end) continue;
      const rebate = Math.floor(microUsd / 1_000_000);
      const reward = Math.floor((rebate * random.below(60)) / 100);
      if (rebate > 0) rows.write({ type: 'MAKER_REBATE', wallet, time, size: rebate, usd: rebate });
      if (reward > 100) rows.write({ type: 'REWARD', wallet, time: time + 600, size: reward, usd: reward });
      if (rows.full) yield;
    }
  }
}
