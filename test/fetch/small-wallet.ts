import type { Asked, Reply } from './small-source.js';

/** A record of activity in the spelling of the Data API v2. */
export type ActivityRow = Record<string, unknown> & { timestamp: number };

export const WALLET = `0x${'1'.repeat(40)}`;

/** A condition id by its number. */
export const conditionOf = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`;

/** A trade of the wallet at a second. */
export function trade(second: number, more: Record<string, unknown> = {}): ActivityRow {
  return {
    proxy_wallet: WALLET,
    timestamp: 1_777_000_000 + second,
    condition_id: conditionOf(1),
    type: 'TRADE',
    size: 100,
    usdc_size: 40,
    transaction_hash: `0x${second.toString(16).padStart(64, 'a')}`,
    price: 0.4,
    token_id: '1'.repeat(77),
    side: 'BUY',
    outcome_index: 0,
    title: 'Will X happen?',
    name: 'Jane',
    pseudonym: 'Shy-Cat',
    bio: 'I "bet", {often}',
    profile_image: 'https://example.org/jane.png',
    profile_image_optimized: '',
    ...more,
  };
}

/** A market record as Gamma gives it. */
export function market(n: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: String(900 + n),
    question: `Question ${n}?`,
    conditionId: conditionOf(n),
    slug: `question-${n}`,
    outcomes: '["Yes", "No"]',
    outcomePrices: '["1", "0"]',
    clobTokenIds: JSON.stringify(['1'.repeat(77), '2'.repeat(77)]),
    closed: true,
    closedTime: '2026-05-01 02:00:00+00',
    endDate: '2026-05-01T00:00:00Z',
    updatedAt: '2026-05-02T00:00:00Z',
    volume: '10',
    ...more,
  };
}

/** What the small source knows; each list may be changed between two fetches. */
export interface Known {
  activity: ActivityRow[];
  markets: Record<string, unknown>[];
  clob?: Record<string, unknown>[];
  tokens?: Record<string, unknown>[];
  resolutions?: Record<string, unknown>[];
  /** Records a page of the Data API v2. */
  pageSize?: number;
  /** The largest offset of the Data API v1. Default 5,000. */
  cap?: number;
  /** What it does beyond: it refuses, gives its last page again, or its first one, or an empty one. */
  beyond?: 'refuses' | 'repeats' | 'begins again' | 'empty';
}

/** Answers as all three sources do. */
export function answersOf(known: Known): (asked: Asked) => Reply {
  return ({ path, query }) => {
    if (path === '/v2/activity') return v2Page(known, query);
    if (path === '/activity') return v1Page(known, query);
    if (path === '/markets/keyset') return gammaPage(known, query);
    if (path.startsWith('/markets/')) return clobMarket(known, path);
    if (path === '/v2/tokens') return { json: { data: chosen(known.tokens, conditionsIn(query)) } };
    if (path === '/v2/resolutions') return { json: { data: chosen(known.resolutions, conditionsIn(query)) } };
    if (path === '/v2/positions') return { json: { data: [], pagination: {} } };
    return { status: 404, json: { error: 'not found' } };
  };
}

function since({ activity }: Known, query: URLSearchParams): ActivityRow[] {
  return activity.filter(({ timestamp }) => timestamp >= Number(query.get('start')));
}

function v2Page(known: Known, query: URLSearchParams): Reply {
  const { pageSize = 1000 } = known;
  const rows = since(known, query);
  if (query.get('sort_direction') === 'DESC') rows.reverse();
  const at = Number(query.get('cursor')?.slice(1) ?? 0);
  const data = rows.slice(at, at + pageSize);
  const next = at + pageSize < rows.length ? `c${at + pageSize}` : null;
  return { json: { data, pagination: { limit: 1000, offset: 0, has_more: next !== null, next_cursor: next } } };
}

function v1Page(known: Known, query: URLSearchParams): Reply {
  const { cap = 5000, beyond = 'refuses' } = known;
  let offset = Number(query.get('offset'));
  if (offset > cap) {
    if (beyond === 'refuses') return { status: 400, json: { error: 'max historical activity offset exceeded' } };
    if (beyond === 'empty') return { json: [] };
    offset = beyond === 'repeats' ? cap : 0;
  }
  const sorted = query.get('sortDirection') === 'DESC' ? since(known, query).reverse() : since(known, query);
  const rows = sorted.slice(offset, offset + Number(query.get('limit')));
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const renamed = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value])),
  );
  return { json: renamed.map(({ tokenId, ...row }) => ({ ...row, asset: tokenId })) };
}

function gammaPage(known: Known, query: URLSearchParams): Reply {
  const asked = query.getAll('condition_ids');
  const closed = query.get('closed') === 'true';
  const markets = known.markets.filter((each) => asked.includes(String(each.conditionId)) && each.closed === closed);
  return { json: { markets } };
}

function clobMarket({ clob = [] }: Known, path: string): Reply {
  const found = clob.find(({ condition_id }) => path === `/markets/${condition_id}`);
  return found ? { json: found } : { status: 404, json: { error: 'market not found' } };
}

function conditionsIn(query: URLSearchParams): string[] {
  return query.get('condition')?.split(',') ?? [];
}

function chosen(rows: Record<string, unknown>[] = [], conditions: readonly string[]): Record<string, unknown>[] {
  return rows.filter(({ condition_id, group }) => [condition_id, group].some((id) => conditions.includes(String(id))));
}
