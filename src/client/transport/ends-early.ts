import { blankEnd, valueEnd } from '../../frame/build/scan/value-end.js';

const OPEN = '{'.charCodeAt(0);
const CLOSE = Buffer.from('}');
const TAIL_BYTES = 64;

/**
 * Whether an answer is the beginning of a JSON object alone, as one is that was cut where nothing told its length: its
 * brackets and quotation marks do not close. Two that close at its end are taken for those of an envelope.
 */
export function endsEarly(body: Buffer): boolean {
  const start = blankEnd(body, 0);
  if (body[start] !== OPEN) return false;
  if (/\}\s*\}\s*$/.test(body.toString('latin1', Math.max(start, body.length - TAIL_BYTES)))) return false;
  // What is whole ends before one bracket more, and what is not goes on with it.
  const longer = Buffer.concat([body, CLOSE]);
  return valueEnd(longer, start) === longer.length;
}
