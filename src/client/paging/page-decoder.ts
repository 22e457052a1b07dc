import { getRandomValues } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Dataset } from '../../contract/dataset.js';
import { takeRows } from '../../frame/danfo/frame-from-vectors.js';
import { type Appended, FrameBuilder, type FrameBuilderOptions } from '../../frame/decode/frame-builder.js';
import type { Repeated } from '../../frame/decode/key-guard.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { vectorOf } from '../../frame/tabular/tabular.js';
import { comparedVector } from '../../frame/vector/iso-time.js';
import { cellAt, type TextVector, type Vector } from '../../frame/vector/vector.js';

/** Decodes pages that are handed on one by one. Of earlier pages it keeps only hashes of keys, to recognize repeats. */
export class PageDecoder<Row extends object> {
  readonly #builder: FrameBuilder<Row>;
  readonly #finder: RepeatFinder;
  /** The page with its repeats; below, the page without them. */
  #whole: DataFrame<Row> | undefined;
  #frame: DataFrame<Row> | undefined;
  /** Findings about the page's repeats; undefined if it had none. */
  repeated: Repeated | undefined;

  constructor(dataset: Dataset, options: Omit<FrameBuilderOptions, 'key'>) {
    this.#builder = new FrameBuilder<Row>(dataset.columns, options);
    this.#finder = new RepeatFinder(dataset);
  }

  /** Decodes the records of the next page, which replaces the page before. */
  appendText(results: Uint8Array): Appended {
    const { records } = this.#builder.appendText(results);
    this.#whole = this.#builder.take();
    const { frame, repeated } = this.#finder.drop(this.#whole);
    this.#frame = frame;
    this.repeated = repeated;
    return { records, repeats: records - frame.shape[0] };
  }

  /** Finds a text in the page that differs from the one that all records should have. Case is ignored. */
  otherText(name: string, text: string): string | undefined {
    const vector = this.#whole && vectorOf(this.#whole, name);
    if (vector?.kind !== 'text') return undefined;
    const { codes, words } = vector;
    const wanted = text.toLowerCase();
    let right = -1;
    for (const code of codes) {
      if (code === right) continue;
      const found = words[code] ?? '';
      if (found.toLowerCase() !== wanted) return found;
      right = code;
    }
    return undefined;
  }

  /** The records of the page without repeats. */
  take(): DataFrame<Row> {
    return this.#frame ?? this.#builder.take();
  }
}

/**
 * Finds records whose key came before, on pages that are not kept. Of each key only a 64-bit hash is kept: two
 * different keys collide with a chance of 1 in 2⁶⁴. Times are compared as moments, whatever their form.
 */
class RepeatFinder {
  readonly #key: readonly { readonly name: string; readonly isTime: boolean }[];
  readonly #seen = new KeyHashSet();

  constructor({ key, columns }: Pick<Dataset, 'columns' | 'key'>) {
    this.#key = key.map((name) => ({
      name,
      isTime: columns.some((column) => column.name === name && column.dtype === 'datetime'),
    }));
  }

  /** Drops the rows whose key is in an earlier frame, or further up in this one; tells what is found about them. */
  drop<Row extends object>(frame: DataFrame<Row>): { frame: DataFrame<Row>; repeated: Repeated | undefined } {
    const rows = frame.shape[0];
    const key = this.#keyOf(frame);
    if (key.length === 0) return { frame, repeated: undefined };
    const kept = new Uint32Array(rows);
    let size = 0;
    for (let row = 0; row < rows; row += 1) {
      if (!this.#isNew(key, row)) continue;
      kept[size] = row;
      size += 1;
    }
    if (size === rows) return { frame, repeated: undefined };
    const own = kept.subarray(0, size);
    return { frame: takeRows(frame, own), repeated: this.#compare(frame, key, own) };
  }

  #keyOf(frame: DataFrame): TextVector[] {
    return this.#key.flatMap(({ name, isTime }) => {
      const vector = vectorOf(frame, name);
      const compared = isTime ? comparedVector(name, 'datetime', vector) : vector;
      return compared.kind === 'text' ? [compared] : [];
    });
  }

  #isNew(key: readonly TextVector[], row: number): boolean {
    let [high, low] = SEEDS;
    for (const vector of key) {
      const text = textAt(vector, row);
      [high, low] = [mixed(high, text.length, 0x9e3779b1), mixed(low, text.length, 0x5bd1e995)];
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        high = mixed(high, code, 0x9e3779b1);
        low = mixed(low, code, 0x5bd1e995);
      }
    }
    return this.#seen.add(high, low);
  }

  /** Compares repeats with the records of the same frame that they repeat. */
  #compare(frame: DataFrame, key: readonly TextVector[], kept: Uint32Array): Repeated {
    const keyAt = (row: number) => key.map((vector, at) => `${this.#key[at]?.name} ${textAt(vector, row)}`).join(', ');
    const firsts = new Map(Array.from(kept, (row) => [keyAt(row), row]));
    const own = new Set(kept);
    const others = frame.columns.filter((name) => !this.#key.some((part) => part.name === name));
    const vectors = others.map((name) => [name, vectorOf(frame, name)] as const);
    let [within, differing]: [number, Repeated['differing']] = [0, undefined];
    for (let row = 0; row < frame.shape[0]; row += 1) {
      const first = own.has(row) ? undefined : firsts.get(keyAt(row));
      if (first === undefined) continue;
      within += 1;
      const field = vectors.find(([, vector]) => !isSame(vector, first, row))?.[0];
      if (field !== undefined) differing ??= { key: keyAt(row), field };
    }
    return { within, differing };
  }
}

function textAt({ words, codes }: TextVector, row: number): string {
  return words[codes[row] ?? -1] ?? '';
}

/** Whether two values of a column are equal; -0 equals 0. */
function isSame(vector: Vector, row: number, other: number): boolean {
  if (vector.kind === 'micros') return vector.values[row] === vector.values[other];
  const [value, second] = [cellAt(vector, row), cellAt(vector, other)];
  return value === second || isDeepStrictEqual(value, second);
}

/** Random seeds of this process, so that different keys collide in each process, unless they are made to collide. */
const SEEDS = Array.from(getRandomValues(new Int32Array(2))) as [high: number, low: number];

function mixed(hash: number, part: number, factor: number): number {
  const next = Math.imul(hash ^ part, factor);
  return next ^ (next >>> 15);
}

const FIRST_SLOTS = 1 << 10;

/**
 * A set of 64-bit numbers, each in two halves, in one array. It takes 11 to 21 bytes for each number, depending on how
 * full the array is; it doubles as it fills.
 */
export class KeyHashSet {
  /**
   * The halves of numbers, each at the place that its first half selects or after that; two zeros if a place is free.
   */
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #size = 0;

  /** Adds a number; returns false if the set already has it. */
  add(high: number, low: number): boolean {
    // Two zeros would mark a free place.
    const first = (high | low) === 0 ? 1 : high;
    const place = placeOf(this.#slots, first, low);
    if (((this.#slots[place] as number) | (this.#slots[place + 1] as number)) !== 0) return false;
    this.#slots[place] = first;
    this.#slots[place + 1] = low;
    this.#size += 1;
    if (8 * this.#size > 3 * this.#slots.length) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      const [high, low] = [old[at] as number, old[at + 1] as number];
      if ((high | low) === 0) continue;
      const place = placeOf(slots, high, low);
      slots[place] = high;
      slots[place + 1] = low;
    }
    this.#slots = slots;
  }
}

/** The place of a number, or the free place where it belongs. */
function placeOf(slots: Int32Array, high: number, low: number): number {
  const mask = slots.length - 1;
  for (let place = (2 * high) & mask; ; place = (place + 2) & mask) {
    const [first = 0, second = 0] = [slots[place], slots[place + 1]];
    if ((first === high && second === low) || (first | second) === 0) return place;
  }
}
