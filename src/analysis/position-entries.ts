import { MICRO } from '../base/decimal.js';
import { UsageError } from '../base/errors.js';
import { counted } from '../base/texts.js';
import type { Column } from '../contract/definition.js';
import { DAY_MS } from '../contract/time.js';
import { frameFromVectors } from '../frame/danfo/frame-from-vectors.js';
import { columnsOf } from '../frame/tabular/columns-of.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import { numericVector, type Tabular, vectorsOf } from '../frame/tabular/tabular.js';
import { doublesOf } from '../frame/vector/plain-vector.js';
import { takeVector } from '../frame/vector/take-vector.js';
import { amountsOf, refuseInfinite } from './records/amounts.js';
import { momentsOf } from './records/moments.js';
import { sideKeys } from './records/side-keys.js';
import { matchingKeys, textCells, tradeRows } from './records/trade-rows.js';
import { formatUsd } from './shown-result.js';

/** What a column of an entry is called that holds its part of the result; no dataset has such columns. */
export const [PART, PAID] = ['entry pnl', 'entry usd'] as const;

/** The buys with their parts of the results of their positions, and the positions that no buy explains. */
export function entriesOf(frame: Tabular, positions: Tabular): { bought: DataFrame; others: PositionResult[] } {
  const { size, usd, time, sign, isWhole } = tradeRows(frame);
  const [keys = [], held = []] = sideKeys([frame, positions], ['proxy_wallet']);
  const results = resultsOf(positions, held);
  refuseOtherWallets(frame, positions);
  const buys: number[] = [];
  const lost: number[] = [];
  const broken: number[] = [];
  for (const [row, key] of keys.entries()) {
    if (sign[row] === -1 || size[row] === 0) continue;
    if (key === null || !isWhole(row)) {
      broken.push(row);
      continue;
    }
    const position = results.get(key);
    if (position === undefined) {
      lost.push(row);
      continue;
    }
    position.bought += microsOfShares(size[row] as number);
    position.paid += usd[row] as number;
    position.firstBuy = Math.min(position.firstBuy, time[row] as number);
    buys.push(row);
  }
  warnOfLost(frame, lost, broken, usd);
  const positionOf = (row: number) => results.get(keys[row] as string) as PositionResult;
  const rows = buys.filter((row) => isExplained(positionOf(row)));
  const parts = rows.map((row) => {
    const { realized, held, bought, paid } = positionOf(row);
    const share = microsOfShares(size[row] as number) / bought;
    const gone = 1 - Math.min(1, held / bought);
    return realized * share + gone * (paid * share - (usd[row] as number));
  });
  const bought = withParts(
    frame,
    rows,
    parts,
    rows.map((row) => usd[row] as number),
  );
  const others = [...results.values()].filter((position) => position.realized !== 0 && !isExplained(position));
  return { bought, others };
}

/** @throws {UsageError} If there are trades and positions, but no position of a wallet that traded. */
function refuseOtherWallets(frame: Tabular, positions: Tabular): void {
  const [traded, held] = [frame, positions].map((of) => new Set(matchingKeys(of, ['proxy_wallet']))) as [
    Set<string | null>,
    Set<string | null>,
  ];
  if (traded.size === 0 || held.size === 0 || [...held].some((wallet) => traded.has(wallet))) return;
  throw new UsageError(
    'pnlBy got positions of other wallets than the trades: give those of the same wallets, as lab.positions({ wallet }) does.',
  );
}

/**
 * Whether its buys alone can have made a position's result: a share brings from 0 to 1 dollar, fees apart, and the first
 * buy opened it, or those before are not among the trades.
 */
function isExplained({ realized, bought, paid, opened, firstBuy }: PositionResult): boolean {
  // Of a day without a time, any hour may be meant.
  if (firstBuy > opened + (opened % DAY_MS === 0 ? DAY_MS : 0)) return false;
  const shares = bought / MICRO;
  const fees = 0.01 + 0.02 * shares;
  return bought > 0 && realized >= -paid - fees && realized <= shares - paid + fees;
}

/** Shares in millionths, whole as in the ledger: sums of doubles would leave some where none are held. */
function microsOfShares(shares: number): number {
  return Math.round(shares * MICRO);
}

/** Says which trades are left out, and why. */
function warnOfLost(frame: Tabular, lost: readonly number[], broken: readonly number[], usd: Float64Array): void {
  const warn = (rows: readonly number[], what: string, such: string, why: string) => {
    const dollars = rows.reduce((sum, row) => sum + (usd[row] || 0), 0);
    process.emitWarning(
      `pnlBy left out ${counted(rows.length, what)} of ${formatUsd(dollars)}, such as ${such}: ${why}`,
      'OddslabWarning',
    );
  };
  if (lost.length > 0) {
    const such = `one of ${textCells(frame, 'proxy_wallet')(lost[0] as number)}`;
    const remedy = 'Give those of all wallets and markets of the trades, as lab.positions({ wallet }) does.';
    warn(lost, 'buy', such, `none of the positions is theirs. ${remedy}`);
  }
  if (broken.length > 0) {
    const needed = 'the wallet, the market, the token or outcome, the side, the price, the size or the time';
    warn(broken, 'trade', `that of row ${broken[0]}, counted from 0`, `a value that is needed is missing: ${needed}.`);
  }
}

/** A position's result, and the buys that it was made of. */
export interface PositionResult {
  readonly market: string;
  realized: number;
  /** Shares that are held, and that were bought, in millionths. */
  held: number;
  bought: number;
  paid: number;
  /** When the position was opened, and the first of its buys among the trades, in milliseconds since 1970. */
  opened: number;
  firstBuy: number;
}

function resultsOf(positions: Tabular, keys: readonly (string | null)[]): Map<string, PositionResult> {
  const realized = doublesOf(numericVector(positions, 'realized'));
  refuseInfinite('realized', realized);
  const held = amountsOf(positions, 'shares');
  const opened = momentsOf(positions, 'opened');
  const results = new Map<string, PositionResult>();
  for (const [row, key] of keys.entries()) {
    if (key === null || Number.isNaN(realized[row])) continue;
    const market = key.split('\n')[1] as string;
    const result = results.get(key) ?? {
      market,
      realized: 0,
      held: 0,
      bought: 0,
      paid: 0,
      opened: Number.POSITIVE_INFINITY,
      firstBuy: Number.POSITIVE_INFINITY,
    };
    result.realized += realized[row] as number;
    result.held += microsOfShares(held[row] || 0);
    // Where it is not told, any buy may have opened it.
    if (!Number.isNaN(opened[row])) result.opened = Math.min(result.opened, opened[row] as number);
    results.set(key, result);
  }
  return results;
}

function withParts(
  frame: Tabular,
  rows: readonly number[],
  parts: readonly number[],
  paid: readonly number[],
): DataFrame {
  const taken = Uint32Array.from(rows);
  return frameFromVectors(
    [...columnsOf(frame), computed(PART), computed(PAID)],
    [
      ...vectorsOf(frame).map((vector) => takeVector(vector, taken)),
      { kind: 'number', values: Float64Array.from(parts) },
      { kind: 'number', values: Float64Array.from(paid) },
    ],
    frame,
  );
}

function computed(name: string): Column {
  return { name, dtype: 'float64', unit: 'USD', nullable: false, meaning: '' };
}
