import type { Lifetime, MarketRow, WalletDay } from '../store.js';
import type { Cells } from './tab-separated.js';

/** Reads a row of {@link marketsStatement}. */
export function marketRow(cells: Cells): MarketRow {
  const [condition_id, question, slug, event_slug, closed, volume, start, end, close, ...rest] = cells;
  const [token_a, token_b, outcome_a, outcome_b, winner] = rest;
  return {
    condition_id: text(condition_id),
    question: text(question),
    slug: text(slug),
    event_slug: event_slug ?? null,
    closed: closed === '1',
    volume: BigInt(volume ?? 0),
    start_ms: millis(start),
    end_ms: millis(end),
    close_ms: millis(close),
    token_a: text(token_a),
    token_b: text(token_b),
    outcome_a: text(outcome_a),
    outcome_b: text(outcome_b),
    winner: winner === null || winner === undefined ? null : Number(winner),
  };
}

/** Reads a row of {@link walletDaysStatement}. */
export function walletDay([wallet, day, invested, pnl, trades, wins, losses]: Cells): WalletDay {
  return {
    wallet: text(wallet),
    day: Number(day),
    invested: BigInt(invested ?? 0),
    pnl: BigInt(pnl ?? 0),
    trades: Number(trades),
    wins: Number(wins),
    losses: Number(losses),
  };
}

/** Reads a row of {@link lifetimesStatement}. */
export function lifetime([wallet, trades, traded, invested, pnl, last]: Cells): Lifetime {
  return {
    wallet: text(wallet),
    trades: Number(trades),
    traded: BigInt(traded ?? 0),
    invested: BigInt(invested ?? 0),
    pnl: BigInt(pnl ?? 0),
    last_ts: BigInt(last ?? 0),
  };
}

/** Lets null pass despite the type, as the other engine does: a source may lack a token or an outcome. */
function text(cell: string | null | undefined): string {
  return cell as string;
}

function millis(cell: string | null | undefined): bigint | null {
  return cell === null || cell === undefined ? null : BigInt(cell);
}
