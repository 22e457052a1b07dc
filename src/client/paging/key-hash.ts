import { getRandomValues } from 'node:crypto';

/** Random seeds of this process, so that different keys collide in each process, unless they are made to collide. */
const [SEED_HIGH = 0, SEED_LOW = 0] = getRandomValues(new Int32Array(2));
const [FACTOR_HIGH, FACTOR_LOW] = [0x9e3779b1, 0x5bd1e995];

/** A 64-bit hash of a list of texts, in two halves: two different lists collide with a chance of 1 in 2⁶⁴. */
export class KeyHash {
  high = 0;
  low = 0;
  readonly #texts: { text: string; high: number; low: number }[];

  /** @param texts How many texts make a key. */
  constructor(texts: number) {
    this.#texts = Array.from({ length: texts }, () => {
      const [high, low] = textHash('');
      return { text: '', high, low };
    });
  }

  /** Starts a new key. */
  begin(): void {
    this.high = SEED_HIGH;
    this.low = SEED_LOW;
  }

  /** Adds the text at a place of the key; fast if the key before had the same text there, as is usual for wallets. */
  add(at: number, text: string): void {
    const known = this.#texts[at];
    if (known === undefined) return;
    if (known.text !== text) {
      [known.high, known.low] = textHash(text);
      known.text = text;
    }
    this.high = mixed(this.high, known.high, FACTOR_HIGH);
    this.low = mixed(this.low, known.low, FACTOR_LOW);
  }
}

/** Hashes two characters at a time, each pair into both halves. */
function textHash(text: string): [high: number, low: number] {
  let high = SEED_HIGH ^ text.length;
  let low = SEED_LOW ^ text.length;
  for (let at = 0; at < text.length; at += 2) {
    const pair = text.charCodeAt(at) | ((at + 1 < text.length ? text.charCodeAt(at + 1) : 0) << 16);
    high = mixed(high, pair, FACTOR_HIGH);
    low = mixed(low, pair, FACTOR_LOW);
  }
  return [high, low];
}

function mixed(hash: number, part: number, factor: number): number {
  const next = Math.imul(hash ^ part, factor);
  return next ^ (next >>> 15);
}
