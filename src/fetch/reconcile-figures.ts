import { decimalOf, MICRO, microsOf } from '../base/decimal.js';
import { counted } from '../base/texts.js';
import type { Figures, FiguresPosition } from './figures.js';

/** What our data say of a wallet; money in micro-USD, shares in millionths. */
export interface OurFigures {
  wallet: string;
  /** Realized profit; undefined if no record mentions the wallet. */
  pnl: bigint | undefined;
  /** Shares that left without having been seen to arrive; undefined if not known. */
  untracked: bigint | undefined;
  /** Rewards and rebates, which are no part of the profit; undefined if not known. */
  income: bigint | undefined;
  /** Why its record is incomplete; empty if it is complete or nobody knows. */
  missing: readonly string[];
  /** By condition id; those that were asked for, if `knowsAll` is false. */
  markets: ReadonlyMap<string, OurMarket>;
  /** Of migrated markets: the condition id by which `markets` has it, by the other one. */
  later?: ReadonlyMap<string, string>;
  /** Whether all markets of the wallet are there, and all fields of each: true of a data folder, false of a service. */
  knowsAll: boolean;
}

/** What our data say of a wallet in one market. */
export interface OurMarket {
  pnl: bigint;
  /** Undefined if only a service was asked. */
  record?:
    | {
        /** How many condition ids of the market have buy or sell fills: 2 if it was traded before and after a migration. */
        traded: number;
        /** Whether a conversion may have taken shares of the market or brought some. */
        isConverted: boolean;
        /** Whether a MIGRATION moved shares of the market. */
        isMigrated: boolean;
        /** Whether there is a record of the market. */
        isKnown: boolean;
        /** Whether it was settled. */
        isSettled: boolean;
        /** Shares that came less those that left since the last redemption, by token; undefined if not known. */
        held: ReadonlyMap<string, bigint> | undefined;
        /** The same of both outcomes until the last redemption. */
        before: readonly [bigint, bigint];
        /** Dollars that its redemptions paid; undefined without one. */
        redeemed: bigint | undefined;
      }
    | undefined;
}

/** One figure, ours beside the source's. Amounts are decimal texts; null where one does not say. */
export interface Reconciled {
  wallet: string;
  figure: string;
  /** The market of a figure by market; else null. */
  condition_id: string | null;
  /** The token of a figure by token; else null. */
  token_id: string | null;
  slug: string | null;
  ours: string | null;
  theirs: string | null;
  /** Ours less theirs; null if one of them is. */
  difference: string | null;
  /** Why they likely differ; empty if they agree. */
  cause: string;
}

/** Figures that differ by no more than this agree: one cent, or a hundredth of a share. */
const TOLERANCE = 10_000n;

/** A known amount by which two figures may rightly differ, with what it is. */
type Part = readonly [amount: bigint, meaning: string];

/** Puts our figures of a wallet beside the source's: first those of the whole wallet, then by market and by token. */
export function reconcile(ours: OurFigures, theirs: Figures): Reconciled[] {
  const rows = new Rows(ours, theirs);
  return [...rows.profit(), ...rows.counts(), ...rows.profitByMarket(), ...rows.sharesHeld(), ...rows.redemptions()];
}

/** The market, or the token, that a figure is of. */
interface Place {
  readonly id: string;
  readonly market: OurMarket | undefined;
  readonly positions: readonly FiguresPosition[];
  readonly token?: string;
  /** What else the source says of it that may make a difference. */
  readonly note?: string | undefined;
}

class Rows {
  readonly #ours: OurFigures;
  readonly #theirs: Figures;
  readonly #positions: ReadonlyMap<string, FiguresPosition[]>;

  constructor(ours: OurFigures, theirs: Figures) {
    this.#ours = ours;
    this.#theirs = theirs;
    const positions = new Map<string, FiguresPosition[]>();
    for (const each of theirs.positions ?? []) {
      const id = this.#idOf(each.condition_id);
      positions.set(id, [...(positions.get(id) ?? []), each]);
    }
    this.#positions = positions;
  }

  /** The condition id by which our data have a market. */
  #idOf(condition: string): string {
    return this.#ours.later?.get(condition) ?? condition;
  }

  /** Realized profit over all markets, and what the source counts apart from it. */
  profit(): Reconciled[] {
    const { pnl, leaderboard_pnl } = this.#theirs;
    const amounts = {
      lp: micros(pnl?.realized_lp_pnl),
      combos: micros(pnl?.realized_combo_pnl),
      open: micros(pnl?.unrealized_pnl),
      income: micros(pnl?.wallet_income),
      fees: micros(pnl?.fees_paid),
    };
    const redeemable = (this.#theirs.positions ?? []).filter(({ status }) => status === 'REDEEMABLE');
    const unredeemed = sum(redeemable.map(({ unrealized_pnl }) => micros(unrealized_pnl)));
    const realized: Part[] = [
      [unredeemed, 'markets that are settled here at their close and not yet redeemed there'],
      [amounts.fees > 0n ? -amounts.fees : amounts.fees, 'fees, which our cost has and theirs has not'],
      [amounts.lp, 'profit of splits and merges, which the source counts as liquidity'],
      [amounts.combos, 'combos, which the source counts apart'],
    ];
    const board: Part[] = [...realized.slice(1, 2), [-amounts.open, 'open positions at their price, which theirs has']];
    board.push([-amounts.income, 'rewards and rebates, which theirs has']);
    const { income } = this.#ours;
    const apart = {
      liquidity_pnl: amounts.lp,
      combo_pnl: amounts.combos,
      ...(income === undefined ? { income: amounts.income } : {}),
    };
    const told = Object.entries(apart).filter(([, amount]) => amount !== 0n);
    return [
      this.#row('realized_pnl', this.#ours.pnl, microsOrNull(pnl?.realized_market_pnl), realized),
      ...(leaderboard_pnl === null
        ? []
        : [this.#row('leaderboard_pnl', this.#ours.pnl, microsOrNull(leaderboard_pnl), board)]),
      ...(income === undefined || (income === 0n && amounts.income === 0n)
        ? []
        : [
            this.#row('income', income, microsOrNull(pnl?.wallet_income), [
              [income - amounts.income, 'rewards or rebates that our records lack'],
            ]),
          ]),
      ...told.map(([figure, amount]) => ({
        ...this.#row(figure, undefined, amount, []),
        cause: 'the source counts it apart from realized_pnl',
      })),
    ];
  }

  /** The number of markets with a fill. */
  counts(): Reconciled[] {
    const { markets, knowsAll, pnl } = this.#ours;
    const theirs = this.#theirs.markets;
    if (theirs === null) return [];
    const records = [...markets.values()].flatMap(({ record }) => record ?? []);
    const traded = records.reduce((all, record) => all + record.traded, 0);
    const others = records.filter((record) => record.traded === 0).length;
    const parts: Part[] = [
      [
        BigInt(-others * MICRO),
        `${counted(others, 'market')} without a fill: only split, merged, converted or redeemed`,
      ],
    ];
    const ours = knowsAll && pnl !== undefined ? BigInt(traded * MICRO) : undefined;
    return [this.#row('markets_traded', ours, BigInt(theirs * MICRO), parts)];
  }

  /** Profit of each market that is over for the wallet: its positions there are closed or wait to be redeemed. */
  profitByMarket(): Reconciled[] {
    return [...this.#positions].flatMap(([id, positions]) => {
      if (positions.some(({ status }) => status !== 'CLOSED' && status !== 'REDEEMABLE')) return [];
      const held = positions.filter(({ status }) => status === 'REDEEMABLE');
      const open = sum(held.map(({ unrealized_pnl }) => micros(unrealized_pnl)));
      const theirs = sum(positions.map(({ realized_pnl }) => micros(realized_pnl))) + open;
      const fees = sum(positions.map((position) => micros(position.fees)));
      const market = this.#ours.markets.get(id);
      const parts: Part[] = [
        [-fees, 'fees, which our cost has and theirs has not'],
        [-open, 'not settled here: no record of ours says who won'],
      ];
      return [this.#row('market_pnl', this.#pnlOf(market), theirs, parts, { id, market, positions })];
    });
  }

  #pnlOf(market: OurMarket | undefined): bigint | undefined {
    if (market) return market.pnl;
    // A market that a whole record does not know made no profit here.
    return this.#ours.knowsAll && this.#ours.pnl !== undefined ? 0n : undefined;
  }

  /** Shares of each token that one of both says is held. */
  sharesHeld(): Reconciled[] {
    if (!this.#ours.knowsAll || this.#theirs.positions === null || this.#ours.pnl === undefined) return [];
    const theirs = this.#theirs.positions.filter(({ status, size }) => status !== 'CLOSED' && micros(size) > TOLERANCE);
    const listed = new Set(theirs.map(({ token_id }) => token_id));
    const rows = theirs.map((position) => {
      const market = this.#ours.markets.get(this.#idOf(position.condition_id));
      const at = { id: position.condition_id, market, positions: [position], token: position.token_id };
      const known = market?.record === undefined || market.record.held !== undefined;
      const held = known ? (market?.record?.held?.get(position.token_id) ?? 0n) : undefined;
      return this.#row('shares_held', held, micros(position.size), [], at);
    });
    for (const [id, market] of this.#ours.markets) {
      // Shares of a settled market may be worth nothing, which the source need not list.
      if (market.record?.isSettled) continue;
      for (const [token, shares] of market.record?.held ?? []) {
        if (shares <= TOLERANCE || listed.has(token)) continue;
        rows.push(this.#row('shares_held', shares, 0n, [], { id, market, positions: [], token }));
      }
    }
    return rows;
  }

  /** Dollars that redemptions paid, beside what the resolution pays for the shares held until then. */
  redemptions(): Reconciled[] {
    return this.#theirs.resolutions.flatMap(({ condition_id, payouts }) => {
      const id = this.#idOf(condition_id);
      const market = this.#ours.markets.get(id);
      const record = market?.record;
      // Shares of a conversion came from other markets.
      if (record?.redeemed === undefined || !record.isKnown || record.isConverted) return [];
      const whole = payouts[0] + payouts[1];
      const [a, b] = record.before.map((shares, side) => (shares * BigInt(payouts[side] ?? 0)) / BigInt(whole));
      const note = payouts[0] === payouts[1] ? 'the source resolves it as a tie' : undefined;
      const at = { id, market, positions: this.#positions.get(id) ?? [], note };
      return [this.#row('redeemed', record.redeemed, (a ?? 0n) + (b ?? 0n), [], at)];
    });
  }

  #row(
    figure: string,
    ours: bigint | undefined,
    theirs: bigint | undefined,
    parts: readonly Part[],
    at?: Place,
  ): Reconciled {
    const difference = ours === undefined || theirs === undefined ? undefined : ours - theirs;
    const differs = difference !== undefined && magnitude(difference) > TOLERANCE;
    return {
      wallet: this.#ours.wallet,
      figure,
      condition_id: at?.id ?? null,
      token_id: at?.token ?? null,
      slug: at?.positions[0]?.slug ?? null,
      ours: textOrNull(ours),
      theirs: textOrNull(theirs),
      difference: textOrNull(difference),
      cause: differs ? this.#causes(difference, parts, at).join('; ') : this.#silence(ours, theirs, at),
    };
  }

  /** Why one of both does not say; empty if both do. */
  #silence(ours: bigint | undefined, theirs: bigint | undefined, at: Place | undefined): string {
    if (ours === undefined && this.#ours.pnl === undefined) return 'no record of ours mentions this wallet';
    if (ours === undefined && this.#ours.knowsAll) return ['not told here', ...this.#inMarkets(at)].join(': ');
    if (ours === undefined) return 'the service does not tell it: ask the data folder';
    return theirs === undefined ? 'the source does not say' : '';
  }

  /** What explains a difference: the fewest known amounts that come to it; else all that may have a part in it. */
  #causes(difference: bigint, parts: readonly Part[], at: Place | undefined): string[] {
    const given = parts.filter(([amount]) => magnitude(amount) > TOLERANCE);
    const exact = fewestFor(difference, given);
    if (exact) return exact.map(([, meaning]) => meaning);
    const causes = [
      ...(at?.note ? [at.note] : []),
      ...this.#ours.missing,
      ...this.#inMarkets(at),
      ...given.map(([, meaning]) => `in part ${meaning}`),
    ];
    const { untracked } = this.#ours;
    if (untracked !== undefined && untracked > 0n) {
      causes.push(`${decimalOf(untracked)} shares left that no record shows arriving: transfers, or records missing`);
    }
    if (causes.length > 0) return causes;
    return [at?.token ? 'transfers, which no record shows, or records missing' : 'not known'];
  }

  /** What the markets of a figure show that the source may count in another way. */
  #inMarkets(at: Place | undefined): string[] {
    if (at && !at.market) return this.#ours.knowsAll ? ['our data have no record of this market for the wallet'] : [];
    const markets = at?.market ? [at.market] : [...this.#ours.markets.values()];
    const records = markets.flatMap(({ record }) => record ?? []);
    const unknown = records.filter(({ isKnown }) => !isKnown).length;
    return [
      ...(records.some(({ isConverted }) => isConverted)
        ? ['conversions, whose cost each spreads in its own way']
        : []),
      ...(records.some(({ isMigrated }) => isMigrated) ? ['a MIGRATION, which moved shares to other tokens'] : []),
      ...(unknown > 0 ? [`${counted(unknown, 'market')} without a record of ours, never settled`] : []),
    ];
  }
}

/** The fewest parts whose sum is a difference, within the tolerance; undefined if none are. */
function fewestFor(difference: bigint, parts: readonly Part[]): Part[] | undefined {
  const choices = Array.from({ length: 2 ** parts.length - 1 }, (_, bits) =>
    parts.filter((_, at) => (bits + 1) & (1 << at)),
  );
  choices.sort((a, b) => a.length - b.length);
  return choices.find((chosen) => magnitude(sum(chosen.map(([amount]) => amount)) - difference) <= TOLERANCE);
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((a, b) => a + b, 0n);
}

function microsOrNull(text: string | null | undefined): bigint | undefined {
  return text === null || text === undefined ? undefined : microsOf(text);
}

function micros(text: string | null | undefined): bigint {
  return microsOrNull(text) ?? 0n;
}

function textOrNull(amount: bigint | undefined): string | null {
  return amount === undefined ? null : decimalOf(amount);
}
