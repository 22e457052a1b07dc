/** An event of the source. Times are Unix seconds, as everywhere here. */
export interface SourceEvent {
  id: string;
  slug: string;
  title: string;
  category: string;
  /** The id that markets share of which only one can come true; empty if they do not exclude each other. */
  negRiskId: string;
  start: number;
  end: number;
  markets: SourceMarket[];
}

/** The condition and the two tokens under which a market is traded. */
export interface Pair {
  /** `0x` and 64 hexadecimal digits; those of Protocol V2 end in `00`, which some answers leave out. */
  condition: string;
  tokens: [string, string];
}

/** A market with its whole truth, of which each source tells a part. */
export interface SourceMarket extends Pair {
  id: string;
  question: string;
  item: string;
  slug: string;
  questionId: string;
  outcomes: [string, string];
  event: SourceEvent;
  start: number;
  end: number;
  /** 0 while open. */
  closedAt: number;
  /** What a share of each outcome paid, in millionths of a dollar; undefined while open or disputed. */
  payouts: [number, number] | undefined;
  /** The outcomes' last prices, as decimals. */
  lastPrices: [string, string];
  /** The takers' dollars, as a decimal. */
  volume: string;
  tick: number;
  /** The venue's contracts: 2 has `positionIds` instead of `clobTokenIds`. */
  protocol: 1 | 2;
  /** What takers pay: shares · rate · (p · (1 - p))^exponent dollars; undefined without fees. */
  fee: { rate: number; exponent: number } | undefined;
  /** Closed and settled, while Gamma still shows 0.58 and 0.42. */
  looksUnsettled: boolean;
  /** Which sources do not know it. */
  hidden: 'nowhere' | 'from Gamma' | 'everywhere';
  /** The pair of Protocol V2 to which positions were carried over, and when. */
  carried: (Pair & { time: number }) | undefined;
}

/** The types of the Data API's activity that the source tells. */
export type ActivityType =
  | 'TRADE'
  | 'SPLIT'
  | 'MERGE'
  | 'REDEEM'
  | 'CONVERSION'
  | 'MIGRATION'
  | 'REWARD'
  | 'MAKER_REBATE'
  | 'TAKER_REBATE'
  | 'REFERRAL_REWARD'
  | 'YIELD'
  | 'DEPOSIT'
  | 'WITHDRAWAL'
  | 'TIP';

/** One thing that a wallet did. */
export interface SourceRow {
  /** Its place among all rows of the source, by time: the second half of a cursor. */
  sequence: number;
  type: ActivityType;
  wallet: string;
  time: number;
  /** Undefined for income and transfers. */
  market: SourceMarket | undefined;
  /** 0 or 1; -1 if it concerns both or none. */
  outcome: -1 | 0 | 1;
  side: '' | 'BUY' | 'SELL' | 'IN' | 'OUT';
  /** Millionths of a share. */
  shares: number;
  /** Millionths of a dollar, fees included. */
  microUsd: number;
  price: number;
  tx: string;
  /** Whether it is the taker's side of a fill. */
  taker: boolean;
}

/** A row before the order of all rows is known. */
export type UnorderedRow = Omit<SourceRow, 'sequence'>;

/** The fields of a row that names no outcome. */
export const NO_MARKET = { market: undefined, outcome: -1, side: '', price: 0, taker: false } as const;

/** All that the source knows. */
export interface SourceRecords {
  events: SourceEvent[];
  markets: SourceMarket[];
  /** In the order of their sequence. */
  rows: SourceRow[];
  /** Each wallet's rows, in the order of their sequence. */
  byWallet: Map<string, SourceRow[]>;
  /** Each market's rows, by the condition of its first pair. */
  byMarket: Map<string, SourceRow[]>;
  /** Markets by each condition of theirs, in the form of {@link canonical}. */
  byCondition: Map<string, SourceMarket>;
  byToken: Map<string, { market: SourceMarket; pair: Pair; outcome: 0 | 1 }>;
}

/** The pair under which a market is traded at a time. */
export function pairAt(market: SourceMarket, time: number): Pair {
  return market.carried && time > market.carried.time ? market.carried : market;
}

/** Every pair of a market, that of the older protocol first. */
export function pairsOf(market: SourceMarket): Pair[] {
  return market.carried ? [market, market.carried] : [market];
}

/** A condition id in lower case and with 64 digits: Protocol V2's may be written with 62. */
export function canonical(condition: string): string {
  const text = condition.trim().toLowerCase();
  return /^0x[0-9a-f]{62}$/.test(text) ? `${text}00` : text;
}

/** Puts rows and markets into the maps by which they are asked for. */
export function indexRecords(events: SourceEvent[], unordered: readonly UnorderedRow[]): SourceRecords {
  const markets = events.flatMap((event) => event.markets);
  const ordered = unordered.map((row, at) => ({ row, at })).sort((a, b) => a.row.time - b.row.time || a.at - b.at);
  const rows = ordered.map(({ row }, sequence): SourceRow => ({ ...row, sequence: sequence + 1 }));
  const known = markets.filter(({ hidden }) => hidden !== 'everywhere');
  const pairs = known.flatMap((market) => pairsOf(market).map((pair) => ({ market, pair })));
  return {
    events,
    markets,
    rows,
    byWallet: grouped(rows, ({ wallet }) => wallet),
    byMarket: grouped(rows, ({ market }) => market?.condition ?? ''),
    byCondition: new Map(pairs.map(({ market, pair }) => [pair.condition, market])),
    byToken: new Map(
      pairs.flatMap(({ market, pair }) =>
        ([0, 1] as const).map((outcome) => [pair.tokens[outcome], { market, pair, outcome }] as const),
      ),
    ),
  };
}

/** The items of each key, in their order. */
export function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The shares of an outcome that are left of a wallet's rows in a market, up to its close. */
export function heldOf(rows: readonly UnorderedRow[], side: number): number {
  let held = 0;
  for (const { type, outcome, side: does, shares } of rows) {
    if (type === 'REDEEM') continue;
    if (type === 'SPLIT') held += shares;
    else if (type === 'MERGE') held -= shares;
    else if (outcome === side) held += does === 'BUY' ? shares : -shares;
  }
  return held;
}
