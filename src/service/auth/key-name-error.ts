/** The longest name of a key, in characters. */
export const MAX_NAME = 60;

/** What is wrong with the name of a key; undefined where nothing is. */
export function keyNameError(name: string): string | undefined {
  if (name === '') return 'Give the key a name.';
  if ([...name].length > MAX_NAME) return `A name has at most ${MAX_NAME} characters.`;
  // Control and direction characters could make a listing in a terminal or a page say something else.
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(name) ? 'A name has no control characters.' : undefined;
}
