import { decimalOf } from '../base/decimal.js';
import { isObject } from '../base/texts.js';
import { isoOfSeconds } from './time.js';

/** A part of a wallet's record that `oddslab fetch` could not get. */
export interface MissingPart {
  /** What is missing, such as `activity`. */
  readonly what: string;
  /** Its first moment, ISO 8601 in UTC; null if it is missing from the beginning. */
  readonly from: string | null;
  /** Its last moment; null if all that followed is missing. */
  readonly until: string | null;
  /** Why it could not be had. */
  readonly why: string;
}

/**
 * How a figure is stored and sent. `time` is in Unix seconds and sent as ISO 8601, `count` is a whole number, `micros` a
 * number of millionths, sent as decimal text, `truth` is true or false, and `parts` a JSON list of {@link MissingPart}.
 */
export type FigureKind = 'time' | 'count' | 'micros' | 'truth' | 'parts';

/** One figure of a wallet's record. */
export interface Figure {
  /** Its column in the table `wallet_records`. */
  readonly column: string;
  readonly kind: FigureKind;
  readonly unit?: string;
  /** It is sent only if one of these columns has a value, since it says nothing without. */
  readonly beside?: readonly string[];
  readonly meaning: string;
}

const SHARES = { kind: 'micros', unit: 'shares' } as const;
const USD = { kind: 'micros', unit: 'USD' } as const;

/** Every figure of a wallet's record, in the order of the wire. Each engine and the client take it from here. */
export const FIGURES = {
  first: { column: 'first_ts', kind: 'time', meaning: "The wallet's first event that was seen." },
  last: { column: 'last_ts', kind: 'time', meaning: 'Its last event.' },
  untracked_shares: {
    column: 'untracked',
    ...SHARES,
    meaning: 'Left the wallet although they were never seen to come: they realize nothing, so its profit lacks them.',
  },
  redeemed_shares: {
    column: 'redeemed',
    ...SHARES,
    beside: ['over_redeemed'],
    meaning: 'All that it redeemed; stated beside over_redeemed_shares.',
  },
  over_redeemed_shares: {
    column: 'over_redeemed',
    ...SHARES,
    meaning: 'Redeemed beyond the winning shares that it was seen to hold; a part of untracked_shares.',
  },
  short_paid: {
    column: 'short_paid',
    ...USD,
    meaning: 'By how much redemptions paid less than the winning shares that it was seen to hold.',
  },
  fills: {
    column: 'fills',
    kind: 'count',
    unit: 'fills',
    beside: ['feeless', 'scheduled_fees'],
    meaning: 'All its buy and sell fills; stated beside the two figures that follow.',
  },
  feeless_fills: {
    column: 'feeless',
    kind: 'count',
    unit: 'fills',
    meaning: 'Fills whose fee nothing tells: they count as if they had cost none.',
  },
  scheduled_fee_fills: {
    column: 'scheduled_fees',
    kind: 'count',
    unit: 'fills',
    meaning: "Fills whose fee was computed from their market's fee schedule.",
  },
  unstated_fee_fills: {
    column: 'unstated_fees',
    kind: 'count',
    unit: 'fills',
    meaning:
      "Fills in markets where takers pay, if their dollars are stated and none holds a fee: all were makers', or the source leaves fees out.",
  },
  unknown_markets: {
    column: 'unknown_markets',
    kind: 'count',
    unit: 'markets',
    meaning: 'Markets that it traded in and that have no record: they settle only when redeemed.',
  },
  undecided_markets: {
    column: 'undecided_markets',
    kind: 'count',
    unit: 'markets',
    meaning: 'Closed markets without a known result of which it still holds shares: they are not settled.',
  },
  skipped_rows: {
    column: 'skipped_rows',
    kind: 'count',
    unit: 'rows',
    meaning: 'Rows of its record that were not understood, so that ingest left them out.',
  },
  income: {
    column: 'income',
    ...USD,
    meaning: 'Rewards and rebates, which are no trading profit and in no other figure.',
  },
  income_only: { column: 'income_only', kind: 'truth', meaning: 'Whether nothing but income is known of it.' },
  fetched: {
    column: 'fetched',
    kind: 'truth',
    meaning: 'Whether `oddslab fetch` got all of its record; absent if the record came another way.',
  },
  fetched_until: { column: 'fetched_until', kind: 'time', meaning: 'Up to when its record was fetched.' },
  market_fills_only: {
    column: 'market_fills_only',
    kind: 'truth',
    meaning:
      'Whether its events come from fetched markets or events, and it was not fetched itself: only fills are known.',
  },
  simulated: {
    column: 'simulated',
    kind: 'truth',
    meaning: 'Whether `oddslab simulate` made events of it: nobody traded them.',
  },
  missing: {
    column: 'missing',
    kind: 'parts',
    meaning: 'What could not be fetched: what, from when, until when, why.',
  },
} as const satisfies Readonly<Record<string, Figure>>;

type Figures = typeof FIGURES;

/** The name of a figure, on the wire and in the client. */
export type FigureName = keyof Figures;

/** The value of a figure in the client. */
interface ReadValues {
  time: string;
  count: number;
  micros: number;
  truth: boolean;
  parts: readonly MissingPart[];
}

/**
 * How complete the record of one wallet is: what was seen of it, and what its figures lack. A figure that is 0 or not
 * known is absent, so that a record without a fault has only `seen`, `first` and `last`.
 */
export type Completeness = {
  /** Whether any record mentions the wallet. */
  readonly seen: boolean;
} & { readonly [Name in FigureName]?: ReadValues[Figures[Name]['kind']] };

/** The columns of the table `wallet_records`, besides the wallet. */
export type RecordColumn = Figures[FigureName]['column'];

/** The value of a figure as an engine gives it. */
interface StoredValues {
  time: bigint;
  count: number;
  micros: bigint;
  truth: boolean;
  parts: string;
}

/** What is stored of a wallet's record: one row of `wallet_records`. A value that is not known is null. */
export type WalletRecord = { readonly wallet: string } & {
  readonly [Name in FigureName as Figures[Name]['column']]: StoredValues[Figures[Name]['kind']] | null;
};

/** The names of the columns of `wallet_records`, with the kind of each, in the order of the wire. */
export const RECORD_COLUMNS = Object.values(FIGURES).map(({ column, kind }) => ({ column, kind })) as readonly {
  readonly column: RecordColumn;
  readonly kind: FigureKind;
}[];

const NAMED_FIGURES = Object.entries(FIGURES) as readonly [name: FigureName, figure: Figure][];

/** A wallet that no record mentions, as it is sent. */
export const UNSEEN_SENT = '{"seen":false}';

/** How complete a wallet's record is, as it is sent: the text of a JSON object with the fields of {@link Completeness}. */
export function sentCompleteness(row: WalletRecord): string {
  const values = row as unknown as Readonly<Record<string, StoredValues[FigureKind] | null>>;
  let text = `{"seen":${row.first_ts !== null}`;
  for (const [name, { column, kind, beside }] of NAMED_FIGURES) {
    const value = values[column] ?? null;
    const isEmpty =
      value === null || (typeof value !== 'boolean' && kind !== 'time' && !Number(value || 0) && kind !== 'parts');
    if (isEmpty || (beside && !beside.some((other) => Number(values[other] ?? 0) !== 0))) continue;
    text += `,"${name}":${sentValue(kind, value)}`;
  }
  return `${text}}`;
}

function sentValue(kind: FigureKind, value: StoredValues[FigureKind]): string {
  if (kind === 'time') return `"${isoOfSeconds(Number(value))}"`;
  if (kind === 'micros') return `"${decimalOf(BigInt(value))}"`;
  return String(value);
}

/** Readers of what is sent; each gives undefined for anything that it does not know. */
const READERS: { readonly [Kind in FigureKind]: (sent: unknown) => unknown } = {
  time: timeOf,
  count: numberOf,
  micros: numberOf,
  truth: (sent) => (typeof sent === 'boolean' ? sent : undefined),
  parts: (sent) => (Array.isArray(sent) ? sent.filter(isObject).map(partOf) : undefined),
};

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

function timeOf(sent: unknown): string | undefined {
  return typeof sent === 'string' && TIME.test(sent) ? sent : undefined;
}

function textOf(sent: unknown): string {
  return typeof sent === 'string' ? sent : '';
}

function numberOf(sent: unknown): number | undefined {
  const number = typeof sent === 'string' && sent !== '' ? Number(sent) : sent;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function partOf({ what, from, until, why }: Record<string, unknown>): MissingPart {
  return { what: textOf(what), from: timeOf(from) ?? null, until: timeOf(until) ?? null, why: textOf(why) };
}

const WALLET = /^0x[0-9a-f]{40}$/i;

/**
 * Reads how complete the records of wallets are from what a service sent beside its answer, and trusts nothing in it:
 * what is no such object, and fields of another kind, are left out.
 *
 * @param sent The value of `completeness` in an answer, or of what was kept of it.
 * @returns By wallet, in lower case; undefined if nothing was sent.
 */
export function readCompleteness(sent: unknown): Readonly<Record<string, Completeness>> | undefined {
  if (!isObject(sent)) return undefined;
  const entries = Object.entries(sent).flatMap(([wallet, entry]) => {
    if (!WALLET.test(wallet) || !isObject(entry) || typeof entry.seen !== 'boolean') return [];
    const figures = NAMED_FIGURES.flatMap(([name, { kind }]) => {
      const value = entry[name] === undefined ? undefined : READERS[kind](entry[name]);
      return value === undefined ? [] : [[name, value]];
    });
    return [[wallet.toLowerCase(), { seen: entry.seen, ...Object.fromEntries(figures) }] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
