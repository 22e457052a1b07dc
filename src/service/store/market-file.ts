import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { itemAt } from '../../base/item-at.js';
import { damaged, type FileEnd, type IndexedFile, openIndexedFile, VarintReader } from './indexed-file.js';
import { KeyFile } from './key-file.js';
import { MarketLists } from './market-lists.js';
import { SEGMENT } from './trigrams.js';

/** One market as the file holds it, as bytes that are valid until the next market is read. */
export interface StoredMarket {
  /** In lower case; undefined where it has none. */
  eventSlug: Buffer | undefined;
  /** Slug, event slug and question in lower case, with a NUL between. */
  searched: Buffer;
  /** The record as it goes on the wire. */
  record: Buffer;
}

/** The open file of all markets. Memory holds its columns of numbers and the offsets of its texts. */
export class MarketFile {
  /** The number of markets. */
  readonly length: number;
  /** End times in Unix milliseconds; NaN if there is none. */
  readonly ends: Float64Array;
  /** 1 where the market is closed. */
  readonly closed: Uint8Array;
  readonly lists: MarketLists;
  readonly #file: IndexedFile;
  readonly #starts: Float64Array;
  readonly #volumes: BigInt64Array;
  readonly #lengths: Uint32Array;
  readonly #crcs: Uint32Array;
  #scratch = Buffer.allocUnsafe(1 << 16);
  /** Records by place. */
  readonly #kept = new Map<number, Buffer>();
  #keptBytes = 0;

  private constructor(file: IndexedFile) {
    const { index, entries, parts } = file;
    let at = 0;
    const column = <T>(
      Kind: new (buffer: ArrayBufferLike, at: number, length: number) => T,
      length: number,
      width: number,
    ) => {
      if (at + length * width > index.length) throw damaged(file.path, 'its index has another size than it says');
      const numbers = new Kind(index.buffer, index.byteOffset + at, length);
      at += length * width;
      return numbers;
    };
    this.#file = file;
    this.length = entries;
    this.#starts = column(Float64Array, entries, 8);
    this.#volumes = column(BigInt64Array, entries, 8);
    this.ends = column(Float64Array, entries, 8);
    const segmentStarts = column(Float64Array, parts, 8);
    this.#lengths = column(Uint32Array, entries, 4);
    this.#crcs = column(Uint32Array, entries, 4);
    const sizes = column(Uint32Array, parts, 4);
    const lists = sizes.reduce((sum, size) => sum + size, 0);
    const [trigrams, lengths, crcs] = [
      column(Uint32Array, lists, 4),
      column(Uint32Array, lists, 4),
      column(Uint32Array, lists, 4),
    ];
    this.lists = new MarketLists(file, { starts: segmentStarts, sizes, trigrams, lengths, crcs });
    this.closed = column(Uint8Array, entries, 1);
  }

  /**
   * Opens the file; its markets are checked as they are read.
   *
   * @returns Undefined if there is no such file.
   * @throws {DataError} If it is truncated, damaged, of another layout or of other content.
   */
  static open(path: string, end: Pick<FileEnd, 'content' | 'unit'>): MarketFile | undefined {
    const file = openIndexedFile(path, end);
    return file && new MarketFile(file);
  }

  /** The number of segments of {@link SEGMENT} markets; the last one may be shorter. */
  get segments(): number {
    return Math.ceil(this.length / SEGMENT);
  }

  /** The number of markets with at least this volume in micro-USD; these are the first ones. */
  countFrom(volume: bigint): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (itemAt(this.#volumes, middle) >= volume) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Reads the markets at some places, which must ascend. Markets that lie close together are read at once.
   *
   * @param each Receives them in order; returns false to stop.
   * @throws {DataError} If one of them is damaged.
   */
  read(places: ArrayLike<number>, each: (market: StoredMarket, place: number) => boolean): void {
    for (let i = 0; i < places.length; ) {
      const from = itemAt(this.#starts, itemAt(places, i));
      let to = from;
      let last = i;
      for (; last < places.length; last++) {
        const place = itemAt(places, last);
        const start = itemAt(this.#starts, place);
        if (last > i && (start - to > GAP || start - from > MOST_AT_ONCE)) break;
        to = start + itemAt(this.#lengths, place);
      }
      const bytes = this.#readBytes(from, to - from);
      for (; i < last; i++) {
        const place = itemAt(places, i);
        if (!each(this.#market(bytes, place, from), place)) return;
      }
    }
  }

  /**
   * The records of the markets at some places, which must ascend. Those read lately are kept, as most pages show the
   * same few markets: those with the most volume.
   *
   * @throws {DataError} If one of them is damaged.
   */
  records(places: readonly number[]): Buffer[] {
    const records = places.map((place) => this.#kept.get(place));
    const missing = places.filter((_, i) => records[i] === undefined);
    if (missing.length === 0) return records as Buffer[];
    const read = new Map<number, Buffer>();
    this.read(missing, ({ record }, place) => {
      read.set(place, this.#keep(place, Buffer.from(record)));
      return true;
    });
    return places.map((place, i) => records[i] ?? read.get(place) ?? NO_RECORD);
  }

  close(): void {
    this.#file.close();
  }

  /** Keeps a record; the oldest ones make room for it. */
  #keep(place: number, record: Buffer): Buffer {
    this.#kept.set(place, record);
    this.#keptBytes += record.length;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= MOST_KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= old.length;
    }
    return record;
  }

  #readBytes(at: number, length: number): Buffer {
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafe(length);
    return this.#scratch.subarray(0, this.#file.read(this.#scratch, length, at));
  }

  #market(bytes: Buffer, place: number, from: number): StoredMarket {
    const start = itemAt(this.#starts, place) - from;
    const own = bytes.subarray(start, start + itemAt(this.#lengths, place));
    if (crc32(own) !== this.#crcs[place]) throw damaged(this.#file.path, `market ${place} is not what was written`);
    const reader = new VarintReader(own);
    const text = () => {
      const length = reader.next() - 1;
      if (length < 0) return undefined;
      reader.at += length;
      return own.subarray(reader.at - length, reader.at);
    };
    const eventSlug = text();
    const searched = text() ?? own.subarray(0, 0);
    return { eventSlug, searched, record: own.subarray(reader.at) };
  }
}

/** Two markets with at most this many bytes between them are read at once. */
const GAP = 4096;

/** How many bytes of records are kept at most. */
const MOST_KEPT_BYTES = 24 << 20;

const NO_RECORD = Buffer.alloc(0);

/** About how many bytes are read at once. */
const MOST_AT_ONCE = 1 << 18;

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
