import { decimalOf, ratioMicros } from '../../base/decimal.js';
import { isoOfSeconds } from '../../contract/time.js';
import type { Lifetime } from '../store/store.js';

/** A wallet's lifetime statistics as they go on the wire: numbers as decimal text with up to six places. */
export function lifetimeRecord(row: Lifetime) {
  const trades = BigInt(row.trades);
  return {
    proxy_wallet: row.wallet,
    total_trades: row.trades,
    avg_trade_size: decimalOf(ratioMicros(row.traded, trades, 1n)),
    avg_pnl_per_trade: decimalOf(ratioMicros(row.pnl, trades, 1n)),
    total_invested: decimalOf(row.invested),
    total_pnl: decimalOf(row.pnl),
    roi_pct: decimalOf(ratioMicros(100n * row.pnl, row.invested)),
    last_updated: isoOfSeconds(Number(row.last_ts)),
  };
}
