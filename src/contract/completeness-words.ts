import { counted, partText } from '../base/texts.js';
import type { Completeness, FigureName, MissingPart } from './completeness.js';

/** A fault of a wallet's record in plain words; undefined where it has none, or for a figure that is no fault. */
type Fault = (record: Completeness) => string | undefined;

const NO_FAULT: Fault = () => undefined;

/** The smallest part of a share or dollar that the ledger counts: less is what adding doubles leaves. */
const LEAST = 1e-6;

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** What each figure says against a record; a figure of the contract without it is a type error. */
const FAULTS: Readonly<Record<'seen' | FigureName, Fault>> = {
  seen: ({ seen }) => (seen ? undefined : 'not seen: no record mentions it'),
  first: NO_FAULT,
  last: NO_FAULT,
  redeemed_shares: NO_FAULT,
  over_redeemed_shares: ({ over_redeemed_shares: over = 0, redeemed_shares: all = over }) =>
    over < LEAST ? undefined : `${shares(over)} of ${sharesOf(all)} redeemed were never seen bought`,
  untracked_shares: ({ untracked_shares: all = 0, over_redeemed_shares: over = 0 }) =>
    all - over < LEAST ? undefined : `${sharesOf(all - over)} left that were never seen to come`,
  short_paid: ({ short_paid: short = 0 }) =>
    short < LEAST ? undefined : `redemptions paid $${amount(short)} less than the winning shares held`,
  fills: NO_FAULT,
  feeless_fills: ({ feeless_fills: feeless = 0, fills }) =>
    feeless === 0
      ? undefined
      : `${fills ? `${amount(feeless)} of ${counted(fills, 'fill')}` : counted(feeless, 'fill')} without fees`,
  scheduled_fee_fills: NO_FAULT,
  unstated_fee_fills: NO_FAULT,
  unknown_markets: ({ unknown_markets: unknown = 0 }) =>
    unknown === 0 ? undefined : `${counted(unknown, 'market')} without a record`,
  undecided_markets: NO_FAULT,
  skipped_rows: ({ skipped_rows: n = 0 }) =>
    n === 0 ? undefined : `${counted(n, 'row')} of its record not understood and left out`,
  income: NO_FAULT,
  income_only: ({ income_only, income = 0 }) =>
    income_only ? `only $${income.toLocaleString('en-US', CENTS)} of rewards are known: no trade` : undefined,
  fetched: ({ fetched, missing = [] }) =>
    fetched === false && missing.length === 0 ? 'fetch not complete' : undefined,
  fetched_until: NO_FAULT,
  market_fills_only: ({ market_fills_only }) =>
    market_fills_only
      ? 'only its fills in fetched markets are known, not its splits, merges, redemptions and other markets'
      : undefined,
  simulated: NO_FAULT,
  missing: ({ missing = [] }) =>
    missing.length === 0 ? undefined : `fetch not complete: ${[...new Set(missing.map(partWithReason))].join(', ')}`,
};

/**
 * What a wallet's figures lack, each fault in a few plain words.
 *
 * @returns Empty if nothing is known to be missing.
 * @example faultsOf({ seen: true, feeless_fills: 3, fills: 42 }); // ['3 of 42 fills without fees']
 */
export function faultsOf(record: Completeness): string[] {
  return Object.values(FAULTS).flatMap((fault) => fault(record) ?? []);
}

/**
 * What is worth knowing of a wallet's figures and is no fault, in plain words. A note marks nothing: a wallet that only
 * makes is right as it is.
 *
 * @returns Empty if there is nothing to note.
 */
export function notesOf(record: Completeness): string[] {
  const { scheduled_fee_fills: scheduled = 0, unstated_fee_fills: unstated = 0, fills } = record;
  const { undecided_markets: undecided = 0 } = record;
  const notes: string[] = [];
  if (undecided > 0) {
    const whose = undecided === 1 ? 'its' : 'their';
    notes.push(`${counted(undecided, 'market')} closed without a known result: ${whose} shares are not settled`);
  }
  if (scheduled > 0) {
    const which = fills ? `${amount(scheduled)} of ${counted(fills, 'fill')}` : counted(scheduled, 'fill');
    notes.push(`the fees of ${which} were computed from the market's fee schedule`);
  }
  if (unstated > 0) {
    const [which, makers] =
      unstated === 1 ? ['the one fill', "it was a maker's"] : [`any of ${amount(unstated)} fills`, "all were makers'"];
    notes.push(
      `no fee is stated in ${which} in markets where takers pay: either ${makers} or the source leaves fees out`,
    );
  }
  return notes;
}

/** A missing part with why in one clause: not the address that was asked, nor what the fetch advised then. */
function partWithReason(part: MissingPart): string {
  const [why = ''] = part.why.replace(/ \([A-Z]+ https?:[^)]*\)/, '').split(/\. |\.$/);
  return `${partText(part)}${why && ` (${why})`}`;
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 1 ? 6 : 2 });
}

function shares(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 1 ? 6 : 0 });
}

function sharesOf(value: number): string {
  return `${shares(value)} ${value === 1 ? 'share' : 'shares'}`;
}
