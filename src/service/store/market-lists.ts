import { crc32 } from 'node:zlib';
import { damaged, type IndexedFile } from './indexed-file.js';
import { inBoth, type Places, SEGMENT, unpackPlaces } from './trigrams.js';

/** Columns of the index: of all segments, then of all lists. */
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

/** A list is not worth its reading where it is so many bytes longer than there are markets left to look at. */
const BYTES_A_MARKET = 1024;

/** To ask the system for a list takes about as long as to go through so many bytes of it. */
const BYTES_A_READ = 1024;

/** How many bytes of lists are kept, and what a list costs besides its places. */
const MOST_KEPT_BYTES = 12 << 20;
const ENTRY_BYTES = 256;

/** A list with more places is read anew each time: it would take the room of many. */
const MOST_PLACES = 1 << 14;

/** Which markets of a segment may hold some text. */
export class MarketLists {
  readonly #file: IndexedFile;
  readonly #columns: ListColumns;
  /** Where each list starts in the file, and at which list each segment starts. */
  readonly #ats: Float64Array;
  readonly #firsts: number[] = [];
  /** Lists that were read lately, by number: most searches have a few runs of letters in common with one before. */
  readonly #kept = new Map<number, Uint16Array>();
  #keptBytes = 0;

  constructor(file: IndexedFile, columns: ListColumns) {
    this.#file = file;
    this.#columns = columns;
    this.#ats = new Float64Array(columns.trigrams.length);
    let list = 0;
    for (const [segment, size] of columns.sizes.entries()) {
      this.#firsts.push(list);
      let at = columns.starts[segment] ?? 0;
      for (const end = list + size; list < end; list++) {
        this.#ats[list] = at;
        at += columns.lengths[list] ?? 0;
      }
    }
    this.#firsts.push(list);
  }

  /**
   * Places within a segment, ascending: all whose text holds every one of these runs, and some that hold only a part.
   *
   * @param trigrams Of the texts that are searched for, in lower case; at least one.
   * @returns They hold until the next search.
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
    lists.sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
    let found: Places | undefined;
    for (const list of lists) {
      if (found && this.#costOf(list) > found.length * BYTES_A_MARKET) break;
      const numbers = this.#numbersOf(list);
      const places = { numbers, length: numbers.length };
      found = found ? inBoth(found, places, found.numbers === rooms[0] ? rooms[1] : rooms[0]) : places;
    }
    return found ?? NOWHERE;
  }

  /** The number of a trigram's list; -1 where no market of the segment has it. */
  #find(segment: number, trigram: number): number {
    const { trigrams } = this.#columns;
    let [low, high] = [this.#firsts[segment] ?? 0, this.#firsts[segment + 1] ?? 0];
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((trigrams[middle] ?? 0) < trigram) low = middle + 1;
      else high = middle;
    }
    return low < end && trigrams[low] === trigram ? low : -1;
  }

  /** What it takes to go through a list, as bytes that are read. */
  #costOf(list: number): number {
    const length = this.#columns.lengths[list] ?? 0;
    return this.#kept.has(list) ? length : length + BYTES_A_READ;
  }

  #numbersOf(list: number): Uint16Array {
    const known = this.#kept.get(list);
    if (known) return known;
    const numbers = this.#read(list);
    if (numbers.length <= MOST_PLACES) this.#keep(list, numbers);
    return numbers;
  }

  /** Those kept longest make room. */
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
    const [at, length] = [this.#ats[list] ?? 0, lengths[list] ?? 0];
    const bytes = Buffer.allocUnsafe(length);
    if (this.#file.read(bytes, length, at) !== length || crc32(bytes) !== crcs[list]) {
      throw damaged(this.#file.path, `a list at byte ${at} is not what was written`);
    }
    return unpackPlaces(bytes);
  }
}

const NOWHERE: Places = { numbers: new Uint16Array(0), length: 0 };

/** Where places are gathered, in turns; a new array for each would cost more than what is written into it. */
const rooms = [new Uint16Array(SEGMENT + 1), new Uint16Array(SEGMENT + 1)] as const;
