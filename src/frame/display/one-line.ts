import { withoutEscapes } from '../../without-escapes.js';

/** Characters that drive a terminal, end a line, or turn the direction of what follows. */
export const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Text without line breaks and control characters, which would break a table or drive the terminal. */
export function oneLine(text: string): string {
  return withoutEscapes(text).replace(CONTROLS, ' ');
}
