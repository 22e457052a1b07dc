const SHORT_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const SCIENTIFIC = /^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d{1,3}$/;
const BOOLEAN = /^(?:true|false|True|False|TRUE|FALSE)$/;
/** A double holds any decimal of so many digits exactly enough to print it again. */
const MAX_DIGITS = 15;
/** Doubles below it have fewer digits. */
const LEAST_EXACT = 2 ** -1022;
/** What `toExponential` takes; nobody prints more. */
const MOST_DIGITS = 100;

/**
 * What a field without quotes says: `number` a decimal of up to 15 digits, or any number as it is printed from a
 * double, also with an exponent; `long` an integer of more digits, which is rather an id; everything else is text.
 */
export type FieldKind = 'number' | 'long' | 'boolean' | 'text';

/** Tells what a field without quotes says by itself; in a column, all of its fields decide. */
export function fieldKind(text: string): FieldKind {
  const first = text.charCodeAt(0);
  // Digits and the minus sign alone begin a number; everything else is told apart without an expression.
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

/** Whether a text is a number with an exponent that has the digits of its double, all or as many as it has. */
function isScientific(text: string): boolean {
  if (!SCIENTIFIC.test(text)) return false;
  const digits = significant(text);
  const value = Number(text);
  const size = Math.abs(value);
  if (digits.length <= MAX_DIGITS && size >= LEAST_EXACT && size <= Number.MAX_VALUE) return true;
  const held = (places?: number) => significant(value.toExponential(places));
  // Between two that are as near, the two ways choose differently.
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
