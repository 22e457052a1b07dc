import { Random } from '../../../src/service/sample/random.js';
import type { Answer } from './answers.js';

/**
 * What may go wrong. In passing, at random, but never more than twice in a row for the same address:
 * - `too-many`: 429 without a word; `retry-after`: 429 with `Retry-After: 1`; `server-error`: 500, 502 or 503.
 * - `cut`: the body ends in the middle; `reset`: the connection does; `html`: a page for people, with status 200.
 * - `slow`: the answer takes 50 ms more.
 *
 * Lasting, in every walk over pages:
 * - `repeat`: after some pages the same page comes for ever, each time with another cursor.
 * - `stuck`: so that even another walk of the same wallet gets that page.
 * - `refuse-cursor`: after some pages the cursor is refused (400).
 * - `end-early`: after some pages the list says that it ends. `unended`: it says that there is more, but not where.
 *
 * And `absent`: 404. `drift`: records have a field more, one less, and a number as text. `down`: 503 for ever.
 * `never-json`: HTML for ever.
 */
export type FaultKind =
  | (typeof PASSING)[number]
  | 'repeat'
  | 'stuck'
  | 'refuse-cursor'
  | 'end-early'
  | 'unended'
  | 'absent'
  | 'drift'
  | 'down'
  | 'never-json';

const PASSING = ['too-many', 'retry-after', 'server-error', 'cut', 'reset', 'html', 'slow'] as const;

/** A fault that the source has. */
export interface Fault {
  kind: FaultKind;
  /** The paths that have it. Default all. */
  on?: RegExp;
  /** The share of requests that a passing fault meets. Default 0.3. */
  share?: number;
  /** The pages of a walk before a lasting fault begins. Default 1. */
  after?: number;
}

/** What is sent instead of an answer. */
export interface Damage {
  answer: Answer;
  headers?: Readonly<Record<string, string>>;
  /** Send this text, not JSON. */
  html?: string;
  /** End the connection before the answer, or in the middle of its body. */
  ends?: 'at once' | 'in the body';
  delayMs?: number;
}

const CURSORS = ['cursor', 'after_cursor', 'next_cursor', 'offset'];
const STREAM = 102;
const HTML = '<!DOCTYPE html><html><head><title>Just a moment…</title></head><body>Checking</body></html>';

/** The faults of one source, with what they remember of its requests. */
export class Faults {
  readonly #random: Random;
  readonly #inRow = new Map<string, number>();
  readonly #walks = new Map<string, { pages: string[]; repeated: unknown }>();

  constructor(
    readonly faults: readonly Fault[],
    seed: number,
  ) {
    this.#random = new Random(seed, STREAM, 0);
  }

  /** What comes of an answer to a request. */
  damage(url: URL, answer: Answer): Damage {
    let damage: Damage = { answer };
    for (const fault of this.faults) {
      if (isPassing(fault.kind) || (fault.on && !fault.on.test(url.pathname))) continue;
      damage = this.#lasting(fault, url, damage);
    }
    const kind = this.#passingKind(url);
    return kind === undefined ? damage : passing(kind, damage, this.#random);
  }

  #passingKind({ href, pathname }: URL): FaultKind | undefined {
    const before = this.#inRow.get(href) ?? 0;
    const found =
      before < 2
        ? this.faults.find(
            ({ kind, on, share = 0.3 }) =>
              isPassing(kind) && (on?.test(pathname) ?? true) && this.#random.chance(share),
          )
        : undefined;
    this.#inRow.set(href, found ? before + 1 : 0);
    return found?.kind;
  }

  #lasting({ kind, after = 1 }: Fault, url: URL, damage: Damage): Damage {
    if (kind === 'absent') return { answer: { status: 404, body: { error: 'not found' } } };
    if (kind === 'down') return { answer: { status: 503, body: { error: 'down' } } };
    if (kind === 'never-json') return { answer: { status: 200, body: null }, html: HTML };
    if (damage.answer.status !== 200) return damage;
    if (kind === 'drift') return { ...damage, answer: { status: 200, body: drifted(damage.answer.body) } };
    const { walk, page } = this.#pageOf(url, kind === 'stuck');
    const body = damage.answer.body;
    const isOver = page >= after;
    if (kind === 'refuse-cursor')
      return page > 0 && isOver ? { answer: { status: 400, body: { error: 'invalid cursor' } } } : damage;
    if (kind === 'end-early')
      return isOver ? { ...damage, answer: { status: 200, body: ended(body, page > after) } } : damage;
    if (kind === 'unended')
      return page + 1 >= after ? { ...damage, answer: { status: 200, body: unended(body) } } : damage;
    if (!isOver) {
      walk.repeated = body;
      return damage;
    }
    return { ...damage, answer: { status: 200, body: repeated(walk.repeated, page) } };
  }

  /**
   * Which page of its walk a request is for: 0 without cursor, then by the order in which cursors came. All walks of a
   * wallet may count as one.
   */
  #pageOf(url: URL, isOne: boolean): { walk: { pages: string[]; repeated: unknown }; page: number } {
    const filters = [...url.searchParams].filter(([name]) => (isOne ? name === 'user' : !CURSORS.includes(name)));
    const key = JSON.stringify([url.pathname, filters]);
    const walk = this.#walks.get(key) ?? { pages: isOne ? [] : ['0'], repeated: undefined };
    this.#walks.set(key, walk);
    const cursor = isOne ? url.search : (CURSORS.map((name) => url.searchParams.get(name)).find(Boolean) ?? '0');
    if (!walk.pages.includes(cursor)) walk.pages.push(cursor);
    return { walk, page: walk.pages.indexOf(cursor) };
  }
}

function isPassing(kind: FaultKind): boolean {
  return (PASSING as readonly string[]).includes(kind);
}

function passing(kind: FaultKind, damage: Damage, random: Random): Damage {
  if (kind === 'too-many') return { answer: { status: 429, body: { error: 'too many requests' } } };
  if (kind === 'retry-after') {
    return { answer: { status: 429, body: { error: 'too many requests' } }, headers: { 'retry-after': '1' } };
  }
  if (kind === 'server-error') return { answer: { status: random.pick([500, 502, 503]), body: { error: 'internal' } } };
  if (kind === 'cut') return { ...damage, ends: 'in the body' };
  if (kind === 'reset') return { ...damage, ends: 'at once' };
  if (kind === 'html') return { ...damage, html: HTML };
  return { ...damage, delayMs: 50 };
}

type Paged = Record<string, unknown> & { pagination?: Record<string, unknown> };

/** A page that claims to be the last; empty if one came before that did so already. */
function ended(body: unknown, isEmpty: boolean): unknown {
  if (Array.isArray(body)) return isEmpty ? [] : body;
  const { next_cursor: _, ...rest } = Object(body) as Paged;
  return rest.pagination ? { ...rest, pagination: { ...rest.pagination, has_more: false, next_cursor: null } } : rest;
}

/** A page after which more is said to follow, without a cursor. */
function unended(body: unknown): unknown {
  const { pagination, ...rest } = Object(body) as Paged;
  return pagination ? { ...rest, pagination: { ...pagination, has_more: true, next_cursor: null } } : body;
}

/** The same page again, with a cursor that was not seen before. */
function repeated(body: unknown, page: number): unknown {
  const next_cursor = Buffer.from(`again ${page}`).toString('base64url');
  if (Array.isArray(body)) return body;
  const { pagination, ...rest } = Object(body) as Paged;
  return pagination
    ? { ...rest, pagination: { ...pagination, has_more: true, next_cursor } }
    : { ...rest, next_cursor };
}

/** The same with changed records: the lists of a body, or the body itself. */
function drifted(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(driftedRecord);
  const changed = Object.entries(Object(body)).map(([name, value]) => [
    name,
    Array.isArray(value) && value[0] instanceof Object ? value.map(driftedRecord) : value,
  ]);
  return Object.fromEntries(changed);
}

function driftedRecord(record: unknown): unknown {
  if (!(record instanceof Object)) return record;
  const { icon: _, ...rest } = record as Record<string, unknown>;
  const outcome = 'outcome_index' in rest ? { outcome_index: String(rest.outcome_index) } : {};
  const volume = 'volumeNum' in rest ? { volumeNum: String(rest.volumeNum) } : {};
  return { ...rest, ...outcome, ...volume, brandNewField: { since: 2026 } };
}
