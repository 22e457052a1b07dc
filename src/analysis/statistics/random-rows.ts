/** Draws `count` row numbers below a bound, uniformly and with replacement, into a new array. */
export type DrawRows = (count: number, below: number) => Uint32Array;

/**
 * A source of random row numbers that is the same for the same seed on every machine: xoshiro128**, seeded by
 * splitmix32.
 *
 * Row numbers come in ascending order, not in the order of drawing, since reading a large frame at random takes several
 * times as long as reading it in order. Draws of a row beyond its 255th come last.
 *
 * @param seed A whole number from 0 to 2³² − 1.
 * @see Blackman and Vigna (2021), Scrambled linear pseudorandom number generators.
 */
export function randomRows(seed: number): DrawRows {
  const state = Int32Array.from({ length: 4 }, (_, at) => mixed(seed + Math.imul(at + 1, 0x9e3779b9)));
  return (count, below) => {
    const times = new Uint8Array(below);
    const beyond = drawInto(times, count, state);
    const rows = rowsOf(times, count);
    rows.set(beyond, count - beyond.length);
    return rows;
  };
}

const MOST = 255;

/** Counts the draws of each row in bytes, which are kind to the cache. Returns the draws that a byte cannot count. */
function drawInto(times: Uint8Array, count: number, state: Int32Array): number[] {
  const beyond: number[] = [];
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  for (let at = 0; at < count; at += 1) {
    const turned = Math.imul(b, 5);
    const word = Math.imul((turned << 7) | (turned >>> 25), 9) >>> 0;
    // The probabilities of two rows differ by at most one part in 2³² / rows.
    const row = ((word / 2 ** 32) * times.length) >>> 0;
    const many = times[row] as number;
    if (many === MOST) beyond.push(row);
    else times[row] = many + 1;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
  }
  state.set([a, b, c, d]);
  return beyond;
}

/** An array with each row number as often as it was drawn. */
function rowsOf(times: Uint8Array, count: number): Uint32Array {
  const rows = new Uint32Array(count + 2);
  let at = 0;
  for (let row = 0; row < times.length; row += 1) {
    const many = times[row] as number;
    // Always writes two, which later rows overwrite if needed: a branch on whether a row was drawn is unpredictable.
    rows[at] = row;
    rows[at + 1] = row;
    for (let more = 2; more < many; more += 1) rows[at + more] = row;
    at += many;
  }
  return rows.subarray(0, count);
}

function mixed(word: number): number {
  let bits = word | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return bits ^ (bits >>> 15);
}
