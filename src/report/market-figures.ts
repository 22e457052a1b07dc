import type { BootstrapInterval } from '../analysis/bootstrap-interval.js';
import type { Roi } from '../analysis/roi.js';
import { type WinRate, winRate } from '../analysis/win-rate.js';
import { itemAt } from '../base/item-at.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { anyColumn, numericColumn, recordsOf } from '../frame/tabular/column-values.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { columnNames, rowCount, type Tabular } from '../frame/tabular/tabular.js';
import { filterRows } from '../frame/verbs/filter-rows.js';
import { type Claim, claimOf } from './beyond-chance.js';
import { roiInterval, soundRoi, type WeekSums } from './drawn-interval.js';
import { FIELD_TRADES, FIELD_WALLETS } from './sheet-data.js';
import { rowsOfWallet } from './wallet-figures.js';

/** What a wallet made in one market. */
export interface MarketFigures {
  readonly name: string;
  readonly pnl: number;
  readonly invested: number;
}

/** A wallet's markets: what single ones mean for the whole. Amounts in USD. */
export interface MarketsFigures {
  readonly count: number;
  readonly pnl: number;
  readonly best: readonly MarketFigures[];
  readonly worst: readonly MarketFigures[];
  /** How many of the markets that made a profit or a loss made a profit. */
  readonly gains: number;
  readonly losses: number;
  /** The markets of the most profit, at most {@link BEST}. */
  readonly top: readonly MarketFigures[];
  /** The ROI without these, its interval by drawing markets; undefined if there are none of these, or no others. */
  readonly rest: BootstrapInterval | undefined;
}

const SHOWN = 5;

/** Without how many of its best markets a record is looked at. */
export const BEST = 3;

/** The markets of a wallet, from PnL records by market. */
export function marketsFigures(markets: Tabular, wallet: string, confidence: number): MarketsFigures {
  const own = filterRows(rowsOfWallet(markets, wallet), (row) => Number.isFinite(Reflect.get(row, 'pnl')));
  const pnl = numericColumn(own, 'pnl');
  const invested = numericColumn(own, 'invested');
  const names = namesApart(textsOf(own, 'question'), textsOf(own, 'condition_id'));
  const order = Uint32Array.from(pnl.keys()).sort((a, b) => (pnl[b] as number) - (pnl[a] as number));
  const figuresOf = (row: number): MarketFigures => ({
    name: itemAt(names, row),
    pnl: pnl[row] as number,
    invested: invested[row] as number,
  });
  const best = [...order.subarray(0, SHOWN)].filter((row) => (pnl[row] as number) > 0).map(figuresOf);
  const top = Math.min(BEST, best.length);
  return {
    count: pnl.length,
    pnl: pnl.reduce((sum, value) => sum + value, 0),
    best,
    worst: [...order.subarray(-SHOWN)]
      .reverse()
      .filter((row) => (pnl[row] as number) < 0)
      .map(figuresOf),
    gains: pnl.filter((value) => value > 0).length,
    losses: pnl.filter((value) => value < 0).length,
    top: best.slice(0, BEST),
    rest:
      top > 0 && order.length > top
        ? roiInterval(Array.from(order.subarray(top), figuresOf).filter(isStated), confidence)
        : undefined,
  };
}

/** Whether it is known what was invested: an ROI is of such markets. */
function isStated({ invested }: MarketFigures): boolean {
  return !Number.isNaN(invested);
}

/** Names of markets: their questions, with the id beside where several markets ask the same. */
function namesApart(questions: readonly (string | null)[], ids: readonly (string | null)[]): string[] {
  const marketOf = new Map<string, string | null | undefined>();
  for (const [row, question] of questions.entries()) {
    const id = ids[row] ?? null;
    const known = question ? marketOf.get(question) : undefined;
    // Undefined: of several.
    if (question) marketOf.set(question, marketOf.has(question) && known !== id ? undefined : id);
  }
  return questions.map((question, row) => {
    const id = shortId(ids[row] || 'a market that is not known');
    if (!question) return id;
    return marketOf.get(question) === undefined ? `${question} (${id})` : question;
  });
}

function textsOf(frame: Tabular, name: string): readonly (string | null)[] {
  return Array.from<unknown, string | null>(anyColumn(frame, name), (value) =>
    typeof value === 'string' ? value : null,
  );
}

/** What a wallet made in one category. */
export interface CategoryFigures {
  readonly category: string;
  readonly weeks: number;
  readonly roi: Roi;
  readonly interval: BootstrapInterval;
  readonly claim: Claim;
  readonly winRate: WinRate;
}

/** The most categories shown; the rest is pooled into one. */
const MOST_CATEGORIES = 10;

/** A wallet's categories, those with most dollars invested first, from PnL records by category and week. */
export function categoryFigures(categories: Tabular, wallet: string, confidence: number): CategoryFigures[] {
  const own = rowsOfWallet(categories, wallet);
  const names = textsOf(own, 'category').map((name) => name || 'without a category');
  const invested = numericColumn(own, 'invested');
  const totals = new Map<string, number>();
  for (const [row, name] of names.entries()) totals.set(name, (totals.get(name) ?? 0) + (invested[row] || 0));
  const ranked = [...totals].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)).map(([name]) => name);
  const rest = ranked.length > MOST_CATEGORIES ? ranked.slice(MOST_CATEGORIES - 1) : [];
  const shown = ranked.slice(0, ranked.length - rest.length);
  const groups: [string, ReadonlySet<string>][] = shown.map((name) => [name, new Set([name])]);
  if (rest.length > 0) groups.push([`${rest.length} others`, new Set(rest)]);
  return groups.map(([category, members]) => {
    const part = filterRows(
      own,
      Array.from(names, (name) => members.has(name)),
    );
    const weeks = weeklySums(part);
    const interval = roiInterval(weeks, confidence);
    return {
      category,
      weeks: weeks.length,
      roi: soundRoi(part),
      interval,
      claim: claimOf(weeks, interval),
      winRate: winRate(part, { confidence }),
    };
  });
}

/** Sums of weekly records that may be of several categories. */
function weeklySums(part: DataFrame): WeekSums[] {
  const dates = textsOf(part, 'date');
  const [pnl, invested] = [numericColumn(part, 'pnl'), numericColumn(part, 'invested')];
  const [wins, losses] = [numericColumn(part, 'wins'), numericColumn(part, 'losses')];
  const weeks = new Map<string, WeekSums>();
  for (const [row, date] of dates.entries()) {
    const week = weeks.get(date ?? '') ?? { pnl: 0, invested: 0, wins: 0, losses: 0 };
    // A return is of rows that have both of its numbers, and so is a win rate.
    const [gain, stake] = both(pnl[row], invested[row]);
    const [won, lost] = both(wins[row], losses[row]);
    weeks.set(date ?? '', {
      pnl: week.pnl + gain,
      invested: week.invested + stake,
      wins: week.wins + won,
      losses: week.losses + lost,
    });
  }
  return [...weeks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sums]) => sums);
}

/** Two numbers; 0 and 0 where one of them is missing. */
function both(one = Number.NaN, other = Number.NaN): [number, number] {
  return Number.isNaN(one + other) ? [0, 0] : [one, other];
}

/** One position that is held. Amounts in USD; NaN where no price is known. */
export interface PositionFigures {
  readonly name: string;
  readonly outcome: string;
  readonly shares: number;
  readonly cost: number;
  readonly price: number;
  readonly last: number;
  readonly unrealized: number;
  /** The day of the wallet's own last event in it; empty if it is not told. */
  readonly lastTraded: string;
  /** The day on which its market closed; empty while it is open, or if it is not told. */
  readonly closed: string;
}

/** Positions that are held, and what they add up to. */
export interface HeldFigures {
  readonly count: number;
  readonly cost: number;
  /** Of the positions whose last price is known. */
  readonly unrealized: number;
  readonly unpriced: number;
  /** The largest by cost. */
  readonly largest: readonly PositionFigures[];
}

/** A wallet's open positions: those whose markets may still pay, and those whose markets closed with no known result. */
export interface PositionsFigures extends HeldFigures {
  /** Of closed markets: their last prices are old, and nobody may ever pay them. In none of the sums. */
  readonly undecided: HeldFigures;
}

const MOST_POSITIONS = 10;

/** A wallet's open positions, from positions records. A source that tells no `result` has none of closed markets. */
export function positionsFigures(positions: Tabular, wallet: string): PositionsFigures {
  const own = filterRows(rowsOfWallet(positions, wallet), (row) => Reflect.get(row, 'status') === 'open');
  const rows = recordsOf(own) as Record<string, unknown>[];
  const text = (row: Record<string, unknown>, name: string) => (row[name] ? String(row[name]) : null);
  const names = namesApart(
    rows.map((row) => text(row, 'question') ?? text(row, 'slug')),
    rows.map((row) => text(row, 'condition_id')),
  );
  const [cost, unrealized] = [numericColumn(own, 'cost'), numericColumn(own, 'unrealized')];
  const all = rows.map((row, at): PositionFigures => {
    const number = (name: string) => (typeof row[name] === 'number' ? row[name] : Number.NaN);
    return {
      name: itemAt(names, at),
      outcome: text(row, 'outcome') ?? '',
      shares: number('shares'),
      cost: cost[at] as number,
      price: number('avg_price'),
      last: number('last_price'),
      unrealized: unrealized[at] as number,
      lastTraded: dayOf(row.last_traded),
      closed: dayOf(row.close_date),
    };
  });
  const isUndecided = (_: unknown, at: number) => rows[at]?.result === 'unknown';
  return {
    ...heldFigures(all.filter((_, at) => !isUndecided(_, at))),
    undecided: heldFigures(all.filter(isUndecided)),
  };
}

function heldFigures(held: readonly PositionFigures[]): HeldFigures {
  const known = held.map(({ unrealized }) => unrealized).filter((value) => !Number.isNaN(value));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    count: held.length,
    cost: sum(held.map(({ cost }) => cost)),
    unrealized: sum(known),
    unpriced: held.length - known.length,
    largest: held.toSorted((a, b) => b.cost - a.cost).slice(0, MOST_POSITIONS),
  };
}

/** The day of a moment, as frames hold it. */
function dayOf(moment: unknown): string {
  if (moment instanceof Date) return moment.toISOString().slice(0, 10);
  return typeof moment === 'string' ? moment.slice(0, 10) : '';
}

/** Where a wallet stands by one figure. */
export interface Standing {
  readonly name: string;
  readonly value: number;
  /** Share of the field that lies below it, in [0, 1]; ties count half. */
  readonly below: number;
  readonly unit: 'usd' | 'percent';
}

/** A wallet against the field: the wallets of at least {@link FIELD_TRADES} trades. */
export interface FieldFigures {
  /** Number of wallets in the field. */
  readonly wallets: number;
  /** Whether there are more wallets than were asked for. */
  readonly isCut: boolean;
  /** Undefined if the wallet is not among them. */
  readonly standings: readonly Standing[] | undefined;
  /** By PnL, from 1. */
  readonly rank: number;
}

const COMPARED = [
  ['total_pnl', 'Realized PnL', 'usd'],
  ['roi', 'ROI', 'percent'],
  ['win_rate', 'Win rate', 'percent'],
  ['total_volume', 'Volume', 'usd'],
] as const;

/** Where a wallet stands among others, from leaderboard records. */
export function fieldFigures(leaderboard: Tabular, wallet: string): FieldFigures {
  const trades = numericColumn(leaderboard, 'total_trades');
  const isIn = Array.from(trades, (count) => count >= FIELD_TRADES);
  const field = filterRows(leaderboard as DataFrame, isIn);
  const wallets = rowCount(field);
  const at = textsOf(field, 'address').findIndex((address) => address?.toLowerCase() === wallet);
  const isCut = rowCount(leaderboard) > FIELD_WALLETS;
  if (at < 0) return { wallets, isCut, standings: undefined, rank: Number.NaN };
  const standings = COMPARED.filter(([name]) => columnNames(field).includes(name)).map(([name, label, unit]) => {
    const values = numericColumn(field, name);
    const value = values[at] as number;
    const others = values.filter((other, row) => row !== at && !Number.isNaN(other));
    const less = others.reduce((count, other) => count + (other < value ? 1 : other === value ? 0.5 : 0), 0);
    return { name: label, value, below: less / others.length, unit };
  });
  const pnl = numericColumn(field, 'total_pnl');
  const rank = 1 + pnl.filter((other) => other > (pnl[at] as number)).length;
  return { wallets, isCut, standings, rank };
}
