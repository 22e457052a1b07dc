import { isUtf8 } from 'node:buffer';
import { countFields, countWrittenFields, repeatedField } from '../../frame/build/scan/repeated-field.js';
import { resultsSpan } from './results-span.js';

/** An answer taken apart. */
export interface Envelope {
  /** The answer as JSON value, its records left out. */
  readonly envelope: unknown;
  /** The text of its records, as it is; undefined where `data.results` is no array. */
  readonly results: Uint8Array | undefined;
  /** What is wrong with the envelope's text, where JSON.parse would not mind; nothing is known of that of the records. */
  readonly fault: string | undefined;
}

const AS_TEXT = new TextDecoder();
/** A byte order mark is none where it does not stand first. */
const REST_AS_TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Takes an answer apart into its envelope and the text of its records, which is neither parsed nor copied.
 *
 * @throws {SyntaxError} If it is no JSON.
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
