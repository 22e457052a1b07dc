import { withoutEscapes } from '../../without-escapes.js';

/** Text without line breaks and control characters, which would break a table or drive the terminal. */
export function oneLine(text: string): string {
  return withoutEscapes(text).replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
