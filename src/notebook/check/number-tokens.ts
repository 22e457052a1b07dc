/** A number within a text. */
export interface NumberToken {
  /** The number as it is written. */
  text: string;
  value: number;
  /** Whether it has neither a fraction nor an exponent. */
  isWhole: boolean;
}

/** A text split into its numbers and what surrounds them. */
export interface TokenizedText {
  /** The text with a mark in place of each number. */
  skeleton: string;
  numbers: NumberToken[];
}

/** Placeholder for a number: a private-use character that no shown text holds. */
const MARK = '\u{f0000}';

const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?' +
  '|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';

/** `12/day`, `1e-5/day`, `12ms/op`. */
const RATE = String.raw`\d+(?:[eE][+-]?\d+)?(?:[kKMB]|bn|[nuµm]?s|min|[hd])?/[A-Za-z]`;
/** `AB/1e-9`. */
const EXPONENT_LAST = String.raw`(?:\w+[-/])*\w+/\d+[eE]-\d+(?![-/\w])`;

/** What never counts as a number: dates, times of day, versions, addresses, and ids of any kind. */
const EXACT = [
  String.raw`0[xX][\da-fA-F]+`,
  String.raw`\b[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\b`,
  String.raw`\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?`,
  String.raw`(?<![\w.,])(?:${DAY}\.? )?${MONTH}\b\.?(?: ${DAY})?(?:,? (?:19|20)\d\d)?(?!\w|[.,]\d)`,
  String.raw`\d+(?:[-/]\d+){2,}(?!\d|\.\d)`,
  String.raw`\d+:\d\d(?::\d\d)?(?:\.\d+)?`,
  String.raw`\d+(?:\.\d+){2,}`,
  // Words joined by hyphens and slashes, as in a market's slug.
  String.raw`(?<![\w.]|\w[-/])(?!${RATE}|${EXPONENT_LAST})(?=(?:\w+[-/])*\w*[A-Za-z]{2})\w+(?:[-/]\w+)+(?!\w|\.\d)`,
  String.raw`(?<!\w)[A-Za-z_]\w*[A-Za-z_]\d+(?!\d|\.\d)`,
].join('|');

// A comma without a space after it separates items of a list.
const GROUPED = String.raw`(?<![\w.,["'])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w\]]|,\S|\.\d)`;
const PLAIN = String.raw`(?:(?<![\w.)\]])-)?(?:\d+(?:\.\d+)?|(?<![\w.])\.\d+)(?:[eE][+-]?\d+(?!\w))?`;

const WITH_GROUPS = new RegExp(`(${EXACT})|${GROUPED}|${PLAIN}`, 'g');
const WITHOUT_GROUPS = new RegExp(`(${EXACT})|${PLAIN}`, 'g');

/**
 * Finds the numbers in a text. What only looks like a number stays in the skeleton: dates, times, versions, hexadecimal
 * ids, digits joined to a word, and whole numbers with more than 15 digits or leading zeros, which are ids.
 *
 * @param options.grouped Whether `1,234` is one number; in SVG and JSON a comma separates two.
 */
export function tokenizeNumbers(text: string, { grouped }: { grouped: boolean }): TokenizedText {
  const numbers: NumberToken[] = [];
  const skeleton = text.replace(grouped ? WITH_GROUPS : WITHOUT_GROUPS, (match: string, exact?: string) => {
    const number = exact === undefined ? numberOf(match) : undefined;
    if (!number) return match;
    numbers.push(number);
    return MARK;
  });
  return { skeleton, numbers };
}

function numberOf(text: string): NumberToken | undefined {
  const digits = text.replaceAll(',', '');
  const isWhole = /^-?\d+$/.test(digits);
  if (isWhole && (/^-?0\d/.test(digits) || digits.replace('-', '').length > 15)) return undefined;
  const value = Number(digits);
  return Number.isFinite(value) ? { text, value, isWhole } : undefined;
}
