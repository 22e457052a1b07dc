import { isDeepStrictEqual } from 'node:util';
import type { Dataset } from '../../contract/dataset.js';
import { takeRows } from '../../frame/danfo/frame-from-vectors.js';
import type { Repeated } from '../../frame/decode/key-guard.js';
import type { DataFrame } from '../../frame/tabular/data-frame.js';
import { vectorOf } from '../../frame/tabular/tabular.js';
import { comparedVector } from '../../frame/vector/iso-time.js';
import { cellAt, type TextVector, type Vector } from '../../frame/vector/vector.js';
import { KeyHash } from './key-hash.js';
import { SeenKeys } from './seen-keys.js';

/** A frame without the rows whose key came before, and findings about these. */
export interface WithoutRepeats<Row extends object> {
  readonly frame: DataFrame<Row>;
  readonly repeated: Repeated | undefined;
}

/**
 * Finds records whose key came before, on pages that are not kept. Of each key only a 64-bit hash is kept. Times are
 * compared as moments, whatever their form.
 */
export class RepeatFinder {
  readonly #key: readonly { readonly name: string; readonly isTime: boolean }[];
  readonly #hash: KeyHash;
  readonly #seen = new SeenKeys();

  constructor({ key, columns }: Pick<Dataset, 'columns' | 'key'>) {
    this.#key = key.map((name) => ({
      name,
      isTime: columns.some((column) => column.name === name && column.dtype === 'datetime'),
    }));
    this.#hash = new KeyHash(key.length);
  }

  /** Drops the rows whose key is in an earlier frame, or further up in this one. */
  drop<Row extends object>(frame: DataFrame<Row>): WithoutRepeats<Row> {
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
    const hash = this.#hash;
    hash.begin();
    for (let at = 0; at < key.length; at += 1) hash.add(at, textAt(key[at], row));
    return this.#seen.add(hash.high, hash.low);
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

function textAt(vector: TextVector | undefined, row: number): string {
  return vector?.words[vector.codes[row] ?? -1] ?? '';
}

/** Whether two values of a column are equal; -0 equals 0. */
function isSame(vector: Vector, row: number, other: number): boolean {
  if (vector.kind === 'micros') return vector.values[row] === vector.values[other];
  const [value, second] = [cellAt(vector, row), cellAt(vector, other)];
  return value === second || isDeepStrictEqual(value, second);
}
