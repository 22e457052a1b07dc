const ASCII = /^[\0-\x7f]*$/;

/** Letters too new in Unicode: DuckDB leaves them as they are, Node may not. */
const TOO_NEW = /[\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u;

/**
 * Text in lower case as DuckDB's `lower()` gives it, which searches of markets rely on: each letter becomes one letter,
 * whatever its neighbours are. JavaScript's `toLowerCase` makes two letters of `İ`, and a different one of a `Σ` that
 * ends a word.
 *
 * @example lowerCase('İΣ'); // 'iσ'
 */
export function lowerCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.replace(/[^\0-\x7f]|[A-Z]/gu, lowerLetter);
}

function lowerLetter(letter: string): string {
  if (TOO_NEW.test(letter)) return letter;
  return String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0);
}
