import { PageRefusal } from './refusal.js';

/** White space and comments. */
const SPACE = /(?:[\s\uFEFF]|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
const NUMBER = /[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w$.])/y;
const NAME = /[\p{L}\p{Nl}$_](?:[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$_\u200c\u200d])*/uy;
const TEXT = /"(?:[^"\\\n\r]|\\[\s\S])*"|'(?:[^'\\\n\r]|\\[\s\S])*'/y;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))/g;

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r': '',
  '\r\n': '',
  '\u2028': '',
  '\u2029': '',
};

/** Values may lie this deep in one another. */
const MOST_DEPTH = 500;

/**
 * Reads JSON as people write it into settings (JSON5): with comments, commas at the end, names and texts quoted singly
 * or not at all. Of a repeated name the last value counts.
 *
 * @throws {PageRefusal} 400 if it is none; the message names the line and column.
 * @example readRelaxedJson("{ theme: 'JupyterLab Dark', /* mine *\/ }"); // { theme: 'JupyterLab Dark' }
 */
export function readRelaxedJson(text: string): unknown {
  const reader = new RelaxedReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class RelaxedReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    this.#take(SPACE);
    const start = this.#at;
    if (depth > MOST_DEPTH) throw this.#fault('the values lie too deep in one another', start);
    if (this.#skip('{')) return this.#object(depth);
    if (this.#skip('[')) return this.#list(depth);
    const quoted = this.#take(TEXT);
    if (quoted) return unquoted(quoted);
    const number = this.#take(NUMBER);
    if (number) return number.startsWith('-') ? -Number(number.slice(1)) : Number(number.replace('+', ''));
    const word = this.#take(NAME) ?? '';
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    throw this.#fault('a value is missing', start);
  }

  /** @throws {PageRefusal} If more follows. */
  end(): void {
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw this.#fault('more follows after the end', this.#at);
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (this.#take(SPACE); !this.#skip('}'); this.#separator('}')) {
      const start = this.#at;
      const quoted = this.#take(TEXT);
      const name = quoted === undefined ? this.#take(NAME) : unquoted(quoted);
      this.#take(SPACE);
      if (name === undefined) throw this.#fault('a name is missing', start);
      if (!this.#skip(':')) throw this.#fault(`":" is missing after the name ${name}`, this.#at);
      entries.push([name, this.value(depth + 1)]);
    }
    return Object.fromEntries(entries);
  }

  #list(depth: number): unknown[] {
    const values: unknown[] = [];
    for (this.#take(SPACE); !this.#skip(']'); this.#separator(']')) values.push(this.value(depth + 1));
    return values;
  }

  /** Goes over a comma, which may be missing before the end. */
  #separator(end: string): void {
    this.#take(SPACE);
    const isApart = this.#skip(',');
    this.#take(SPACE);
    if (!isApart && this.#text[this.#at] !== end) throw this.#fault(`"," or "${end}" is missing`, this.#at);
  }

  #skip(sign: string): boolean {
    const isThere = this.#text[this.#at] === sign;
    if (isThere) this.#at++;
    return isThere;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fault(what: string, at: number): PageRefusal {
    const before = this.#text.slice(0, at).split(/\r\n|[\n\r]/);
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    return new PageRefusal(400, `${what} at ${place}.`);
  }
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(ESCAPE, (_, unit, byte, sign: string) => {
    if (unit ?? byte) return String.fromCharCode(Number.parseInt(unit ?? byte, 16));
    return ESCAPED[sign] ?? sign;
  });
}
