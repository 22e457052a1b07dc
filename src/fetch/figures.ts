import { microsOf } from '../base/decimal.js';
import { fieldOf, isObject } from '../base/texts.js';
import { idOf } from './market-facts.js';

/**
 * What the source itself says of a wallet, as `figures.json` keeps it; without names. Amounts are decimal texts; null
 * where the source does not say.
 */
export interface Figures {
  oddslab_figures: 1;
  wallet: string;
  /** When the source was asked, ISO 8601. */
  asked: string;
  /** The last point of its history of profit. */
  pnl: Record<(typeof PNL_FIELDS)[number], string | null> | null;
  /** The number of markets that it counts as traded. */
  markets: number | null;
  /** Profit on its leaderboard of all time. */
  leaderboard_pnl: string | null;
  positions: readonly FiguresPosition[] | null;
  /** How its markets resolved; payouts are millionths of a dollar a share, in the order of the outcomes. */
  resolutions: readonly { condition_id: string; payouts: readonly [number, number] }[];
  /** Questions that no source answered. */
  failed: readonly { what: string; why: string }[];
}

/** The amounts that are kept of a point of the history of profit. */
const PNL_FIELDS = [
  'realized_market_pnl',
  'realized_lp_pnl',
  'realized_combo_pnl',
  'unrealized_pnl',
  'wallet_income',
  'fees_paid',
] as const;

/** One outcome token of a wallet. */
export interface FiguresPosition {
  condition_id: string;
  token_id: string;
  slug: string | null;
  /** OPEN, REDEEMABLE (resolved, and still held) or CLOSED. */
  status: string;
  /** Shares held. */
  size: string | null;
  realized_pnl: string | null;
  unrealized_pnl: string | null;
  /** Fees of what was bought, which the source's cost leaves out; null if it does not say. */
  fees: string | null;
}

/** An amount as the source gives it, number or decimal text, as text with up to six places; null for anything else. */
export function amountText(value: unknown): string | null {
  if (typeof value === 'number') return Math.abs(value) < 1e21 ? value.toFixed(6) : null;
  return typeof value === 'string' && microsOf(value) !== undefined ? value : null;
}

/** The last point of `/v2/user-pnl`. @returns Null if the answer holds none. */
export function lastPoint(answer: unknown): Figures['pnl'] {
  const points = fieldOf(fieldOf(answer, 'data'), 'points');
  if (!Array.isArray(points) || points.length === 0) return null;
  const last = points.reduce((a, b) => (Number(fieldOf(b, 'timestamp')) >= Number(fieldOf(a, 'timestamp')) ? b : a));
  const amounts = PNL_FIELDS.map((name) => [name, amountText(fieldOf(last, name))]);
  return Object.fromEntries(amounts) as Figures['pnl'];
}

/** A row of `/v2/positions`. @returns Undefined if it does not say which token. */
export function positionV2(row: unknown): FiguresPosition | undefined {
  if (!isObject(row)) return undefined;
  return position(row.condition_id, row.token_id, {
    slug: textOf(row.slug),
    status: typeof row.status === 'string' ? row.status.toUpperCase() : 'OPEN',
    size: amountText(row.current_size),
    realized_pnl: amountText(row.realized_pnl),
    unrealized_pnl: amountText(row.unrealized_pnl),
    fees: amountText(row.entry_fees_usdc),
  });
}

/** A row of v1's `/positions` or `/closed-positions`. @returns Undefined if it does not say which token. */
export function positionV1(row: unknown, isClosed: boolean): FiguresPosition | undefined {
  if (!isObject(row)) return undefined;
  return position(row.conditionId, row.asset, {
    slug: textOf(row.slug),
    status: isClosed ? 'CLOSED' : row.redeemable === true ? 'REDEEMABLE' : 'OPEN',
    size: isClosed ? '0' : amountText(row.size),
    realized_pnl: amountText(row.realizedPnl),
    unrealized_pnl: isClosed ? '0' : amountText(row.cashPnl),
    fees: null,
  });
}

function position(
  condition: unknown,
  token: unknown,
  rest: Omit<FiguresPosition, 'condition_id' | 'token_id'>,
): FiguresPosition | undefined {
  if (typeof condition !== 'string' || typeof token !== 'string' || condition === '' || token === '') return undefined;
  return { condition_id: idOf(condition), token_id: token, ...rest };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A row of `/v2/resolutions`. @returns Undefined if it is not resolved into two payouts. */
export function resolutionOf(row: unknown): Figures['resolutions'][number] | undefined {
  const [id, payouts] = [fieldOf(row, 'condition_id'), fieldOf(row, 'payouts')];
  if (typeof id !== 'string' || !Array.isArray(payouts) || payouts.length !== 2) return undefined;
  const [a, b] = payouts.map(Number);
  if (a === undefined || b === undefined || !(a + b > 0)) return undefined;
  return { condition_id: idOf(id), payouts: [a, b] };
}
