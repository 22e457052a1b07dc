import { crc32 } from 'node:zlib';
import { damaged, type IndexedFile } from './indexed-file.js';
import { inBoth, trigramsOf, unpackPlaces } from './trigrams.js';

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

/** Where one list is. */
interface Place {
  at: number;
  length: number;
  crc: number;
}

/** A list is not worth its reading where it is so many bytes longer than there are markets left to look at. */
const BYTES_A_MARKET = 1024;

/** So few markets are rather looked at than told apart further. */
const FEW = 24;

/** Which markets of a segment may hold some text. */
export class MarketLists {
  readonly #file: IndexedFile;
  readonly #columns: ListColumns;
  /** Where each list starts in the file, and at which list each segment starts. */
  readonly #ats: Float64Array;
  readonly #firsts: number[] = [];

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
   * Places within a segment, ascending: all that hold every text, and some that hold only its parts.
   *
   * @param texts In lower case, of three bytes or more each.
   * @throws {DataError} If a list is damaged.
   */
  candidates(segment: number, texts: readonly Uint8Array[]): Uint16Array {
    const lists: Place[] = [];
    for (const trigram of new Set(texts.flatMap(trigramsOf))) {
      const list = this.#find(segment, trigram);
      if (!list) return new Uint16Array(0);
      lists.push(list);
    }
    lists.sort((a, b) => a.length - b.length);
    let found: Uint16Array | undefined;
    for (const list of lists) {
      if (found && (found.length <= FEW || list.length > found.length * BYTES_A_MARKET)) break;
      const places = this.#read(list);
      found = found ? inBoth(found, places) : places;
    }
    return found ?? new Uint16Array(0);
  }

  #find(segment: number, trigram: number): Place | undefined {
    const { trigrams, lengths, crcs } = this.#columns;
    let [low, high] = [this.#firsts[segment] ?? 0, this.#firsts[segment + 1] ?? 0];
    const end = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((trigrams[middle] ?? 0) < trigram) low = middle + 1;
      else high = middle;
    }
    if (low === end || trigrams[low] !== trigram) return undefined;
    return { at: this.#ats[low] ?? 0, length: lengths[low] ?? 0, crc: crcs[low] ?? 0 };
  }

  #read({ at, length, crc }: Place): Uint16Array {
    const bytes = Buffer.allocUnsafe(length);
    if (this.#file.read(bytes, length, at) !== length || crc32(bytes) !== crc) {
      throw damaged(this.#file.path, `a list at byte ${at} is not what was written`);
    }
    return unpackPlaces(bytes);
  }
}
