import { readFile } from 'node:fs/promises';
import { Random } from '../../../src/service/sample/random.js';
import type { SampleParameters } from '../../../src/service/sample/sample-manifest.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { convertSome } from './conversions.js';
import {
  grouped,
  heldOf,
  indexRecords,
  NO_MARKET,
  type SourceEvent,
  type SourceMarket,
  type SourceRecords,
  type UnorderedRow,
} from './source-records.js';

/** What the source has beyond the simulator's files. Everything is on by default, except combos. */
export interface Traits {
  /** Takers pay fees in some markets. */
  fees?: boolean;
  /** Some NO shares become YES shares of the event's other questions. */
  conversions?: boolean;
  /** Some markets that are alone in their event move from Protocol V1 to V2 while they trade. */
  migrations?: boolean;
  /** Some markets are of Protocol V2 from the beginning. */
  protocolV2?: boolean;
  /** Some settled markets look unsettled in Gamma. */
  unsettled?: boolean;
  /** Some markets are known to the CLOB and the Data API alone. */
  hiddenFromGamma?: boolean;
  /** How many markets no source knows. Default 0. */
  hiddenEverywhere?: number;
}

const STREAM = 101;

/** Simulates a sample into a folder and makes of it what the sources would tell. Equal parameters give equal records. */
export async function simulatedRecords(
  folder: string,
  parameters: Partial<SampleParameters>,
  traits: Traits = {},
): Promise<SourceRecords> {
  const { files } = await simulate({ out: folder, ...parameters });
  const [gamma = [], trades = [], activity = []] = await Promise.all(files.map(readList));
  const random = new Random(parameters.seed ?? 1, STREAM, 0);
  const events = eventsOf(gamma, random, traits);
  const byCondition = new Map(events.flatMap(({ markets }) => markets).map((market) => [market.condition, market]));
  const rows = [...fillsOf(trades, byCondition), ...othersOf(activity, byCondition)].sort((a, b) => a.time - b.time);
  if (traits.conversions !== false) convertSome(rows, events, random);
  if (traits.protocolV2 !== false) for (const market of everyNth(events, 6, 3)) toProtocolV2(market);
  if (traits.migrations !== false)
    for (const market of everyNth(events, 4, 2).filter(({ event }) => event.markets.length === 1))
      carryOver(market, rows, random);
  addIncomeAndTransfers(rows);
  return indexRecords(events, rows);
}

type Raw = Record<string, string | number | boolean | Raw[] | undefined>;

async function readList(path: string): Promise<Raw[]> {
  return JSON.parse(await readFile(path, 'utf8'));
}

function eventsOf(gamma: readonly Raw[], random: Random, traits: Traits): SourceEvent[] {
  const events = new Map<string, SourceEvent>();
  for (const [at, record] of gamma.entries()) {
    const raw = (record.events as Raw[])[0] ?? {};
    const id = String(raw.id);
    const event = events.get(id) ?? {
      id,
      slug: String(raw.slug),
      title: String(raw.title),
      category: String(raw.category),
      negRiskId: String(record.negRiskMarketID ?? ''),
      start: secondsOf(raw.startDate),
      end: secondsOf(raw.endDate),
      markets: [],
    };
    events.set(id, event);
    event.markets.push(marketOf(record, event, at, random, traits));
  }
  return [...events.values()];
}

function marketOf(record: Raw, event: SourceEvent, at: number, random: Random, traits: Traits): SourceMarket {
  const lastPrices = JSON.parse(String(record.outcomePrices));
  const payouts = payoutsOf(record, lastPrices);
  const hidden =
    at < (traits.hiddenEverywhere ?? 0)
      ? 'everywhere'
      : traits.hiddenFromGamma !== false && at % 15 === 7
        ? 'from Gamma'
        : 'nowhere';
  return {
    id: String(record.id),
    question: String(record.question),
    item: String(record.groupItemTitle),
    slug: String(record.slug),
    condition: String(record.conditionId),
    questionId: `0x${random.hex(64)}`,
    tokens: JSON.parse(String(record.clobTokenIds)),
    outcomes: JSON.parse(String(record.outcomes)),
    event,
    start: secondsOf(record.startDate),
    end: secondsOf(record.endDate),
    closedAt: record.closed ? Date.parse(String(record.closedTime).replace(' ', 'T').replace('+00', 'Z')) / 1000 : 0,
    payouts,
    lastPrices,
    volume: String(record.volume),
    tick: Number(record.orderPriceMinTickSize),
    protocol: 1,
    fee: traits.fees !== false && at % 3 === 1 ? { rate: at % 2 === 0 ? 0.05 : 0.07, exponent: 1 } : undefined,
    looksUnsettled: traits.unsettled !== false && payouts !== undefined && at % 10 === 2,
    hidden,
    carried: undefined,
  };
}

function payoutsOf(record: Raw, [first]: readonly string[]): [number, number] | undefined {
  if (record.umaResolutionStatus !== 'resolved') return undefined;
  if (first === '0.5') return [500_000, 500_000];
  return first === '1' ? [1_000_000, 0] : [0, 1_000_000];
}

function secondsOf(iso: unknown): number {
  return Date.parse(String(iso)) / 1000;
}

function fillsOf(trades: readonly Raw[], byCondition: ReadonlyMap<string, SourceMarket>): UnorderedRow[] {
  const matches = new Set<string>();
  return trades.map((record): UnorderedRow => {
    const tx = String(record.transactionHash);
    const taker = !matches.has(tx);
    matches.add(tx);
    const market = byCondition.get(String(record.conditionId));
    const [shares, price] = [Math.round(Number(record.size) * 1e6), Number(record.price)];
    const side = record.side === 'SELL' ? 'SELL' : 'BUY';
    const fee = taker && market?.fee ? feeOf(shares, price, market.fee) : 0;
    return {
      type: 'TRADE',
      wallet: String(record.proxyWallet),
      time: Number(record.timestamp),
      market,
      outcome: record.outcomeIndex === 0 ? 0 : 1,
      side,
      shares,
      microUsd: Math.round((shares * Math.round(price * 1000)) / 1000) + (side === 'BUY' ? fee : -fee),
      price,
      tx,
      taker,
    };
  });
}

/** A taker's fee in millionths of a dollar, rounded down to five decimals of a dollar. */
function feeOf(shares: number, price: number, { rate, exponent }: { rate: number; exponent: number }): number {
  return Math.floor((shares * rate * (price * (1 - price)) ** exponent) / 10) * 10;
}

function othersOf(activity: readonly Raw[], byCondition: ReadonlyMap<string, SourceMarket>): UnorderedRow[] {
  return activity.map(
    (record): UnorderedRow => ({
      ...NO_MARKET,
      type: String(record.type) as UnorderedRow['type'],
      wallet: String(record.proxyWallet),
      time: Number(record.timestamp),
      market: byCondition.get(String(record.conditionId)),
      shares: Math.round(Number(record.size) * 1e6),
      microUsd: Math.round(Number(record.usdcSize) * 1e6),
      tx: String(record.transactionHash),
    }),
  );
}

function everyNth(events: readonly SourceEvent[], nth: number, first: number): SourceMarket[] {
  const alone = events.filter(({ negRiskId }) => negRiskId === '').flatMap(({ markets }) => markets);
  return alone.filter((market, at) => at % nth === first && market.protocol === 1);
}

function conditionV2(condition: string): string {
  return `0x02${condition.slice(4, 64)}00`;
}

function toProtocolV2(market: SourceMarket): void {
  market.protocol = 2;
  market.condition = conditionV2(market.condition);
}

/**
 * Carries a market over to Protocol V2 in the middle of its life, at a second in which nothing happens: every wallet
 * then has a row for each outcome that it holds, without token and money.
 */
function carryOver(market: SourceMarket, rows: UnorderedRow[], random: Random): void {
  const own = rows.filter((row) => row.market === market);
  const middle = own[own.length >> 1]?.time ?? market.start;
  const busy = new Set(own.map(({ time }) => time));
  let time = middle + 1;
  while (busy.has(time)) time++;
  const digits = (token: string) => `3${token.slice(1, 70)}${String(random.below(1e6)).padStart(6, '0')}`;
  market.carried = {
    condition: conditionV2(`0x${random.hex(64)}`),
    tokens: [digits(market.tokens[0]), digits(market.tokens[1])],
    time,
  };
  const before = own.filter((row) => row.time < time);
  for (const [wallet, theirs] of grouped(before, (row) => row.wallet)) {
    for (const shares of [0, 1].map((side) => heldOf(theirs, side)).filter((held) => held > 0)) {
      const tx = `0x${random.hex(64)}`;
      rows.push({ ...NO_MARKET, type: 'MIGRATION', wallet, time, market, shares, microUsd: 0, tx });
    }
  }
}

const DOLLAR = 1_000_000;

/** Adds what is no trade: some income, and transfers that nobody should ask for. */
function addIncomeAndTransfers(rows: UnorderedRow[]): void {
  const byWallet = grouped(rows, ({ wallet }) => wallet);
  let at = 0;
  for (const [wallet, own] of byWallet) {
    const times = own.map(({ time }) => time);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    const add = (type: UnorderedRow['type'], time: number, dollars: number, side: UnorderedRow['side'] = '') => {
      const tx = `0x${(++at).toString(16).padStart(64, 'e')}`;
      const amount = Math.round(dollars * DOLLAR);
      rows.push({ ...NO_MARKET, side, type, wallet, time, shares: amount, microUsd: amount, tx });
    };
    add('DEPOSIT', first - 3_600, 1_000);
    add('TIP', first - 1_800, 5, 'IN');
    if (at % 5 === 2) add('YIELD', last + 60, 0.25);
    if (at % 5 === 3) add('TAKER_REBATE', last + 90, 1.5);
    if (at % 5 === 4) add('REFERRAL_REWARD', last + 120, 2);
    add('WITHDRAWAL', last + 3_600, 750);
  }
}
