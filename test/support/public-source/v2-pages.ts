import { createHash } from 'node:crypto';
import { type Answer, type Asked, cursorTo, ok, positionOf, refused, wholeNumber } from './answers.js';
import type { SourceRow } from './source-records.js';

/** The names by which Data API v2 takes conditions. */
export const CONDITIONS = ['condition', 'condition_id', 'conditionId'] as const;

/** The address that a question is about; undefined where there is none, or no address. */
export function userOf(query: URLSearchParams): string | undefined {
  const user = query.get('user')?.toLowerCase();
  return user !== undefined && /^0x[0-9a-f]{40}$/.test(user) ? user : undefined;
}

/** A page by time and sequence. The cursor brings its direction along. */
export function rowsPage(asked: Asked, rows: SourceRow[], shown: (row: SourceRow) => object): Answer {
  const { path, query } = asked;
  const cursor = query.get('cursor');
  const position = cursor === null || cursor === '' ? undefined : positionOf(cursor, path, query);
  if (cursor && position === undefined) return refused(400, 'invalid cursor');
  const direction = position?.[1] ?? query.get('sort_direction') ?? query.get('sortDirection') ?? 'DESC';
  if (direction !== 'ASC' && direction !== 'DESC') return refused(400, 'sort_direction must be ASC or DESC');
  const after = Number(position?.[0] ?? (direction === 'ASC' ? 0 : Number.MAX_SAFE_INTEGER));
  const rest = rows.filter(({ sequence }) => (direction === 'ASC' ? sequence > after : sequence < after));
  if (direction === 'DESC') rest.reverse();
  return pageOf(asked, rest, 1_000, shown, ({ sequence }) => [sequence, direction]);
}

/**
 * A page from the beginning of what is left. It may be short though more follows: where it is told so, a page holds
 * between a third and all of what was asked for.
 */
export function pageOf<Item>(
  { path, query, quirks }: Asked,
  rest: readonly Item[],
  most: number,
  shown: (item: Item) => object,
  positionOfItem: (item: Item) => (number | string)[] = () => [],
): Answer {
  const limit = wholeNumber(query, 'limit', 100);
  if (limit < 1 || limit > most) return refused(400, `limit must be from 1 to ${most}`);
  const asked = Math.min(limit, quirks.mostRecords);
  const spare = quirks.shortPages ? shareOf(`${rest.length} ${query}`) % Math.ceil((2 * asked) / 3) : 0;
  const size = Math.max(1, asked - spare);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const more = rest.length > size && last !== undefined;
  const next_cursor = more ? cursorTo(positionOfItem(last), path, query) : null;
  return ok({ data: page.map(shown), pagination: { limit, offset: 0, has_more: more, next_cursor } });
}

/** A number that a text always gives. */
function shareOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

/** The items from an index on, by the index that a cursor holds. */
export function indexed<Item>(
  asked: Asked,
  items: readonly Item[],
  most: number,
  shown: (item: Item) => object,
): Answer {
  const { path, query } = asked;
  const cursor = query.get('cursor');
  const position = cursor ? positionOf(cursor, path, query) : [0];
  if (position === undefined) return refused(400, 'invalid cursor');
  const from = Number(position[0]);
  const rest = items.slice(from).map((item, at) => ({ item, next: from + at + 1 }));
  return pageOf(
    asked,
    rest,
    most,
    ({ item }) => shown(item),
    ({ next }) => [next],
  );
}
