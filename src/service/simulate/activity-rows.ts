import type { ByteFile } from './byte-file.js';
import type { Random } from './random.js';
import type { ToldEvent, ToldMarket } from './tell-event.js';
import type { Wallets } from './wallets.js';

/** What a wallet does besides trading. */
export interface Activity {
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
