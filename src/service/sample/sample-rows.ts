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
  private hash = '';

  constructor(
    private readonly file: ByteFile,
    private readonly wallets: Wallets,
  ) {}

  /** The number of rows so far, over all markets. */
  get count(): number {
    return this.file.count;
  }

  /** Whether the file must be flushed before the next match. */
  get full(): boolean {
    return this.file.full;
  }

  /** Begins a match with a new transaction hash, which its rows share. */
  beginMatch(random: Random): void {
    this.hash = '';
    while (this.hash.length < 64) {
      for (let bits = random.next(), i = 0; i < 8; bits >>>= 4, i++) this.hash += HEX_DIGITS[bits & 15];
    }
  }

  /** Appends one side of the match. */
  write({ wallet, sells, outcome, size, price, time }: Fill, event: ToldEvent, market: ToldMarket): void {
    this.file.item({
      proxyWallet: this.wallets.address(wallet),
      side: sells ? 'SELL' : 'BUY',
      asset: market.tokens[outcome],
      conditionId: market.conditionId,
      size: size / 1000,
      price: price / 1000,
      timestamp: time,
      title: market.question,
      slug: market.slug,
      eventSlug: event.slug,
      outcome: market.outcomes[outcome],
      outcomeIndex: outcome,
      transactionHash: `0x${this.hash}`,
    });
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
  write({ type, wallet, time, size, usd }: Activity, event?: ToldEvent, market?: ToldMarket): void {
    this.file.item({
      proxyWallet: this.wallets.address(wallet),
      timestamp: time,
      type,
      size: size / 1000,
      usdcSize: usd / 1000,
      price: 0,
      asset: '',
      side: '',
      outcomeIndex: 999,
      outcome: '',
      transactionHash: `0x${this.random.hex(64)}`,
      conditionId: market?.conditionId ?? '',
      title: market?.question ?? '',
      slug: market?.slug ?? '',
      eventSlug: event?.slug ?? '',
    });
  }
}

const CAPACITY = 4 * 1024 * 1024;
/** The most bytes of a single append. */
const SLACK = 64 * 1024;

/**
 * A file of a JSON list that is written from front to back through one block of memory. Appending is synchronous. Once
 * the file is `full`, the writer must await `flush` before it appends more, so that memory stays bounded on a slow disk.
 *
 * @example const file = await ByteFile.create('out.json'); file.item({ id: 1 }); await file.close();
 */
export class ByteFile {
  /** The number of items so far. */
  count = 0;
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

  /** Appends an item, whose text is ASCII of at most 64 KiB. */
  item(item: object): void {
    this.text(`${this.count === 0 ? '[' : ','}\n${JSON.stringify(item)}`);
    this.count++;
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

  /** Ends the list, flushes and closes the file, and gives its size in bytes and its SHA-256 in hexadecimal. */
  async close(): Promise<{ size: number; sha256: string }> {
    this.text(this.count === 0 ? '[]\n' : '\n]\n');
    await this.flush();
    await this.handle.close();
    return { size: this.written, sha256: this.hash.digest('hex') };
  }

  /** Closes a file that will be discarded, ignoring errors. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined);
  }

  private text(text: string): void {
    this.length += this.block.write(text, this.length, 'latin1');
  }
}
