import { decimalOf, MICRO, ratioMicros } from '../../base/decimal.js';
import type { Filters, SentRecord } from '../../contract/dataset.js';
import type { LEADERBOARD } from '../../contract/leaderboard.js';
import type { PNL, PNL_BY } from '../../contract/pnl.js';
import type { POSITIONS } from '../../contract/positions.js';
import { isoOfSeconds } from '../../contract/time.js';
import type { GroupDay, MarketSide, PositionRow, Slice, Standing, Store } from './store.js';
import { isoOrNull, pnlRecord } from './wire-records.js';

/** A place in a leaderboard as it goes on the wire. */
export function standingRecord(row: Standing): SentRecord<typeof LEADERBOARD> {
  return {
    rank: row.rank,
    address: row.wallet,
    total_pnl: Number(row.pnl) / MICRO,
    roi: wholes(row.roi),
    win_rate: wholes(row.win_rate),
    sharpe_ratio: wholes(row.sharpe),
    total_volume: Number(row.traded) / MICRO,
    markets_traded: row.markets,
    total_trades: row.trades,
  };
}

function wholes(millionths: bigint | null): number | null {
  return millionths === null ? null : Number(millionths) / MICRO;
}

/** The records of a page of positions. */
export async function positionRecords(
  store: Store,
  filters: Filters<typeof POSITIONS>,
  slice: Slice,
  signal?: AbortSignal,
): Promise<SentRecord<typeof POSITIONS>[]> {
  const rows = await store.positions(filters, slice, signal);
  const sides = await sidesOf(store, rows, signal);
  return rows.map((row) => positionRecord(row, sides.get(`${row.condition_id} ${row.side}`)));
}

/** The sides of the markets of rows, by condition id and side. */
async function sidesOf(
  store: Store,
  rows: readonly { readonly condition_id: string }[],
  signal?: AbortSignal,
): Promise<Map<string, MarketSide>> {
  const ids = [...new Set(rows.map((row) => row.condition_id))];
  const parts: Promise<MarketSide[]>[] = [];
  for (let at = 0; at < ids.length; at += MOST_IDS) parts.push(store.marketSides(ids.slice(at, at + MOST_IDS), signal));
  const sides = (await Promise.all(parts)).flat();
  return new Map(sides.map((side) => [`${side.condition_id} ${side.side}`, side]));
}

/** How many markets one statement names. */
const MOST_IDS = 1000;

/** What a share pays once the result is known, in micro-USD. */
function payout(winner: number, side: number): bigint {
  return BigInt(winner === 2 ? MICRO / 2 : winner === side ? MICRO : 0);
}

function positionRecord(row: PositionRow, market: MarketSide | undefined): SentRecord<typeof POSITIONS> {
  const winner = market?.winner ?? null;
  const traded = market?.last_price ?? null;
  const price = winner !== null ? payout(winner, row.side) : traded === null ? null : BigInt(traded);
  const worth = row.shares === 0n ? 0n : price === null ? null : ratioMicros(row.shares * price, BigInt(MICRO), 1n);
  return {
    proxy_wallet: row.wallet,
    condition_id: row.condition_id,
    slug: market?.slug ?? null,
    question: market?.question ?? null,
    event_slug: market?.event_slug ?? null,
    category: market?.category ?? null,
    outcome: market?.outcome || (row.side === 0 ? 'first' : 'second'),
    outcome_index: row.side,
    token_id: market?.token ?? null,
    shares: decimalOf(row.shares),
    cost: decimalOf(row.cost),
    avg_price: row.average === null ? null : decimalOf(row.average),
    last_price: price === null ? null : decimalOf(price),
    realized: decimalOf(row.realized),
    unrealized: worth === null ? null : decimalOf(worth - row.cost),
    invested: decimalOf(row.invested),
    opened: isoOfSeconds(Number(row.opened)),
    last_traded: isoOfSeconds(Number(row.last_traded)),
    status: row.shares === 0n ? 'closed' : 'open',
    result: resultOf(row.side, market),
    close_date: isoOrNull(market?.close_ms ?? null),
  };
}

/** What became of one side of a market. */
function resultOf(side: number, market: MarketSide | undefined): 'won' | 'lost' | 'tie' | 'unknown' | null {
  const winner = market?.winner ?? null;
  if (winner === null) return market?.closed ? 'unknown' : null;
  return winner === 2 ? 'tie' : winner === side ? 'won' : 'lost';
}

/** PnL records by market, event or category: by date, wallet, then group, those without one last. */
export async function pnlByRecords(
  store: Store,
  filters: Filters<typeof PNL>,
  slice: Slice,
  signal?: AbortSignal,
): Promise<SentRecord<typeof PNL_BY>[]> {
  const { by = 'market' } = filters;
  const days = await store.groupDays({ ...filters, by }, slice, signal);
  const markets = by === 'market' ? days.map(({ key }) => ({ condition_id: `${key}` })) : [];
  const sides = await sidesOf(store, markets, signal);
  return days.map((day) => ({ ...pnlRecord(day), ...groupOf(by, day, sides.get(`${day.key} 0`)) }));
}

/** What profit is told by, in the order of the wire; null where it is coarser. */
function groupOf(
  by: 'market' | 'event' | 'category',
  { key, event_category: shared }: GroupDay,
  side: MarketSide | undefined,
): Pick<SentRecord<typeof PNL_BY>, 'condition_id' | 'question' | 'event_slug' | 'category'> {
  if (by === 'market') {
    const { question = null, event_slug = null, category = null } = side ?? {};
    return { condition_id: key, question, event_slug, category };
  }
  const isEvent = by === 'event' && key !== null;
  return {
    condition_id: null,
    question: null,
    event_slug: isEvent ? key : null,
    category: by === 'category' ? key : isEvent ? shared : null,
  };
}
