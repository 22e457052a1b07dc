/** The title as text; undefined if there is none, or none that is known before the chart is drawn. */
export function titleOf({ title }: { readonly title?: unknown }): string | undefined {
  const isPlain = typeof title === 'string' || Array.isArray(title);
  const text: unknown = isPlain ? title : Reflect.get(Object(title), 'text');
  const lines = [text].flat().filter((line) => typeof line === 'string' && line !== '');
  return lines.length > 0 ? lines.join(' ') : undefined;
}

/** Characters that a picture cannot hold as text or that would break its lines. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu;

/** Invisible characters that change the reading direction of the text after them. */
export const BIDI_CONTROLS = /\p{Bidi_Control}+/gu;

/** The most lines of a text, where none are given. */
const MOST_LINES = 3;

/**
 * Breaks a text at spaces into lines that fit a width; a word too long for a line is cut.
 *
 * @param width In pixels.
 * @param fontSize In pixels.
 * @param most The most lines; the last one ends in an ellipsis if there would be more.
 */
export function wrappedText(text: string, width: number, fontSize: number, most = MOST_LINES): string[] {
  const lines: string[] = [];
  for (const word of text.replace(BIDI_CONTROLS, '').replace(UNSEEN, ' ').split(' ').filter(Boolean)) {
    const line = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(line, fontSize) <= width) lines[lines.length - 1] = line;
    else lines.push(fitted(word, width, fontSize));
  }
  if (lines.length <= most) return lines;
  const last = `${lines[most - 1]} ${lines[most]}`;
  return [...lines.slice(0, most - 1), fitted(`${last}…`, width, fontSize)];
}

/** A text cut to fit a width, with an ellipsis if anything was cut off. */
function fitted(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, fontSize) > width) characters.pop();
  return `${characters.join('')}…`;
}

/** Widths of characters in thousandths of the font size, in Helvetica and similar faces; all others take 600. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["ijl'|", 222],
  [' .,:;!/\\ftI[]()-r·', 310],
  ['"*°', 380],
  ['ckvxyzsJ', 505],
  ['abdeghnopqu0123456789$?_–+=<>−', 570],
  ['FTZLABEKPSVXY&', 670],
  ['CDHNRUw', 725],
  ['GOQ', 780],
  ['mM%', 860],
  ['W@—…', 1000],
];

const WIDTH_OF = new Map(WIDTHS.flatMap(([characters, width]) => [...characters].map((one) => [one, width] as const)));

/** A safety factor: a viewer's sans-serif may run wider. */
const WIDTH_MARGIN = 1.04;

/** Approximate factor by which bold text is wider. */
export const BOLD = 1.1;

/**
 * The approximate width of a text in pixels: there is no screen to measure it on.
 *
 * @param fontSize In pixels.
 */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0;
  for (const character of text) thousandths += WIDTH_OF.get(character) ?? 600;
  return (thousandths / 1000) * fontSize * WIDTH_MARGIN;
}
