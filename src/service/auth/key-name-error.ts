/** The longest name of a key, in characters. */
export const MAX_NAME = 60;

/** What is wrong with the name of a key; undefined if nothing is. */
export function keyNameError(name: string): string | undefined {
  if (name === '') return 'Give the key a name.';
  if ([...name].length > MAX_NAME) return `A name has at most ${MAX_NAME} characters.`;
  return HIDDEN.test(name) ? 'A name has no control characters.' : undefined;
}

/**
 * Control and direction characters, which could falsify a listing in a terminal or on a page. The two joiners are
 * allowed after what they join: emoji are made with one, and Persian is written with the other.
 */
const HIDDEN = /[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}]|(?<![\p{L}\p{M}\p{N}\p{S}])[\u200c\u200d]/u;
