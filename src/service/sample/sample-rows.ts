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

const HEX_DIGITS = '0123456789abcdef';

/** Writes fills as the Data API's `/trades` gives them. */
export class TradeRows {
  /** The number of rows so far, over all markets. */
  count = 0;
  /** What a market's rows have before and after the numbers of each, by side and outcome. */
  private heads: readonly string[] = [];
  private tails: readonly string[] = [];
  private hash = '';

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
      `"side":"${side}","asset":"${market.tokens[outcome]}","conditionId":"${market.conditionId}"`;
    this.heads = [head('BUY', 0), head('BUY', 1), head('SELL', 0), head('SELL', 1)];
    const names = `"title":${JSON.stringify(market.question)},"slug":"${market.slug}","eventSlug":"${event.slug}"`;
    this.tails = market.outcomes.map((outcome, index) => `${names},"outcome":"${outcome}","outcomeIndex":${index}`);
  }

  /** Begins a match with a new transaction hash, which its rows share. */
  beginMatch(random: Random): void {
    this.hash = '';
    while (this.hash.length < 64) {
      for (let bits = random.next(), i = 0; i < 8; bits >>>= 4, i++) this.hash += HEX_DIGITS[bits & 15];
    }
  }

  /** Appends one side of the match. */
  write({ wallet, sells, outcome, size, price, time }: Fill): void {
    const begin = `${this.count === 0 ? '[' : ','}\n{"proxyWallet":"${this.wallets.address(wallet)}"`;
    const amounts = `"size":${size / 1000},"price":${price / 1000},"timestamp":${time}`;
    const [head, tail] = [this.heads[(sells ? 2 : 0) + outcome], this.tails[outcome]];
    this.file.text(`${begin},${head},${amounts},${tail},"transactionHash":"0x${this.hash}"}`);
    this.count++;
  }
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

  /** Passes the appended bytes to the operating system. */
  async flush(): Promise<void> {
    const bytes = this.block.subarray(0, this.length);
    const writing = this.handle.writeFile(bytes);
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
