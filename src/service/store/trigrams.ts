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

/** Collects which texts of a segment hold which trigrams. */
export class TrigramCollector {
  /** The places of the texts that hold each trigram. */
  #places = new Map<number, number[]>();

  /** Adds the text at the next place. */
  add(place: number, text: Uint8Array): void {
    for (const trigram of trigramsOf(text)) {
      const places = this.#places.get(trigram);
      if (places) places.push(place);
      else this.#places.set(trigram, [place]);
    }
  }

  /** The lists of all texts that were added since the last call. */
  take(): PostingLists {
    const sorted = [...this.#places].sort(([a], [b]) => a - b);
    this.#places = new Map();
    return { trigrams: sorted.map(([trigram]) => trigram), lists: sorted.map(([, places]) => packPlaces(places)) };
  }
}

const LONG_STEP = 128;

/**
 * Packs ascending places as steps from one to the next: a step up to 127 in one byte, a longer one in three, of which
 * the first is 128 and the others are the step, low byte first.
 */
function packPlaces(places: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (const place of places) {
    const step = place - previous;
    if (step < LONG_STEP) bytes.push(step);
    else bytes.push(LONG_STEP, step & 255, step >> 8);
    previous = place;
  }
  return Uint8Array.from(bytes);
}

/** Unpacks the places that {@link packPlaces} packed. */
export function unpackPlaces(bytes: Uint8Array): Uint16Array {
  const places = new Uint16Array(bytes.length);
  let [place, count] = [0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const step = bytes[i] as number;
    if (step < LONG_STEP) place += step;
    else {
      place += itemAt(bytes, i + 1) | (itemAt(bytes, i + 2) << 8);
      i += 2;
    }
    places[count++] = place;
  }
  return places.slice(0, count);
}

/** Ascending places: the first `length` numbers of an array. */
export interface Places {
  readonly numbers: Uint16Array;
  readonly length: number;
}

/** For each place, 1 while it is known to be in the shorter list. */
const marks = new Uint8Array(SEGMENT);

/**
 * Finds the places that are in both lists.
 *
 * @param into Receives them. It must not be the array of either list, and must have room for one place more than the
 *   shorter list has.
 */
export function inBoth(some: Places, others: Places, into: Uint16Array): Places {
  const [short, long] = some.length <= others.length ? [some, others] : [others, some];
  for (let i = 0; i < short.length; i++) marks[short.numbers[i] as number] = 1;
  let length = 0;
  // No branch depends on the places: the processor would mispredict it half of the time.
  for (let i = 0; i < long.length; i++) {
    const place = long.numbers[i] as number;
    into[length] = place;
    length += marks[place] as number;
  }
  for (let i = 0; i < short.length; i++) marks[short.numbers[i] as number] = 0;
  return { numbers: into, length };
}
