import { crc32 } from 'node:zlib';
import { itemAt } from '../../base/item-at.js';
import { damaged, type IndexedFile } from './indexed-file.js';
import { inBoth, type Places, SEGMENT, unpackPlaces } from './trigrams.js';

/** Columns of the index: two with an entry for each segment, then three with an entry for each list. */
interface ListColumns {
  /** Where the lists of a segment start in the file. */
  starts: Float64Array;
  /** How many lists a segment has. */
  sizes: Uint32Array;
  /** Ascending within a segment. */
  trigrams: Uint32Array;
  lengths: Uint32Array;
  crcs: Uint32Array;
}

/** A further list is read only if it costs at most this many bytes for each market that is left to look at. */
const BYTES_A_MARKET = 1024;

/** How many bytes of lists are kept at most, and what a list costs besides its places. */
const MOST_KEPT_BYTES = 12 << 20;
const ENTRY_BYTES = 256;

/** A list with more places is read anew each time: it would take the room of many others. */
const MOST_PLACES = 1 << 14;

/** Finds the markets of a segment that may hold some text. */
export class MarketLists {
  readonly #file: IndexedFile;
  readonly #columns: ListColumns;
  /** Where each list starts in the file. */
  readonly #ats: Float64Array;
  /** The first list of each segment; the last entry is the number of all lists. */
  readonly #firsts: number[] = [];
  /**
   * Lists that were read lately, by number: most searches share a few trigrams with an earlier one. Without them, the
   * search of 60,000 markets for a rare text took 0.34 ms instead of 0.18 ms.
   */
  readonly #kept = new Map<number, Uint16Array>();
  #keptBytes = 0;

  constructor(file: IndexedFile, columns: ListColumns) {
    this.#file = file;
    this.#columns = columns;
    this.#ats = new Float64Array(columns.trigrams.length);
    let list = 0;
    for (const [segment, size] of columns.sizes.entries()) {
      this.#firsts.push(list);
      let at = itemAt(columns.starts, segment);
      for (const end = list + size; list < end; list++) {
        this.#ats[list] = at;
        at += itemAt(columns.lengths, list);
      }
    }
    this.#firsts.push(list);
  }

  /**
   * The places within a segment, ascending, of all markets whose text holds every one of these trigrams, and perhaps of
   * some that hold only a part of them.
   *
   * @param trigrams Those of the lower-case texts that are searched for; at least one.
   * @returns Places that are valid until the next search.
   * @throws {DataError} If a list is damaged.
   */
  candidates(segment: number, trigrams: readonly number[]): Places {
    const { lengths } = this.#columns;
    const lists: number[] = [];
    for (const trigram of trigrams) {
      const list = this.#find(segment, trigram);
      if (list < 0) return NOWHERE;
      lists.push(list);
    }
    lists.sort((a, b) => itemAt(lengths, a) - itemAt(lengths, b));
    let found: Places | undefined;
    for (const list of lists) {
      if (found && itemAt(lengths, list) > found.length * BYTES_A_MARKET) break;
      const numbers = this.#numbersOf(list);
      const places = { numbers, length: numbers.length };
      found = found ? inBoth(found, places, found.numbers === rooms[0] ? rooms[1] : rooms[0]) : places;
    }
    return found ?? NOWHERE;
  }

  /** The number of a trigram's list; -1 if no market of the segment has it. */
  #find(segment: number, trigram: number): number {
    const { trigrams } = this.#columns;
    let [low, high] = [itemAt(this.#firsts, segment), itemAt(this.#firsts, segment + 1)];
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (itemAt(trigrams, middle) < trigram) low = middle + 1;
      else high = middle;
    }
    return low < end && trigrams[low] === trigram ? low : -1;
  }

  #numbersOf(list: number): Uint16Array {
    const known = this.#kept.get(list);
    if (known) return known;
    const numbers = this.#read(list);
    if (numbers.length <= MOST_PLACES) this.#keep(list, numbers);
    return numbers;
  }

  /** Keeps a list; the oldest ones make room for it. */
  #keep(list: number, numbers: Uint16Array): void {
    this.#kept.set(list, numbers);
    this.#keptBytes += numbers.byteLength + ENTRY_BYTES;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= MOST_KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= old.byteLength + ENTRY_BYTES;
    }
  }

  #read(list: number): Uint16Array {
    const { lengths, crcs } = this.#columns;
    const [at, length] = [itemAt(this.#ats, list), itemAt(lengths, list)];
    const bytes = Buffer.allocUnsafe(length);
    if (this.#file.read(bytes, length, at) !== length || crc32(bytes) !== crcs[list]) {
      throw damaged(this.#file.path, `a list at byte ${at} is not what was written`);
    }
    return unpackPlaces(bytes);
  }
}

const NOWHERE: Places = { numbers: new Uint16Array(0), length: 0 };

/** Two buffers for results, used in turn. */
const rooms = [new Uint16Array(SEGMENT + 1), new Uint16Array(SEGMENT + 1)] as const;
