import { type Answer, type Asked, cursorTo, flag, listOf, ok, positionOf, refused, wholeNumber } from './answers.js';
import { gammaEvent, gammaMarket, isClosed, isOver, tagsOf } from './gamma-records.js';
import { canonical, type SourceEvent, type SourceMarket } from './source-records.js';

const KEYSET_LIMIT = 100;
const OFFSET_LIMIT = 500;
const MOST_OFFSET = 2_000;
const MOST_CONDITIONS = 100;

/** Answers as Gamma does. */
export function gammaAnswer(asked: Asked): Answer {
  const { path } = asked;
  const [, kind, second, third] = path.split('/').map(decodeURIComponent);
  if (kind === 'markets' || kind === 'events') {
    if (second === undefined) return kind === 'markets' ? offsetPage(asked, MARKETS) : offsetPage(asked, EVENTS);
    if (second === 'keyset') return kind === 'markets' ? keysetPage(asked, MARKETS) : keysetPage(asked, EVENTS);
    const bySlug = second === 'slug';
    const wanted = bySlug ? third : second;
    return kind === 'markets' ? single(asked, MARKETS, bySlug, wanted) : single(asked, EVENTS, bySlug, wanted);
  }
  return refused(404, 'not found', 'not found error');
}

/** What the routes of markets and of events have in common. */
interface Kind<Item extends { id: string; slug: string }> {
  name: 'markets' | 'events';
  /** What `closed` is where it is not asked for: markets that are closed are then missing. */
  closedByDefault: boolean | undefined;
  all(asked: Asked): readonly Item[];
  isClosed(item: Item, now: number): boolean;
  passes(item: Item, query: URLSearchParams): boolean;
  volume(item: Item): number;
  record(item: Item, now: number): object;
}

const MARKETS: Kind<SourceMarket> = {
  name: 'markets',
  closedByDefault: false,
  all: ({ records, now }) => records.markets.filter(({ hidden, start }) => hidden === 'nowhere' && start <= now),
  isClosed,
  passes: (market, query) =>
    isOneOf(listOf(query, 'condition_ids').map(canonical), [market.condition]) &&
    isOneOf(listOf(query, 'clob_token_ids'), market.protocol === 1 ? market.tokens : []) &&
    isOneOf(listOf(query, 'position_ids'), market.protocol === 2 ? market.tokens : (market.carried?.tokens ?? [])) &&
    isOneOf(listOf(query, 'id'), [market.id]) &&
    isOneOf(listOf(query, 'slug'), [market.slug]) &&
    isWithin(market, query) &&
    Number(market.volume) >= Number(query.get('volume_num_min') ?? 0),
  volume: (market) => Number(market.volume),
  record: gammaMarket,
};

const EVENTS: Kind<SourceEvent> = {
  name: 'events',
  closedByDefault: undefined,
  all: ({ records, now }) => records.events.filter(({ start }) => start <= now),
  isClosed: isOver,
  passes: (event, query) =>
    isOneOf(listOf(query, 'id'), [event.id]) &&
    isOneOf(listOf(query, 'slug'), [event.slug]) &&
    isOneOf(
      listOf(query, 'tag_slug'),
      tagsOf(event).map((tag) => tag.toLowerCase()),
    ) &&
    isWithin(event, query),
  volume: ({ markets }) => markets.reduce((sum, { volume }) => sum + Number(volume), 0),
  record: gammaEvent,
};

function isOneOf(wanted: readonly string[], own: readonly string[]): boolean {
  return wanted.length === 0 || own.some((each) => wanted.includes(each));
}

function isWithin({ start, end }: { start: number; end: number }, query: URLSearchParams): boolean {
  const bound = (name: string, usual: number) => (query.has(name) ? Date.parse(query.get(name) ?? '') / 1000 : usual);
  return (
    start >= bound('start_date_min', -Infinity) &&
    start <= bound('start_date_max', Infinity) &&
    end >= bound('end_date_min', -Infinity) &&
    end <= bound('end_date_max', Infinity)
  );
}

function matching<Item extends { id: string; slug: string }>(asked: Asked, kind: Kind<Item>, closed?: boolean): Item[] {
  const { query, now } = asked;
  const found = kind
    .all(asked)
    .filter((item) => (closed === undefined || kind.isClosed(item, now) === closed) && kind.passes(item, query));
  const by = query.get('order') === 'volumeNum' || query.get('order') === 'volume' ? kind.volume : undefined;
  const sign = flag(query, 'ascending') === false ? -1 : 1;
  return found.sort((a, b) => sign * (by ? by(a) - by(b) : Number(a.id) - Number(b.id)));
}

/** The deprecated lists by offset. */
function offsetPage<Item extends { id: string; slug: string }>(asked: Asked, kind: Kind<Item>): Answer {
  const offset = wholeNumber(asked.query, 'offset', 0);
  if (offset > MOST_OFFSET) {
    return refused(422, `offset too large, use /${kind.name}/keyset for deeper pagination`);
  }
  const limit = Math.min(OFFSET_LIMIT, wholeNumber(asked.query, 'limit', 20));
  const items = matching(asked, kind, flag(asked.query, 'closed') ?? kind.closedByDefault);
  return ok(items.slice(offset, offset + limit).map((item) => kind.record(item, asked.now)));
}

/**
 * The lists by cursor. Only `after_cursor` moves on: `cursor` and `next_cursor` are ignored, as any parameter that is
 * not known, so that whoever sends them gets the first page for ever.
 */
function keysetPage<Item extends { id: string; slug: string }>(asked: Asked, kind: Kind<Item>): Answer {
  const { path, query, now, quirks } = asked;
  if (query.has('offset')) return refused(422, 'offset is not supported by keyset pagination');
  if (listOf(query, 'condition_ids').length > MOST_CONDITIONS)
    return refused(422, 'too many condition_ids, at most 100');
  const limit = wholeNumber(query, 'limit', 20);
  if (limit > KEYSET_LIMIT || limit < 1) return refused(422, `limit must be from 1 to ${KEYSET_LIMIT}`);
  const cursor = query.get('after_cursor');
  const position = cursor === null ? [-1] : positionOf(cursor, path, query);
  if (position === undefined) return refused(400, 'invalid after_cursor');
  const items = matching(asked, kind, flag(query, 'closed') ?? kind.closedByDefault);
  const from = items.findIndex((item) => item.id === position[0]) + 1;
  const page = items.slice(from, from + Math.min(limit, quirks.mostRecords));
  const last = page.at(-1);
  const isLast = from + page.length >= items.length;
  return ok({
    [kind.name]: page.map((item) => kind.record(item, now)),
    ...(isLast || last === undefined ? {} : { next_cursor: cursorTo([last.id], path, query) }),
  });
}

/** One record by its number or slug, whatever its state. */
function single<Item extends { id: string; slug: string }>(
  asked: Asked,
  kind: Kind<Item>,
  bySlug: boolean,
  wanted = '',
): Answer {
  if (!bySlug && !/^\d+$/.test(wanted)) return refused(422, 'id is invalid');
  const found = kind.all(asked).find((item) => (bySlug ? item.slug : item.id) === wanted);
  return found ? ok(kind.record(found, asked.now)) : refused(404, `${kind.name} not found`, 'not found error');
}
