import { itemAt } from '../../base/item-at.js';

/** How many markets one set of posting lists covers: a place within it fits into 16 bits. */
export const SEGMENT = 1 << 16;

/** The distinct trigrams of a text: its runs of three bytes, as 24-bit numbers. */
export function trigramsOf(text: Uint8Array): number[] {
  const found = new Set<number>();
  for (let i = 2; i < text.length; i++) {
    found.add(((text[i - 2] as number) << 16) | ((text[i - 1] as number) << 8) | (text[i] as number));
  }
  return [...found];
}

/** The lists of one segment: its trigrams, ascending, and for each the packed places of the texts that hold it. */
export interface PostingLists {
  trigrams: number[];
  lists: Uint8Array[];
}

/** The low bits of a trigram, which are its place in its page. */
const PAGE_BITS = 12;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/** Collects which texts of a segment hold which trigrams. */
export class TrigramCollector {
  /** For each trigram, its number plus 1; 0 if no text holds it. By pages, as texts hold few of all trigrams. */
  readonly #numbers: (Int32Array | undefined)[] = new Array(1 << (24 - PAGE_BITS));
  #trigrams: number[] = [];
  #counts: number[] = [];
  /** The trigram's number in every occurrence, in the order of the places. */
  #pairs = new Uint32Array(1 << 12);
  /** The place of every occurrence. */
  #places = new Uint16Array(1 << 12);
  #length = 0;

  /** Adds the text at the next place. */
  add(place: number, text: Uint8Array): void {
    for (const trigram of trigramsOf(text)) {
      const page = this.#pageOf(trigram);
      let number = (page[trigram & PAGE_MASK] as number) - 1;
      if (number < 0) {
        number = this.#trigrams.push(trigram) - 1;
        page[trigram & PAGE_MASK] = number + 1;
        this.#counts.push(0);
      }
      if (this.#length === this.#pairs.length) this.#grow();
      this.#pairs[this.#length] = number;
      this.#places[this.#length++] = place;
      this.#counts[number] = itemAt(this.#counts, number) + 1;
    }
  }

  /** The lists of all texts that were added since the last call. */
  take(): PostingLists {
    const starts = new Uint32Array(this.#counts.length + 1);
    for (const [number, count] of this.#counts.entries()) starts[number + 1] = itemAt(starts, number) + count;
    const next = starts.slice();
    const sorted = new Uint16Array(this.#length);
    for (let i = 0; i < this.#length; i++) {
      const number = itemAt(this.#pairs, i);
      const at = itemAt(next, number);
      sorted[at] = itemAt(this.#places, i);
      next[number] = at + 1;
    }
    const order = this.#trigrams.map((trigram, number) => ({ trigram, number })).sort((a, b) => a.trigram - b.trigram);
    const lists = order.map(({ number }) => packPlaces(sorted.subarray(starts[number], starts[number + 1])));
    for (const trigram of this.#trigrams) this.#pageOf(trigram)[trigram & PAGE_MASK] = 0;
    [this.#trigrams, this.#counts, this.#length] = [[], [], 0];
    return { trigrams: order.map(({ trigram }) => trigram), lists };
  }

  #pageOf(trigram: number): Int32Array {
    const at = trigram >>> PAGE_BITS;
    const page = this.#numbers[at] ?? new Int32Array(PAGE_MASK + 1);
    this.#numbers[at] = page;
    return page;
  }

  #grow(): void {
    const [pairs, places] = [new Uint32Array(2 * this.#length), new Uint16Array(2 * this.#length)];
    pairs.set(this.#pairs);
    places.set(this.#places);
    [this.#pairs, this.#places] = [pairs, places];
  }
}

const LONG_STEP = 128;

/**
 * Packs ascending places as steps from one to the next: a step up to 127 in one byte, a longer one in three, of which
 * the first is 128 and the others are the step, low byte first.
 */
function packPlaces(places: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(3 * places.length);
  let at = 0;
  let previous = 0;
  for (const place of places) {
    const step = place - previous;
    if (step < LONG_STEP) bytes[at++] = step;
    else {
      bytes[at++] = LONG_STEP;
      bytes[at++] = step & 255;
      bytes[at++] = step >> 8;
    }
    previous = place;
  }
  return bytes.slice(0, at);
}

/** Unpacks the places that {@link packPlaces} packed. */
export function unpackPlaces(bytes: Uint8Array): Uint16Array {
  let count = bytes.length;
  // The two bytes after a 128 belong to its step, and may be 128 themselves.
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== LONG_STEP) continue;
    count -= 2;
    i += 2;
  }
  const places = new Uint16Array(count);
  let place = 0;
  for (let i = 0, next = 0; i < bytes.length; i++) {
    const step = bytes[i] as number;
    if (step < LONG_STEP) place += step;
    else {
      place += itemAt(bytes, i + 1) | (itemAt(bytes, i + 2) << 8);
      i += 2;
    }
    places[next++] = place;
  }
  return places;
}

/** Ascending places: the first `length` numbers of an array. */
export interface Places {
  readonly numbers: Uint16Array;
  readonly length: number;
}

/** If one list is more than this many times longer than the other, each place of the short one is looked up in it. */
const MUCH_LONGER = 32;

/**
 * Finds the places that are in both lists.
 *
 * @param into Receives them. It must not be the array of either list, and must have room for one place more than the
 *   shorter list has.
 */
export function inBoth(some: Places, others: Places, into: Uint16Array): Places {
  if (some.length > others.length) return inBoth(others, some, into);
  const length = some.length * MUCH_LONGER < others.length ? lookUp(some, others, into) : mark(some, others, into);
  return { numbers: into, length };
}

/** For each place, the number of the comparison that marked it last. */
const marks = new Uint8Array(SEGMENT);
const MOST_MARK = 255;
let lastMark = 0;

/** Works without a branch that depends on the places: the processor would mispredict it half of the time. */
function mark(some: Places, others: Places, into: Uint16Array): number {
  if (lastMark === MOST_MARK) marks.fill(0);
  lastMark = lastMark === MOST_MARK ? 1 : lastMark + 1;
  const own = lastMark;
  const { numbers: marked } = some;
  for (let i = 0; i < some.length; i++) marks[marked[i] as number] = own;
  const { numbers, length } = others;
  let count = 0;
  for (let i = 0; i < length; i++) {
    const place = numbers[i] as number;
    into[count] = place;
    count += Number(marks[place] === own);
  }
  return count;
}

function lookUp(some: Places, others: Places, into: Uint16Array): number {
  let count = 0;
  let low = 0;
  for (let i = 0; i < some.length; i++) {
    const place = some.numbers[i] as number;
    let high = others.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (itemAt(others.numbers, middle) < place) low = middle + 1;
      else high = middle;
    }
    if (low < others.length && others.numbers[low] === place) into[count++] = place;
  }
  return count;
}
