/** How many markets one set of posting lists covers: their places in it fit into 16 bits. */
export const SEGMENT = 1 << 16;

/** The distinct runs of three bytes in some text, as numbers of 24 bits. */
export function trigramsOf(text: Uint8Array): number[] {
  const found = new Set<number>();
  for (let i = 2; i < text.length; i++) {
    found.add(((text[i - 2] ?? 0) << 16) | ((text[i - 1] ?? 0) << 8) | (text[i] ?? 0));
  }
  return [...found];
}

/** The lists of one segment: which trigrams there are, ascending, and of each the places that have it. */
export interface PostingLists {
  trigrams: number[];
  lists: Uint8Array[];
}

/** Gathers which texts of a segment hold which trigrams. */
export class TrigramCollector {
  /** By trigram, one more than its number; 0 where none of the texts has it. */
  readonly #numbers = new Int32Array(1 << 24);
  #trigrams: number[] = [];
  #counts: number[] = [];
  /** Number and place of every occurrence, in the order of the places. */
  #pairs = new Uint32Array(1 << 20);
  #places = new Uint16Array(1 << 20);
  #length = 0;

  /** Takes the text at the next place. */
  add(place: number, text: Uint8Array): void {
    for (const trigram of trigramsOf(text)) {
      let number = (this.#numbers[trigram] ?? 0) - 1;
      if (number < 0) {
        number = this.#trigrams.push(trigram) - 1;
        this.#numbers[trigram] = number + 1;
        this.#counts.push(0);
      }
      if (this.#length === this.#pairs.length) this.#grow();
      this.#pairs[this.#length] = number;
      this.#places[this.#length++] = place;
      this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    }
  }

  /** The lists of what was added since the last time. */
  take(): PostingLists {
    const starts = new Uint32Array(this.#counts.length + 1);
    for (const [number, count] of this.#counts.entries()) starts[number + 1] = (starts[number] ?? 0) + count;
    const next = starts.slice();
    const sorted = new Uint16Array(this.#length);
    for (let i = 0; i < this.#length; i++) {
      const number = this.#pairs[i] ?? 0;
      sorted[next[number] ?? 0] = this.#places[i] ?? 0;
      next[number] = (next[number] ?? 0) + 1;
    }
    const order = this.#trigrams.map((trigram, number) => ({ trigram, number })).sort((a, b) => a.trigram - b.trigram);
    const lists = order.map(({ number }) => packPlaces(sorted.subarray(starts[number], starts[number + 1])));
    for (const trigram of this.#trigrams) this.#numbers[trigram] = 0;
    [this.#trigrams, this.#counts, this.#length] = [[], [], 0];
    return { trigrams: order.map(({ trigram }) => trigram), lists };
  }

  #grow(): void {
    const [pairs, places] = [new Uint32Array(2 * this.#length), new Uint16Array(2 * this.#length)];
    pairs.set(this.#pairs);
    places.set(this.#places);
    [this.#pairs, this.#places] = [pairs, places];
  }
}

/** Ascending places as steps from one to the next, in one byte up to 127, else in three with 128 and above in the first. */
function packPlaces(places: Uint16Array): Uint8Array {
  const bytes = new Uint8Array(3 * places.length);
  let at = 0;
  let previous = 0;
  for (const place of places) {
    const step = place - previous;
    if (step < 128) bytes[at++] = step;
    else {
      bytes[at++] = 128;
      bytes[at++] = step & 255;
      bytes[at++] = step >> 8;
    }
    previous = place;
  }
  return bytes.slice(0, at);
}

/** The places that {@link packPlaces} wrote. */
export function unpackPlaces(bytes: Uint8Array): Uint16Array {
  const places = new Uint16Array(bytes.length);
  let count = 0;
  let place = 0;
  for (let i = 0; i < bytes.length; i++) {
    const step = bytes[i] ?? 0;
    if (step < 128) place += step;
    else {
      place += (bytes[i + 1] ?? 0) | ((bytes[i + 2] ?? 0) << 8);
      i += 2;
    }
    places[count++] = place;
  }
  return places.subarray(0, count);
}

/** The places that are in both lists. */
export function inBoth(some: Uint16Array, others: Uint16Array): Uint16Array {
  const both = new Uint16Array(Math.min(some.length, others.length));
  let count = 0;
  for (let i = 0, j = 0; i < some.length && j < others.length; ) {
    const [a, b] = [some[i] ?? 0, others[j] ?? 0];
    if (a === b) both[count++] = a;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return both.subarray(0, count);
}
