import { textWidth } from './text-width.js';

/** Characters that a picture cannot hold as text or that would break its lines. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu;

/** Invisible characters that change the reading direction of the text after them. */
export const BIDI_CONTROLS = /\p{Bidi_Control}+/gu;

/** The most lines of a text; the last one ends in an ellipsis if there would be more. */
const MOST_LINES = 3;

/**
 * Breaks a text at spaces into lines that fit a width; a word too long for a line is cut.
 *
 * @param width In pixels.
 * @param fontSize In pixels.
 */
export function wrappedText(text: string, width: number, fontSize: number): string[] {
  const lines: string[] = [];
  for (const word of text.replace(BIDI_CONTROLS, '').replace(UNSEEN, ' ').split(' ').filter(Boolean)) {
    const line = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(line, fontSize) <= width) lines[lines.length - 1] = line;
    else lines.push(fitted(word, width, fontSize));
  }
  if (lines.length <= MOST_LINES) return lines;
  const last = `${lines[MOST_LINES - 1]} ${lines[MOST_LINES]}`;
  return [...lines.slice(0, MOST_LINES - 1), fitted(`${last}…`, width, fontSize)];
}

/** A text cut to fit a width, with an ellipsis if anything was cut off. */
export function fitted(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, fontSize) > width) characters.pop();
  return `${characters.join('')}…`;
}
