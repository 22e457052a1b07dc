import { createHash } from 'node:crypto';
import { SourceError } from '../base/errors.js';
import { fieldOf, isObject } from '../base/texts.js';
import { PRIVATE_FIELDS, recordsOf, type SourceRecord, shapeError } from './records.js';
import type { SourceName } from './request-pace.js';
import type { SourceAnswer, SourceParams, Sources } from './sources.js';

/** A page of records. */
export interface RecordPage {
  readonly records: readonly SourceRecord[];
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  /** Whether the source says that more follows; undefined if it does not say. */
  readonly hasMore?: boolean | undefined;
  /** The source and its address, for messages. */
  readonly place: string;
}

/** Pages without a record in a row, each with a new cursor, after which a source counts as going round in circles. */
const MOST_EMPTY = 50;
/** A page with fewer records may by chance be equal to an earlier one, but not two such pages in a row. */
const LEAST_TELLING = 3;

/**
 * Walks through pages until one names no next cursor; a short or empty page is not the end. The next page is asked for
 * while the caller works on the one before.
 *
 * @param ask Gets the page of a cursor; undefined for the first one.
 * @param cursor Where to begin. Default at the first page.
 * @param telling Number of records from which a page that is equal to an earlier one counts as repeated. Default 3.
 * @throws {SourceError} Of the kind `repeats`, if a cursor or a page comes again: the source ignores its parameters, or
 *   gives the same pages for ever; or if more is said to follow, and not where. All pages before were given, and nothing
 *   of the repeated ones.
 */
export async function* walkPages(
  ask: (cursor: string | undefined) => Promise<RecordPage>,
  cursor?: string,
  telling = LEAST_TELLING,
): AsyncGenerator<RecordPage> {
  const seen = new Set(cursor === undefined ? [] : [cursor]);
  const given = new Set<string>();
  // Short pages that were given before: held back until it shows whether that was chance.
  let doubtful: RecordPage[] = [];
  let coming: Promise<RecordPage> | undefined = ask(cursor);
  for (let empty = 0; coming; ) {
    const page: RecordPage = await coming;
    const { records, next, place } = page;
    empty = records.length === 0 ? empty + 1 : 0;
    if (empty > MOST_EMPTY) throw repeats(place, 'empty pages without an end');
    const hash = hashOf(records);
    if (records.length > 0 && given.has(hash)) {
      if (records.length >= telling || doubtful.length > 0) throw repeats(place, 'a page that it had given before');
      doubtful.push(page);
    } else if (records.length === 0 && doubtful.length > 0) doubtful.push(page);
    given.add(hash);
    // A cursor that comes again leads to a page that was given.
    const isOld = next !== undefined && seen.has(next);
    if (next !== undefined) seen.add(next);
    coming = next === undefined || isOld ? undefined : ask(next);
    // Whoever leaves early does not wait for it.
    coming?.catch(() => {});
    if (doubtful.at(-1) !== page || coming === undefined) {
      yield* doubtful.filter((each) => each !== page);
      doubtful = [];
      yield page;
    }
    if (isOld) throw repeats(place, 'a cursor that it had given before');
    if (next === undefined && page.hasMore) throw repeats(place, 'no cursor for the records that it says follow');
  }
}

/** 66 bits of a page's content: a walk of millions of pages takes little memory, and does not mistake two of them. */
function hashOf(records: RecordPage['records']): string {
  const text = records.map((record) => record.text).join('\n');
  return createHash('sha1').update(text).digest('base64').slice(0, 11);
}

/** The error for pages that come again. */
export function repeats(place: string, what: string): SourceError {
  return new SourceError(
    `${place} gave ${what}: it ignores a parameter or repeats itself, so the rest cannot be fetched.`,
    { kind: 'repeats' },
  );
}

/** What to page through. */
export interface PageWalk {
  readonly source: SourceName;
  readonly path: string;
  readonly params: SourceParams;
  /** Cursor to begin at. Default the first page. */
  readonly cursor?: string | undefined;
  /** Fields to leave out. Default {@link PRIVATE_FIELDS}. */
  readonly dropped?: ReadonlySet<string>;
  /** Whether the list may come as a whole, without `pagination`. Default false. */
  readonly whole?: boolean;
}

/** Walks through pages of the Data API v2: `{data, pagination: {next_cursor}}`, asked for by `cursor`. */
export function walkV2(sources: Sources, { source, path, params, cursor, dropped = PRIVATE_FIELDS, whole }: PageWalk) {
  return walkPages(async (at) => {
    const answer = await sources.get(source, path, { ...params, cursor: at });
    const records = recordsOf(answer, 'data', dropped);
    const pagination = fieldOf(answer.json, 'pagination') ?? (whole ? {} : undefined);
    if (!isObject(pagination)) throw shapeError(answer.place, answer.json, 'pagination');
    return { records, next: cursorIn(pagination, answer), hasMore: pagination.has_more === true, place: answer.place };
  }, cursor);
}

/**
 * Walks through keyset pages of Gamma: `{markets | events, next_cursor}`, asked for by `after_cursor`, as `cursor` and
 * `next_cursor` are ignored.
 *
 * @param list `markets` or `events`.
 */
export function walkKeyset(
  sources: Sources,
  list: string,
  { source, path, params, cursor, dropped = PRIVATE_FIELDS }: PageWalk,
) {
  return walkPages(async (at) => {
    const answer = await sources.get(source, path, { ...params, after_cursor: at });
    const records = recordsOf(answer, list, dropped);
    const next = isObject(answer.json) ? cursorIn(answer.json, answer) : undefined;
    return { records, next, place: answer.place };
  }, cursor);
}

function cursorIn(holder: Readonly<Record<string, unknown>>, { place, json }: SourceAnswer): string | undefined {
  const { next_cursor: next } = holder;
  if (next === undefined || next === null || next === '') return undefined;
  if (typeof next === 'string') return next;
  throw shapeError(place, json, 'next_cursor as text');
}
