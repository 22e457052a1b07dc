import { join } from 'node:path';
import { KeyFile } from './key-file.js';
import { MarketFile } from './market-file.js';
import { VarintReader } from './varint.js';

/**
 * Indexed file of all markets, by volume descending, then condition id.
 *
 * ```
 * segment … segment  of 65,536 markets each: the markets, one after another, then the posting lists of their trigrams
 * index              columns, each of all markets: where it starts f64, volume in micro-USD i64, end in Unix ms f64
 *                    (NaN without one); of all segments: where the lists start f64; of all markets: length u32, CRC-32
 *                    u32; of all segments: number of lists u32; of all lists: trigram u32, length u32, CRC-32 u32; of
 *                    all markets: closed u8
 * footer             its entries are the markets, its parts the segments
 * ```
 *
 * A market is its event slug and its searched text, both in lower case, and then its record as JSON. Each of the two
 * texts comes after a varint: its length plus 1, or 0 if there is none. The searched text is slug, event slug and
 * question, separated by NULs; no filter can hold a NUL, so none matches across two of them. A posting list names the
 * markets of the segment whose searched text holds a certain run of three bytes: see `trigrams.ts`.
 */
export const MARKETS_FILE = { name: 'markets.bin', content: 'markets', unit: 0 };

/** Key file: by the bytes of a condition id, the market's place in {@link MARKETS_FILE} as a varint. */
export const MARKET_IDS_FILE = { name: 'market-ids.bin', content: 'market-ids', keyBytes: 32 };

const CONDITION = /^0x[0-9a-f]{64}$/;

/** A market's key in {@link MARKET_IDS_FILE}; undefined for anything but a condition id of 32 bytes in lower case. */
export function conditionKey(conditionId: string): Buffer | undefined {
  return CONDITION.test(conditionId) ? Buffer.from(conditionId.slice(2), 'hex') : undefined;
}

/** The files of markets in a version's folder, beside its database. */
export class MarketFiles {
  readonly markets: MarketFile | undefined;
  readonly #ids: KeyFile | undefined;

  /**
   * Opens the files of a version.
   *
   * @throws {DataError} If one of them is damaged; missing ones are allowed.
   */
  constructor(folder: string) {
    this.markets = MarketFile.open(join(folder, MARKETS_FILE.name), MARKETS_FILE);
    this.#ids = KeyFile.open(join(folder, MARKET_IDS_FILE.name), MARKET_IDS_FILE);
  }

  get areAllThere(): boolean {
    return this.markets !== undefined && this.#ids !== undefined;
  }

  /**
   * A market's place in {@link MARKETS_FILE}; undefined if there is no such market, null if only the database knows.
   */
  placeOf(conditionId: string): number | undefined | null {
    const key = conditionKey(conditionId);
    if (!key || !this.#ids) return null;
    const value = this.#ids.find(key);
    return value && new VarintReader(value).next();
  }

  close(): void {
    this.markets?.close();
    this.#ids?.close();
  }
}
