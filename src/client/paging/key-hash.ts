import { getRandomValues } from 'node:crypto';

/** Of this process: which keys collide differs from one to the next, but for such as are made to. */
const [SEED_HIGH = 0, SEED_LOW = 0] = getRandomValues(new Int32Array(2));
const [FACTOR_HIGH, FACTOR_LOW] = [0x9e3779b1, 0x5bd1e995];

/** A hash of 64 bits over texts, in two halves: two different lists of as many texts have the same once in 2⁶⁴. */
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

  /** Begins a key. */
  begin(): void {
    this.high = SEED_HIGH;
    this.low = SEED_LOW;
  }

  /** Takes the text at a place of the key; one that stood there in the key before, as wallets mostly do, is quick. */
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

/** Two characters at a time, each pair in both strands. */
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
