import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Random } from './random.js';
import type { ToldEvent, ToldMarket } from './tell-event.js';
import type { Wallets } from './wallets.js';

/** One side of a match. */
interface Fill {
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
    at = putBytes(block, at, this.open);
    this.wallets.addresses.copy(block, at, fill.wallet * 42, fill.wallet * 42 + 42);
    at = putBytes(block, at + 42, this.heads[(fill.sells ? 2 : 0) + fill.outcome]);
    at = putBytes(block, putThousandths(block, at, fill.size), this.priceKey);
    at = putBytes(block, putThousandths(block, at, fill.price), this.timeKey);
    at = putBytes(block, putInteger(block, at, fill.time), this.tails[fill.outcome]);
    at = putBytes(block, at, this.hash);
    block[at++] = 0x22;
    block[at++] = 0x7d;
    return at;
  }
}

function putBytes(block: Buffer, at: number, bytes: Buffer | undefined): number {
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

/** What a wallet does besides trading. */
interface Activity {
  type: 'SPLIT' | 'MERGE' | 'REDEEM' | 'REWARD' | 'MAKER_REBATE';
  wallet: number;
  /** Unix seconds. */
  time: number;
  /** Thousandths of a share, or of a dollar if no market is concerned. */
  size: number;
  /** Thousandths of a dollar. */
  usd: number;
}

/** Writes rows as the Data API's `/activity` gives them, except trades. */
export class ActivityRows {
  /** The number of rows so far. */
  count = 0;
  private market: ToldMarket | undefined;
  private described: string | undefined;

  constructor(
    private readonly file: ByteFile,
    private readonly wallets: Wallets,
    private readonly random: Random,
  ) {}

  /** Whether the file must be flushed before more rows are written. */
  get full(): boolean {
    return this.file.full;
  }

  /** Appends a row. Rewards and rebates have no market. */
  write(activity: Activity, event?: ToldEvent, market?: ToldMarket): void {
    const { type, time, size, usd } = activity;
    const begin = `${this.count === 0 ? '[' : ','}\n{"proxyWallet":"${this.wallets.address(activity.wallet)}"`;
    const amount = `"timestamp":${time},"type":"${type}","size":${size / 1000},"usdcSize":${usd / 1000}`;
    const none = '"price":0,"asset":"","side":"","outcomeIndex":999,"outcome":""';
    const hash = `"transactionHash":"0x${this.random.hex(64)}"`;
    this.file.text(`${begin},${amount},${none},${hash},${this.describe(event, market)}}`);
    this.count++;
  }

  /** The market's part of a row, made once for successive rows of a market. */
  private describe(event?: ToldEvent, market?: ToldMarket): string {
    if (this.described !== undefined && this.market === market) return this.described;
    this.market = market;
    this.described = JSON.stringify({
      conditionId: market?.conditionId ?? '',
      title: market?.question ?? '',
      slug: market?.slug ?? '',
      eventSlug: event?.slug ?? '',
    }).slice(1, -1);
    return this.described;
  }
}

const CAPACITY = 4 * 1024 * 1024;
/** The most bytes of a single append. */
const SLACK = 64 * 1024;

/**
 * A file that is written from front to back through one block of memory. Appending is synchronous. Once the file is
 * `full`, the writer must await `flush` before it appends more, so that memory stays bounded on a slow disk.
 *
 * @example const file = await ByteFile.create('out.json'); file.text('[]'); await file.close();
 */
export class ByteFile {
  private readonly hash = createHash('sha256');
  private block = Buffer.allocUnsafe(CAPACITY);
  private length = 0;
  private written = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async create(path: string): Promise<ByteFile> {
    return new ByteFile(await open(path, 'wx'));
  }

  /** Whether the block must be flushed before more is appended. */
  get full(): boolean {
    return this.length > CAPACITY - SLACK;
  }

  /** Appends Latin-1 text of at most 64 KiB. */
  text(text: string): void {
    this.length += this.block.write(text, this.length, 'latin1');
  }

  /** Lends the block to `write`, which appends bytes from `start` on and returns where they end. */
  append(write: (block: Buffer, start: number) => number): void {
    this.length = write(this.block, this.length);
  }

  /** Passes the appended bytes to the operating system. */
  async flush(): Promise<void> {
    const bytes = this.block.subarray(0, this.length);
    const writing = writeAll(this.handle, bytes);
    this.hash.update(bytes);
    this.written += bytes.length;
    this.length = 0;
    await writing;
  }

  /** Flushes and closes the file, and gives its size in bytes and its SHA-256 in hexadecimal. */
  async close(): Promise<{ size: number; sha256: string }> {
    await this.flush();
    await this.handle.close();
    return { size: this.written, sha256: this.hash.digest('hex') };
  }

  /** Closes a file that will be discarded, ignoring errors. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}
