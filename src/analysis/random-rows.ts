/** Fills an array with row numbers drawn with replacement, each as likely as any other. */
export type DrawRows = (into: Uint32Array, below: number) => void;

/**
 * A source of random row numbers that gives the same ones for the same seed, on every machine: xoshiro128**, its state
 * made of the seed by splitmix32.
 *
 * @see Blackman and Vigna (2021), Scrambled linear pseudorandom number generators.
 */
export function randomRows(seed: number): DrawRows {
  const state = Int32Array.from({ length: 4 }, (_, at) => mixed(seed + Math.imul(at + 1, 0x9e3779b9)));
  return (into, below) => {
    let [a, b, c, d] = state as unknown as [number, number, number, number];
    for (let at = 0; at < into.length; at += 1) {
      const turned = Math.imul(b, 5);
      const word = Math.imul((turned << 7) | (turned >>> 25), 9) >>> 0;
      // No row is likelier than another by more than one part in 2³² / rows.
      into[at] = (word / 2 ** 32) * below;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = (d << 11) | (d >>> 21);
    }
    state.set([a, b, c, d]);
  };
}

function mixed(word: number): number {
  let bits = word | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return bits ^ (bits >>> 15);
}
