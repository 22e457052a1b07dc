import { withoutEscapes } from '../../base/texts.js';

/** First and last code points of scripts and symbols that take two columns of a terminal. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

const NARROW_ONLY = /^[\x20-\x7e\u00a1-\u02ff\u0370-\u03ff\u0400-\u052f\u2010-\u2027\u2030-\u203a\u20ac]*$/;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;
const NO_WIDTH = /^[\p{Mark}\p{Format}]+$/u;

/**
 * The number of terminal columns that a text takes: two for East Asian characters and emoji, none for combining marks.
 *
 * @example terminalWidth('日本 é'); // 6
 */
export function terminalWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments(text)) width += graphemeWidth(segment);
  return width;
}

/**
 * Cuts a text to a width in terminal columns; a text that was cut ends in an ellipsis.
 *
 * @example cutToWidth('Will it rain?', 8); // 'Will it…'
 */
export function cutToWidth(text: string, width: number): string {
  if (terminalWidth(text) <= width) return text;
  if (NARROW_ONLY.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = '';
  let left = width - 1;
  for (const { segment } of segments(text)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

let segmenter: Intl.Segmenter | undefined;

function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
  if (EMOJI.test(grapheme)) return 2;
  if (NO_WIDTH.test(grapheme)) return 0;
  const code = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Characters that control a terminal, end a line, or change the direction of text. */
export const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A text without line breaks and control characters, which would break a table or control the terminal. */
export function oneLine(text: string): string {
  return withoutEscapes(text).replace(CONTROLS, ' ');
}
