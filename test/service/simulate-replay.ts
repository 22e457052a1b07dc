import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Trade {
  proxyWallet: string;
  side: 'BUY' | 'SELL';
  conditionId: string;
  outcomeIndex: number;
  size: number;
  price: number;
  timestamp: number;
  transactionHash: string;
}
interface Market {
  endDate: string;
  closedTime?: string;
  conditionId: string;
  slug: string;
  outcomePrices: string;
  volume: string;
  closed: boolean;
  negRiskMarketID?: string;
}
interface ActivityRow {
  proxyWallet: string;
  type: string;
  conditionId: string;
  size: number;
  timestamp: number;
}

export interface ReadSample {
  markets: Market[];
  trades: Trade[];
  activity: ActivityRow[];
}

/** The findings of a naive average-cost replay; in dollars, or in micro-dollars where the name says so. */
export interface Ledger {
  oversold: string[];
  unmatched: string[];
  volumeMicroUsd: Map<string, number>;
  /** Cash and settled shares of all wallets together, for each market that resolved. */
  cashMicroUsd: Map<string, number>;
  wallets: Map<string, { pnl: number; invested: number }>;
  calibration: { priced: number; won: number; samples: number; markets: number }[];
}

export async function readSample(folder: string): Promise<ReadSample> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  return {
    markets: await read('markets.json'),
    trades: await read('trades.json'),
    activity: await read('activity.json'),
  };
}

/** 0, 1 or a tie; undefined while open or undecided. */
export function winnerOf(market: Market): 0 | 1 | 'tie' | undefined {
  const [first = 0, second = 0] = (JSON.parse(market.outcomePrices) as string[]).map(Number);
  if (!market.closed) return undefined;
  if (first > 0.99) return 0;
  if (second > 0.99) return 1;
  return first === 0.5 && second === 0.5 ? 'tie' : undefined;
}

interface Move {
  wallet: string;
  market: string;
  outcome: number;
  time: number;
  /** Thousandths of a share, negative when they leave. */
  size: number;
  microUsd: number;
}

/**
 * @param first What goes first within a second: `leaving` reveals any overselling, `arriving` is the ledger's own rule.
 */
export function replay(sample: ReadSample, first: 'leaving' | 'arriving' = 'leaving'): Ledger {
  const matches = groupMatches(sample.trades);
  const winners = new Map(sample.markets.map((market) => [market.conditionId, winnerOf(market)]));
  return {
    ...fold(listMoves(sample, first), winners),
    unmatched: matches.filter((match) => !isMatched(match)).map(([taker]) => taker?.transactionHash ?? ''),
    volumeMicroUsd: sumVolumes(matches),
    calibration: calibrate(matches, winners),
  };
}

function groupMatches(trades: Trade[]): Trade[][] {
  const matches = new Map<string, Trade[]>();
  for (const trade of trades) {
    const rows = matches.get(trade.transactionHash);
    if (rows === undefined) matches.set(trade.transactionHash, [trade]);
    else rows.push(trade);
  }
  return [...matches.values()];
}

const milli = (value: number) => Math.round(value * 1000);
/** The outcome that a fill favours: the one bought, or the opposite of the one sold. */
const wants = (trade: Trade) => (trade.side === 'BUY' ? trade.outcomeIndex : 1 - trade.outcomeIndex);
const priceOfWanted = (trade: Trade) => (trade.side === 'BUY' ? milli(trade.price) : 1000 - milli(trade.price));

function isMatched([taker, ...makers]: Trade[]): boolean {
  if (taker === undefined) return false;
  return (
    makers.length > 0 &&
    makers.reduce((sum, maker) => sum + milli(maker.size), 0) === milli(taker.size) &&
    makers.every(
      (maker) =>
        wants(maker) === 1 - wants(taker) &&
        priceOfWanted(maker) + priceOfWanted(taker) === 1000 &&
        maker.proxyWallet !== taker.proxyWallet,
    )
  );
}

function sumVolumes(matches: Trade[][]): Map<string, number> {
  const volumes = new Map<string, number>();
  for (const [taker] of matches) {
    if (taker === undefined) continue;
    const usd = milli(taker.size) * milli(taker.price);
    volumes.set(taker.conditionId, (volumes.get(taker.conditionId) ?? 0) + usd);
  }
  return volumes;
}

function listMoves(sample: ReadSample, first: 'leaving' | 'arriving'): Move[] {
  const moves = sample.trades.map((trade): Move => {
    const sign = trade.side === 'BUY' ? 1 : -1;
    const size = sign * milli(trade.size);
    const place = { wallet: trade.proxyWallet, market: trade.conditionId, time: trade.timestamp };
    return { ...place, outcome: trade.outcomeIndex, size, microUsd: size * milli(trade.price) };
  });
  for (const row of sample.activity) {
    if (row.type !== 'SPLIT' && row.type !== 'MERGE') continue;
    const size = (row.type === 'SPLIT' ? 1 : -1) * milli(row.size);
    const place = { wallet: row.proxyWallet, market: row.conditionId, time: row.timestamp };
    for (const outcome of [0, 1]) moves.push({ ...place, outcome, size, microUsd: size * 500 });
  }
  const sign = first === 'leaving' ? 1 : -1;
  return moves.sort((a, b) => a.time - b.time || sign * (Math.sign(a.size) - Math.sign(b.size)));
}

function fold(moves: Move[], winners: Map<string, 0 | 1 | 'tie' | undefined>) {
  const positions = new Map<string, { move: Move; size: number; cost: number }>();
  const wallets: Ledger['wallets'] = new Map();
  const cashMicroUsd: Ledger['cashMicroUsd'] = new Map();
  const oversold: string[] = [];
  const walletOf = (name: string) => {
    const found = wallets.get(name) ?? { pnl: 0, invested: 0 };
    wallets.set(name, found);
    return found;
  };
  const pay = (market: string, usd: number) => cashMicroUsd.set(market, (cashMicroUsd.get(market) ?? 0) + usd);
  for (const move of moves) {
    const key = `${move.wallet} ${move.market} ${move.outcome}`;
    const position = positions.get(key) ?? { move, size: 0, cost: 0 };
    positions.set(key, position);
    if (winners.get(move.market) !== undefined) pay(move.market, -move.microUsd);
    if (position.size + move.size < 0) oversold.push(key);
    const released = move.size < 0 ? (position.cost * -move.size) / position.size : 0;
    if (move.size < 0) walletOf(move.wallet).pnl += (-move.microUsd - released) / 1e6;
    else walletOf(move.wallet).invested += move.microUsd / 1e6;
    position.cost += move.size < 0 ? -released : move.microUsd;
    position.size += move.size;
  }
  for (const { move, size, cost } of positions.values()) {
    const winner = winners.get(move.market);
    if (winner === undefined) continue;
    const worth = size * (winner === 'tie' ? 500 : winner === move.outcome ? 1000 : 0);
    pay(move.market, worth);
    walletOf(move.wallet).pnl += (worth - cost) / 1e6;
  }
  return { oversold, wallets, cashMicroUsd };
}

function calibrate(matches: Trade[][], winners: Map<string, 0 | 1 | 'tie' | undefined>): Ledger['calibration'] {
  const takers = new Map<string, Trade[]>();
  for (const [taker] of matches) {
    if (taker !== undefined)
      takers.set(taker.conditionId, [...(takers.get(taker.conditionId) ?? []).slice(-49), taker]);
  }
  const buckets = Array.from({ length: 20 }, () => ({ priced: 0, won: 0, samples: 0, markets: new Set<string>() }));
  for (const [market, trades] of takers) {
    const winner = winners.get(market);
    if (winner !== 0 && winner !== 1) continue;
    for (const trade of trades) {
      for (const outcome of [0, 1]) {
        const price = trade.outcomeIndex === outcome ? trade.price : 1 - trade.price;
        const bucket = buckets[Math.min(19, Math.floor(price * 20))];
        if (bucket === undefined) continue;
        bucket.priced += price;
        bucket.won += winner === outcome ? 1 : 0;
        bucket.samples++;
        bucket.markets.add(market);
      }
    }
  }
  return buckets.map(({ priced, won, samples, markets }) => {
    return { priced: priced / samples, won: won / samples, samples, markets: markets.size };
  });
}
