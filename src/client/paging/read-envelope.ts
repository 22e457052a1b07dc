import { isUtf8 } from 'node:buffer';
import { countFields, countWrittenFields, repeatedField } from '../../frame/decode/json-ends.js';
import { resultsSpan } from './results-span.js';

/** An answer, split into its envelope and its records. */
export interface Envelope {
  /** The answer as a JSON value, without its records. */
  readonly envelope: unknown;
  /** The unchanged text of the records; undefined if `data.results` is not an array. */
  readonly results: Uint8Array | undefined;
  /** A fault of the envelope's text that JSON.parse accepts; the text of the records is not checked. */
  readonly fault: string | undefined;
}

const AS_TEXT = new TextDecoder();
/** For text after the records, where a byte order mark is an ordinary character. */
const REST_AS_TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Splits an answer into its envelope and the text of its records, which is neither parsed nor copied.
 *
 * @throws {SyntaxError} If the envelope is not JSON.
 */
export function readEnvelope(body: Uint8Array): Envelope {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const { from, to } = resultsSpan(bytes) ?? { from: bytes.length, to: bytes.length };
  const [before, behind] = [bytes.subarray(0, from), bytes.subarray(to)];
  const text = AS_TEXT.decode(before) + (from < to ? `[]${REST_AS_TEXT.decode(behind)}` : '');
  const envelope: unknown = JSON.parse(text);
  const results = from < to ? bytes.subarray(from, to) : undefined;
  return { envelope, results, fault: faultOf(envelope, [before, behind], text) };
}

function faultOf(envelope: unknown, parts: readonly Buffer[], text: string): string | undefined {
  if (!parts.every((part) => isUtf8(part))) return 'must be UTF-8 text';
  const written = parts.reduce((count, part) => count + countWrittenFields(part, 0, part.length), 0);
  if (countFields(envelope) === written) return undefined;
  const name = JSON.stringify(repeatedField(Buffer.from(`[${text}]`))?.name);
  return `has the field ${name} twice; which of both values is right cannot be told`;
}
