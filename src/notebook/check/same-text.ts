/** How far apart two numbers may be and still count as equal. */
export interface Tolerance {
  /** Largest distance as a share of the larger number, such as 0.01 for one percent. */
  relative: number;
  /** Largest distance from 0 where the other number is 0, to allow for rounding errors of sums. */
  aroundZero: number;
  /** Whether whole numbers may differ too; otherwise they count as counts and must be equal. */
  wholes: boolean;
}

/** How two texts are compared. */
export interface TextRule {
  tolerance: Tolerance;
  /** Whether `1,234` is one number. */
  grouped: boolean;
}

/** Two numbers at the same place of two texts. */
export interface NumberPair {
  stored: NumberToken;
  now: NumberToken;
}

/**
 * Whether two texts are equal but for numbers that are close enough. Where such a number has grown longer or shorter,
 * the padding and rules of a table around it may differ in length.
 */
export function sameText(stored: string, now: string, rule: TextRule): boolean {
  if (stored === now) return true;
  const pair = tokenized(stored, now, rule);
  if (!pair || pair.apart.length > 0) return false;
  return pair.sameSkeleton || (pair.isRespelled && pair.sameLayout);
}

/**
 * Makes a function that tells whether two lines are equal but for close numbers and the width of the spaces between
 * words. It splits each line only once, however many others the line is compared with.
 */
export function lineComparison(rule: TextRule): (stored: string, now: string) => boolean {
  const taken = new Map<string, { numbers: NumberToken[]; layout: string }>();
  const takenApart = (line: string) => {
    const known = taken.get(line);
    if (known) return known;
    const { numbers, skeleton } = tokenizeNumbers(line, rule);
    const fresh = { numbers, layout: layoutOf(skeleton) };
    taken.set(line, fresh);
    return fresh;
  };
  return (stored, now) => {
    if (stored === now) return true;
    const [before, after] = [takenApart(stored), takenApart(now)];
    if (before.layout !== after.layout) return false;
    return before.numbers.every((number, index) => {
      const other = after.numbers[index];
      return other === undefined || isClose({ stored: number, now: other }, rule.tolerance);
    });
  };
}

/** The numbers that differ too much between two lines that are otherwise equal; empty where their words differ too. */
export function numbersApart(stored: string, now: string, rule: TextRule): NumberPair[] {
  const pair = tokenized(stored, now, rule);
  return pair?.sameLayout ? pair.apart : [];
}

/** Compares two texts by their numbers and what surrounds them. Undefined if their counts of numbers differ. */
function tokenized(stored: string, now: string, { tolerance, grouped }: TextRule) {
  const [before, after] = [tokenizeNumbers(stored, { grouped }), tokenizeNumbers(now, { grouped })];
  if (before.numbers.length !== after.numbers.length) return undefined;
  const pairs = before.numbers.flatMap((number, index) => {
    const other = after.numbers[index];
    return other && other.text !== number.text ? [{ stored: number, now: other }] : [];
  });
  return {
    sameSkeleton: before.skeleton === after.skeleton,
    sameLayout: layoutOf(before.skeleton) === layoutOf(after.skeleton),
    isRespelled: pairs.some((pair) => pair.stored.text.length !== pair.now.text.length),
    apart: pairs.filter((pair) => !isClose(pair, tolerance)),
  };
}

function isClose({ stored, now }: NumberPair, { relative, aroundZero, wholes }: Tolerance): boolean {
  const distance = Math.abs(stored.value - now.value);
  if (distance === 0) return true;
  if (stored.isWhole && now.isWhole && !wholes) return false;
  const larger = Math.max(Math.abs(stored.value), Math.abs(now.value));
  const isOneZero = stored.value === 0 || now.value === 0;
  return distance <= relative * larger || (isOneZero && larger <= aroundZero);
}

/** A text with each run of spaces, and each ruled line, shortened to one character. */
function layoutOf(skeleton: string): string {
  return skeleton.replace(/[ \t]+/g, ' ').replace(/([-─━═=_])\1+/g, '$1');
}

/** A number within a text. */
interface NumberToken {
  /** The number as it is written. */
  text: string;
  value: number;
  /** Whether it has neither a fraction nor an exponent. */
  isWhole: boolean;
}

/** What replaces a number in the skeleton: a private-use character that no shown text holds. */
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
 */
function tokenizeNumbers(text: string, { grouped }: { grouped: boolean }) {
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
