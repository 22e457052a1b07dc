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
const MARGIN = 1.04;

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
  return (thousandths / 1000) * fontSize * MARGIN;
}
