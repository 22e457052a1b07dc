import { isObject } from '../base/texts.js';
import { type Completeness, readCompleteness } from './completeness.js';
import { dayOfDate } from './time.js';

/** The days that a leaderboard counts, and of how many wallets; a service sends it beside the answer. */
export interface LeaderboardWindow {
  /** Its first day, `YYYY-MM-DD` in UTC. */
  readonly first: string;
  /** Its last day: the last one of the data on which anything counts. */
  readonly last: string;
  /** Wallets with a counted event in these days, before filters. */
  readonly wallets: number;
  /** The other wallets of the data; their records may end earlier. */
  readonly others: number;
}

/**
 * Reads the window from what a service sent beside its answer, and trusts nothing in it.
 *
 * @param sent The value of `window` in an answer, or of what was kept of it.
 * @returns Undefined if it is no window.
 */
export function readWindow(sent: unknown): LeaderboardWindow | undefined {
  if (!isObject(sent)) return undefined;
  const { first, last, wallets, others } = sent;
  return isDay(first) && isDay(last) && isCount(wallets) && isCount(others)
    ? { first, last, wallets, others }
    : undefined;
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && dayOfDate(value) !== undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A name in a query's filter that nothing in the data has, so that no record can pass it. */
export interface UnknownName {
  /** Name of the filter on the wire. */
  readonly filter: string;
  /** The text that the filter was given; of a list, the one of its entries. */
  readonly value: string;
  /** A name of the data that may have been meant. */
  readonly nearest?: string;
}

/** What each filter names, in words; a filter that is not here names nothing that data could lack. */
export const NAMED = {
  condition_id: 'the condition id',
  token_id: 'the token id',
  market_slug: 'the slug',
  event_slug: 'the event',
  category: 'the category',
} as const;

/** A filter whose names are looked for in the data. */
export type NamedFilter = keyof typeof NAMED;

/**
 * Reads unknown names from what a service sent beside its answer, and trusts nothing in it.
 *
 * @param sent The value of `unknown` in an answer, or of what was kept of it.
 * @returns Undefined if it names none.
 */
export function readUnknown(sent: unknown): readonly UnknownName[] | undefined {
  if (!Array.isArray(sent)) return undefined;
  const names = sent.filter(isObject).flatMap(({ filter, value, nearest }) => {
    if (typeof filter !== 'string' || !Object.hasOwn(NAMED, filter) || typeof value !== 'string') return [];
    return [{ filter, value, ...(typeof nearest === 'string' ? { nearest } : {}) }];
  });
  return names.length === 0 ? undefined : names;
}

/**
 * Says in one clause that a name is not known.
 *
 * @example unknownWords({ filter: 'category', value: 'Politcs', nearest: 'Politics' });
 * // 'no market of the data has the category "Politcs"; did you mean "Politics"?'
 */
export function unknownWords({ filter, value, nearest }: UnknownName): string {
  const what = NAMED[filter as NamedFilter] ?? filter;
  // As JSON, since a service may send any text, also what a terminal would act on.
  const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
  return `no market of the data has ${what} ${JSON.stringify(value)}${hint}`;
}

/** What a service may say beside the records of an answer. A member that it does not say is absent. */
export interface AnswerNotes {
  /**
   * How complete the records of the wallets asked for are, by wallet in lower case; of a leaderboard of all wallets, of
   * those that it lists. `completenessOf` gives it for a whole frame.
   */
  readonly completeness?: Readonly<Record<string, Completeness>>;
  /** What a leaderboard covers: its days, how many wallets there are in them before filters, and how many others. */
  readonly window?: LeaderboardWindow;
  /** Names in the filters that nothing in the data has, so that no record can pass them. */
  readonly unknown?: readonly UnknownName[];
}

/** Reads the notes from an answer, or from what was kept of one, and trusts nothing in it. */
export function readNotes(sent: { readonly [Name in keyof AnswerNotes]?: unknown }): AnswerNotes {
  const completeness = readCompleteness(sent.completeness);
  const window = readWindow(sent.window);
  const unknown = readUnknown(sent.unknown);
  return {
    ...(completeness === undefined ? {} : { completeness }),
    ...(window === undefined ? {} : { window }),
    ...(unknown === undefined ? {} : { unknown }),
  };
}

/** The notes of two pages of one query: each page of a leaderboard tells of its own wallets. */
export function joinedNotes(first: AnswerNotes, next: AnswerNotes): AnswerNotes {
  const [window, unknown] = [first.window ?? next.window, first.unknown ?? next.unknown];
  const completeness = next.completeness ? { ...first.completeness, ...next.completeness } : first.completeness;
  return {
    ...(completeness === undefined ? {} : { completeness }),
    ...(window === undefined ? {} : { window }),
    ...(unknown === undefined ? {} : { unknown }),
  };
}
