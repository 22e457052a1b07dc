import { type Asked, listOf } from './answers.js';
import { canonical, pairAt, type SourceRow } from './source-records.js';

/** What a wallet says of itself: recognizable, so that a test can show that none of it is kept. */
export function privateWords(wallet: string): { name: string; pseudonym: string; bio: string; image: string } {
  const tail = wallet.slice(2, 10);
  return {
    name: `PRIVATE-NAME-${tail}`,
    pseudonym: `PRIVATE-PSEUDONYM-${tail}`,
    bio: `PRIVATE-BIO-${tail} lives at a place`,
    image: `https://pictures.example/PRIVATE-IMAGE-${tail}.png`,
  };
}

/** A row of activity in Data API v1's form; `/trades` leaves out type and dollars. */
export function v1Row(row: SourceRow, isTrade = false): Record<string, unknown> {
  const { wallet, time, type, market, outcome } = row;
  const { name, pseudonym, bio, image } = privateWords(wallet);
  const pair = market && pairAt(market, time);
  return {
    proxyWallet: wallet,
    timestamp: time,
    conditionId: pair?.condition ?? '',
    ...(isTrade ? {} : { type }),
    size: row.shares / 1e6,
    ...(isTrade ? {} : { usdcSize: row.microUsd / 1e6 }),
    transactionHash: row.tx,
    price: row.price,
    asset: tokenOf(row),
    side: row.side,
    outcomeIndex: namesOutcome(row) ? outcome : 999,
    title: market?.question ?? '',
    slug: market?.slug ?? '',
    icon: market ? 'https://pictures.example/PRIVATE-ICON.png' : '',
    eventSlug: market?.event.slug ?? '',
    outcome: namesOutcome(row) && market && outcome !== -1 ? market.outcomes[outcome] : '',
    name,
    pseudonym,
    bio,
    profileImage: image,
    profileImageOptimized: image,
  };
}

/** A row of activity in Data API v2's form: every third has its numbers as decimal text. */
export function v2Row(row: SourceRow, isTrade = false): Record<string, unknown> {
  const { wallet, time, type, market, outcome } = row;
  const { name, pseudonym, bio, image } = privateWords(wallet);
  const pair = market && pairAt(market, time);
  const number = (value: number) => (row.sequence % 3 === 0 ? String(value) : value);
  return {
    proxy_wallet: wallet,
    timestamp: time,
    condition_id: pair?.condition ?? '',
    ...(isTrade ? {} : { type }),
    size: number(row.shares / 1e6),
    ...(isTrade ? {} : { usdc_size: number(row.microUsd / 1e6) }),
    transaction_hash: row.tx,
    price: number(row.price),
    token_id: tokenOf(row),
    side: row.side,
    outcome_index: namesOutcome(row) ? outcome : 999,
    title: market?.question ?? '',
    slug: market?.slug ?? '',
    icon: market ? 'https://pictures.example/PRIVATE-ICON.png' : '',
    event_slug: market?.event.slug ?? '',
    outcome: namesOutcome(row) && market && outcome !== -1 ? market.outcomes[outcome] : '',
    name,
    pseudonym,
    bio,
    profile_image: image,
    profile_image_optimized: image,
  };
}

/** A conversion's row does not name the token that left: its condition does, by `/v2/tokens`. */
function namesOutcome({ type, outcome }: SourceRow): boolean {
  return type === 'TRADE' && outcome !== -1;
}

function tokenOf(row: SourceRow): string {
  const { market, outcome, time } = row;
  return namesOutcome(row) && market && outcome !== -1 ? pairAt(market, time).tokens[outcome] : '';
}

/** Which rows a question about activity or trades is about. */
export interface RowFilter {
  user: string | undefined;
  conditions: readonly string[];
  events: readonly string[];
  types: readonly string[];
  side: string | undefined;
  start: number;
  end: number;
  transfers: boolean;
  takerOnly: boolean;
}

/** The rows that a filter lets through, up to the source's present, in the order of their sequence. */
export function filteredRows({ records, now }: Asked, filter: RowFilter): SourceRow[] {
  const { user, conditions, events, types } = filter;
  const from = user === undefined ? records.rows : (records.byWallet.get(user) ?? []);
  return from.filter((row) => {
    const pair = row.market && pairAt(row.market, row.time);
    return (
      row.time <= Math.min(now, filter.end) &&
      row.time >= filter.start &&
      (conditions.length === 0 || (pair !== undefined && conditions.includes(pair.condition))) &&
      (events.length === 0 || (row.market !== undefined && events.includes(row.market.event.id))) &&
      (types.length === 0 ? row.type !== 'TIP' : types.includes(row.type)) &&
      (filter.transfers || (row.type !== 'DEPOSIT' && row.type !== 'WITHDRAWAL')) &&
      (filter.side === undefined || row.side === filter.side) &&
      (!filter.takerOnly || row.taker)
    );
  });
}

/** The conditions of a question, in one form. */
export function conditionsOf(query: URLSearchParams, ...names: readonly string[]): string[] {
  return listOf(query, ...names).map(canonical);
}
