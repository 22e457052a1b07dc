import { type Document, isScalar, type Pair, parseDocument, type Scalar, visit } from 'yaml';
import { isObject } from '../../base/texts.js';

/**
 * Reads YAML or JSON without changing any value. It refuses numbers that JavaScript would round, values that are not
 * plain data, and several documents. Whole numbers beyond 2^53 become bigints; unquoted hexadecimal words of 20 digits
 * or more, such as addresses, stay texts.
 *
 * @throws {Error} If it refuses the text; the message says why.
 */
export function parseParameters(text: string): unknown {
  const document = parseDocument(text, { intAsBigInt: true, merge: true, logLevel: 'error' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault?.code === 'MULTIPLE_DOCS') throw new Error('it holds several documents, parted by "---": leave one.');
  if (fault) throw fault;
  keepExact(document);
  return plain(document.toJS(), []);
}

function keepExact(document: Document.Parsed): void {
  visit(document, {
    Pair: (_, { key }: Pair) => {
      if (isScalar(key) && key.value === null) throw new Error('a key is null: put it in quotes, "null".');
    },
    Scalar: (_, node) => {
      if (node.type === 'PLAIN') keepScalar(node);
    },
  });
}

/** Keeps the digits of a value that is written without quotes. */
function keepScalar(node: Scalar): void {
  const { source = '', value } = node;
  if (/^0x[\da-f]{20,}$/i.test(source)) node.value = source;
  const isFloat = typeof value === 'number' && /^[-+]?[\d.]/.test(source) && !/inf$/i.test(source);
  if (!isFloat) return;
  const [whole = ''] = source.split('.');
  const isRounded = !/e/i.test(source) && !Number.isSafeInteger(value) && BigInt(whole) !== BigInt(Math.trunc(value));
  if (Number.isFinite(value) && !isRounded) return;
  throw new Error(`${source} is no number that can be kept exactly: put it in quotes to have it as a text.`);
}

function plain(data: unknown, above: readonly unknown[]): unknown {
  if (typeof data === 'bigint') return Number.isSafeInteger(Number(data)) ? Number(data) : data;
  if (typeof data !== 'object' || data === null || data instanceof Date) return data;
  if (above.includes(data)) throw new Error('a value holds itself.');
  const inner = (each: unknown): unknown => plain(each, [...above, data]);
  if (Array.isArray(data)) return data.map(inner);
  if (data instanceof Set) return [...data].map(inner);
  const isPlain = isObject(data) && [Object.prototype, null].includes(Object.getPrototypeOf(data));
  if (isPlain) return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, inner(each)]));
  throw new Error(`a value is tagged as ${data instanceof Map ? '!!omap' : '!!binary'}, which no parameter takes.`);
}
