import { blankEnd, valueEnd } from '../../frame/decode/json-ends.js';

const OPEN = '{'.charCodeAt(0);
const CLOSE = Buffer.from('}');
const TAIL_BYTES = 64;

/**
 * Whether an answer is only the beginning of a JSON object, because it was cut and its length was not known: its
 * brackets and quotation marks do not close. Two brackets that close at its end are taken for those of an envelope.
 */
export function endsEarly(body: Buffer): boolean {
  const start = blankEnd(body, 0);
  if (body[start] !== OPEN) return false;
  if (/\}\s*\}\s*$/.test(body.toString('latin1', Math.max(start, body.length - TAIL_BYTES)))) return false;
  // With one more bracket appended, a whole object ends before it, and a cut one includes it.
  const longer = Buffer.concat([body, CLOSE]);
  return valueEnd(longer, start) === longer.length;
}
