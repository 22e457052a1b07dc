import { withoutEscapes } from '../../base/texts.js';

/** Characters that control a terminal, end a line, or change the direction of text. */
export const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A text without line breaks and control characters, which would break a table or control the terminal. */
export function oneLine(text: string): string {
  return withoutEscapes(text).replace(CONTROLS, ' ');
}
