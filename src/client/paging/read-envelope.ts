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

const NONE = Buffer.from('[]');

/**
 * Takes an answer apart into its envelope and the text of its records, which is neither parsed nor copied.
 *
 * @throws {SyntaxError} If it is no JSON.
 */
export function readEnvelope(body: Uint8Array): Envelope {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const span = resultsSpan(bytes);
  const around = span ? Buffer.concat([bytes.subarray(0, span.from), NONE, bytes.subarray(span.to)]) : bytes;
  const text = new TextDecoder().decode(around);
  const envelope: unknown = JSON.parse(text);
  return { envelope, results: span && bytes.subarray(span.from, span.to), fault: faultOf(envelope, around, text) };
}

function faultOf(envelope: unknown, bytes: Buffer, text: string): string | undefined {
  if (!isUtf8(bytes)) return 'must be UTF-8 text';
  if (countFields(envelope) === countWrittenFields(bytes, 0, bytes.length)) return undefined;
  const name = JSON.stringify(repeatedField(Buffer.from(`[${text}]`))?.name);
  return `has the field ${name} twice; which of both values is right cannot be told`;
}
