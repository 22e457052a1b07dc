import type { Filters } from '../../contract/dataset.js';
import type { LIFETIME } from '../../contract/lifetime.js';
import type { Page } from '../store/page.js';
import { framedPage } from '../store/page-frames.js';
import type { Slice } from '../store/store.js';
import {
  asciiText,
  PERCENT_MICROS,
  putAscii,
  putMicros,
  putMoment,
  putRatio,
  putText,
  putWhole,
} from './json-bytes.js';
import { scratchFor } from './scratch.js';

/** A wallet's whole history, as exact numbers; money in micro-USD. */
export interface LifetimeCounts {
  trades: number;
  traded: number;
  invested: number;
  pnl: number;
  /** Unix seconds of its last event. */
  last: number;
}

/**
 * Writes a page of lifetime records directly as bytes, equal to those of {@link lifetimeRecord}.
 *
 * @param lifetimeOf Gives a wallet's history, valid until the next call; undefined if the wallet has none, null if only
 *   the database knows.
 * @returns Undefined if only the database knows the history of one of the wallets.
 */
export function lifetimePage(
  lifetimeOf: (wallet: string) => LifetimeCounts | undefined | null,
  { wallet_address = [] }: Filters<typeof LIFETIME>,
  { limit, offset }: Slice,
): Page | undefined {
  const wallets = wallet_address.length > 1 ? [...wallet_address].sort() : wallet_address;
  const { bytes, view } = scratchFor(wallets.length);
  let found = 0;
  let at = 1;
  for (const wallet of wallets) {
    const lifetime = lifetimeOf(wallet);
    if (lifetime === null) return undefined;
    if (!lifetime) continue;
    if (found >= offset && found < offset + limit) at = putRecord(view, at, wallet, lifetime);
    found++;
  }
  bytes[0] = OPEN;
  bytes[at] = CLOSE;
  const records = bytes.subarray(0, at + 1);
  return framedPage(records.length, found > offset + limit, (frame, start) => frame.set(records, start));
}

const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c];
const WALLET_NAME = asciiText('{"proxy_wallet":"');
const TRADES_NAME = asciiText('","total_trades":');
const SIZE_NAME = asciiText(',"avg_trade_size":"');
const AVERAGE_NAME = asciiText('","avg_pnl_per_trade":"');
const INVESTED_NAME = asciiText('","total_invested":"');
const PNL_NAME = asciiText('","total_pnl":"');
const ROI_NAME = asciiText('","roi_pct":"');
const UPDATED_NAME = asciiText('","last_updated":"');
const END = asciiText('"}');

function putRecord(view: DataView, start: number, wallet: string, lifetime: LifetimeCounts): number {
  const { trades, traded, invested, pnl, last } = lifetime;
  let at = start;
  if (at > 1) view.setUint8(at++, COMMA);
  at = putText(view, at, WALLET_NAME);
  at = putAscii(view, at, wallet);
  at = putText(view, at, TRADES_NAME);
  at = putWhole(view, at, trades);
  at = putText(view, at, SIZE_NAME);
  at = putRatio(view, at, traded, trades, 1);
  at = putText(view, at, AVERAGE_NAME);
  at = putRatio(view, at, pnl, trades, 1);
  at = putText(view, at, INVESTED_NAME);
  at = putMicros(view, at, invested);
  at = putText(view, at, PNL_NAME);
  at = putMicros(view, at, pnl);
  at = putText(view, at, ROI_NAME);
  at = putRatio(view, at, pnl, invested, PERCENT_MICROS);
  at = putText(view, at, UPDATED_NAME);
  at = putMoment(view, at, last);
  return putText(view, at, END);
}
