const SHORT_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const SCIENTIFIC = /^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d{1,3}$/;
const BOOLEAN = /^(?:true|false|True|False|TRUE|FALSE)$/;
/** A double can print any decimal of up to 15 digits again. */
const MAX_DIGITS = 15;
/** The smallest double with full precision. */
const LEAST_EXACT = 2 ** -1022;
/** The most digits that `toExponential` accepts. */
const MOST_DIGITS = 100;

/**
 * The type of a field without quotes. `number`: a decimal of up to 15 digits, or any number as printed from a double,
 * also with an exponent; `long`: an integer of more digits, which is rather an id; `boolean`; `text`: everything else.
 */
export type FieldKind = 'number' | 'long' | 'boolean' | 'text';

/** The type of a single field without quotes; the type of a column depends on all its fields. */
export function fieldKind(text: string): FieldKind {
  const first = text.charCodeAt(0);
  // Only digits and the minus sign begin a number, so most text needs no regular expression.
  if (first !== 45 && (first < 48 || first > 57)) {
    if (text === 'Infinity') return 'number';
    return text.length < 6 && BOOLEAN.test(text) ? 'boolean' : 'text';
  }
  if (SHORT_DECIMAL.test(text)) {
    if (digitsOf(text) <= MAX_DIGITS) return 'number';
    if (!text.includes('.')) return String(Number(text)) === text ? 'long' : 'text';
    return String(Number(text)) === text ? 'number' : 'text';
  }
  return text === '-Infinity' || isScientific(text) ? 'number' : 'text';
}

/** Whether a text is a number with an exponent whose digits are those of its double, in full or rounded to as many. */
function isScientific(text: string): boolean {
  if (!SCIENTIFIC.test(text)) return false;
  const digits = significant(text);
  const value = Number(text);
  const size = Math.abs(value);
  if (digits.length <= MAX_DIGITS && size >= LEAST_EXACT && size <= Number.MAX_VALUE) return true;
  const held = (places?: number) => significant(value.toExponential(places));
  // The two ways of printing may round ties differently.
  return (digits.length <= MOST_DIGITS && digits === held(Math.max(0, digits.length - 1))) || digits === held();
}

/** The digits of a number with an exponent, from the first that is not 0. */
function significant(scientific: string): string {
  const digits = scientific.slice(0, scientific.search(/e/i)).replace('-', '').replace('.', '');
  return digits.startsWith('0') ? digits.replace(/^0+/, '') : digits;
}

function digitsOf(text: string): number {
  return text.length - (text.startsWith('-') ? 1 : 0) - (text.includes('.') ? 1 : 0);
}
