import { createHash } from 'node:crypto';
import type { SourceRecords } from './source-records.js';

/** A question to one of the three services, as its routes see it. */
export interface Asked {
  path: string;
  query: URLSearchParams;
  records: SourceRecords;
  /** The source's clock, in Unix seconds: it tells nothing that came later. */
  now: number;
  quirks: Quirks;
}

/** How far the services go in what may differ between them, or has changed over time. */
export interface Quirks {
  /** Data API v2 gives fewer rows a page than were asked for, though more follow. Default true. */
  shortPages: boolean;
  /** The most records of any page, whatever was asked for. Default none. */
  mostRecords: number;
  /** Past this offset Data API v1's `/trades` gives the page of this offset again. Default none. */
  tradesRepeatPast: number;
  /** The highest offsets of Data API v1's lists. Default 5,000 and 10,000. */
  activityOffset: number;
  tradesOffset: number;
  /** The days of activity that are told where no `start` is given. Default 1,095. */
  unstartedDays: number;
}

/** An answer before it is written as JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

/** Answers with JSON. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** Refuses a question. */
export function refused(status: number, error: string, type = 'validation error'): Answer {
  return { status, body: { type, error } };
}

/** A number of a query; the default where it is absent or no whole number of 0 or more. */
export function wholeNumber(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name) ?? '';
  return /^\d+$/.test(text) ? Number(text) : usual;
}

/** A switch of a query. */
export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name)?.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/** The values of a parameter that may be repeated, or be a list with commas; empty if it is absent. */
export function listOf(query: URLSearchParams, ...names: readonly string[]): string[] {
  const texts = names.flatMap((name) => [...query.getAll(name), ...query.getAll(`${name}[]`)]);
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean);
}

/** The parameters that are no filters: a cursor is good with any of them, and brings its direction along. */
const NO_FILTER = ['limit', 'cursor', 'after_cursor', 'next_cursor', 'offset', 'sort_direction', 'sortDirection'];

/** A cursor to a position, which is good for the same path and filters alone. */
export function cursorTo(position: readonly (number | string)[], path: string, query: URLSearchParams): string {
  return Buffer.from(JSON.stringify([bindingOf(path, query), ...position])).toString('base64url');
}

/** The position of a cursor; undefined if it is none of ours, or of other filters. */
export function positionOf(cursor: string, path: string, query: URLSearchParams): (number | string)[] | undefined {
  try {
    const [binding, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return binding === bindingOf(path, query) ? position : undefined;
  } catch {
    return undefined;
  }
}

function bindingOf(path: string, query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !NO_FILTER.includes(name)).sort();
  return createHash('sha256')
    .update(JSON.stringify([path, filters]))
    .digest('hex')
    .slice(0, 16);
}
