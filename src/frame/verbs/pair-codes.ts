/** Pairs of numbers, each pair with a number of its own. */
export interface PairCodes {
  /** From 0, in the order in which the pairs first appear. */
  readonly codes: Int32Array;
  /** The first row of each pair. */
  readonly firstRows: number[];
}

type Words = Uint32Array | Int32Array;

const FIRST_SLOTS = 1 << 12;

/**
 * Numbers the distinct pairs of 32-bit words by open addressing, in a table that grows with them.
 *
 * @param skipped Rows to leave out (1), whose code is -1. Default none.
 */
export function pairCodes(high: Words, low: Words, skipped?: Uint8Array): PairCodes {
  const codes = new Int32Array(high.length);
  const firstRows: number[] = [];
  let slots = new Int32Array(FIRST_SLOTS);
  for (let row = 0; row < codes.length; row += 1) {
    if (skipped?.[row] === 1) {
      codes[row] = -1;
      continue;
    }
    const slot = slotOf(high, low, row, slots, firstRows);
    const known = slots[slot] as number;
    if (known > 0) {
      codes[row] = known - 1;
      continue;
    }
    codes[row] = firstRows.length;
    firstRows.push(row);
    slots[slot] = firstRows.length;
    if (firstRows.length * 2 > slots.length) slots = grown(high, low, slots.length * 2, firstRows);
  }
  return { codes, firstRows };
}

/** Where a row's pair stands in the table, or the empty slot for it. Slots hold code + 1. */
function slotOf(high: Words, low: Words, row: number, slots: Int32Array, firstRows: readonly number[]): number {
  const mask = slots.length - 1;
  const [a, b] = [high[row] as number, low[row] as number];
  const mixed = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b);
  let slot = (mixed ^ (mixed >>> 15)) & mask;
  for (;;) {
    const known = slots[slot] as number;
    if (known === 0) return slot;
    const first = firstRows[known - 1] as number;
    if (high[first] === a && low[first] === b) return slot;
    slot = (slot + 1) & mask;
  }
}

function grown(high: Words, low: Words, size: number, firstRows: readonly number[]): Int32Array<ArrayBuffer> {
  const slots = new Int32Array(size);
  for (let code = 0; code < firstRows.length; code += 1) {
    slots[slotOf(high, low, firstRows[code] as number, slots, firstRows)] = code + 1;
  }
  return slots;
}
