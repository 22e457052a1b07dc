import type { ByteFile } from './byte-file.js';
import type { Random } from './random.js';
import type { ToldEvent, ToldMarket } from './tell-event.js';
import type { Wallets } from './wallets.js';

/** One side of a match. */
export interface Fill {
  wallet: number;
  sells: boolean;
  /** The outcome, 0 or 1. */
  outcome: number;
  /** Thousandths of a share. */
  size: number;
  /** Thousandths of a dollar a share, 1 to 999. */
  price: number;
  /** Unix seconds. */
  time: number;
}

const hexDigits = Buffer.from('0123456789abcdef', 'latin1');

/**
 * Writes fills as the Data API's `/trades` gives them. The common parts of a market's rows are encoded once. The rest
 * is written digit by digit, since building strings would take most of the time for a large sample.
 */
export class TradeRows {
  /** The number of rows so far, over all markets. */
  count = 0;
  private heads: Buffer[] = [];
  private tails: Buffer[] = [];
  private readonly hash = Buffer.alloc(64);
  private readonly open = Buffer.from('{"proxyWallet":"', 'latin1');
  private readonly priceKey = Buffer.from(',"price":', 'latin1');
  private readonly timeKey = Buffer.from(',"timestamp":', 'latin1');

  constructor(
    private readonly file: ByteFile,
    private readonly wallets: Wallets,
  ) {}

  /** Whether the file must be flushed before the next match. */
  get full(): boolean {
    return this.file.full;
  }

  /** Begins the rows of a market. */
  enter(event: ToldEvent, market: ToldMarket): void {
    const head = (side: string, outcome: number) =>
      Buffer.from(
        `","side":"${side}","asset":"${market.tokens[outcome]}","conditionId":"${market.conditionId}","size":`,
        'latin1',
      );
    this.heads = [head('BUY', 0), head('BUY', 1), head('SELL', 0), head('SELL', 1)];
    this.tails = market.outcomes.map((outcome, index) => {
      const title = JSON.stringify(market.question);
      const names = `"title":${title},"slug":"${market.slug}","eventSlug":"${event.slug}"`;
      return Buffer.from(`,${names},"outcome":"${outcome}","outcomeIndex":${index},"transactionHash":"0x`, 'latin1');
    });
  }

  /** Begins a match with a new transaction hash, which its rows share. */
  beginMatch(random: Random): void {
    for (let at = 0; at < 64; ) {
      for (let bits = random.next(), end = at + 8; at < end; bits >>>= 4) this.hash[at++] = hexDigits[bits & 15] ?? 0;
    }
  }

  /** Appends one side of the match. */
  write(fill: Fill): void {
    this.file.append((block, start) => this.encode(block, start, fill));
    this.count++;
  }

  private encode(block: Buffer, start: number, fill: Fill): number {
    let at = start;
    block[at++] = this.count === 0 ? 0x5b : 0x2c;
    block[at++] = 0x0a;
    at = put(block, at, this.open);
    this.wallets.addresses.copy(block, at, fill.wallet * 42, fill.wallet * 42 + 42);
    at = put(block, at + 42, this.heads[(fill.sells ? 2 : 0) + fill.outcome]);
    at = put(block, putThousandths(block, at, fill.size), this.priceKey);
    at = put(block, putThousandths(block, at, fill.price), this.timeKey);
    at = put(block, putInteger(block, at, fill.time), this.tails[fill.outcome]);
    at = put(block, at, this.hash);
    block[at++] = 0x22;
    block[at++] = 0x7d;
    return at;
  }
}

function put(block: Buffer, at: number, bytes: Buffer | undefined): number {
  if (bytes === undefined) return at;
  block.set(bytes, at);
  return at + bytes.length;
}

function putInteger(block: Buffer, at: number, value: number): number {
  let end = at + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  let rest = value;
  for (let i = end - 1; i >= at; i--) {
    const tenth = Math.floor(rest / 10);
    block[i] = 48 + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}

/** Writes value / 1000 without trailing zeros. */
function putThousandths(block: Buffer, at: number, value: number): number {
  const whole = Math.floor(value / 1000);
  const rest = value - 1000 * whole;
  let end = putInteger(block, at, whole);
  if (rest === 0) return end;
  block[end++] = 0x2e;
  block[end++] = 48 + Math.floor(rest / 100);
  if (rest % 100 === 0) return end;
  block[end++] = 48 + (Math.floor(rest / 10) % 10);
  if (rest % 10 === 0) return end;
  block[end++] = 48 + (rest % 10);
  return end;
}
