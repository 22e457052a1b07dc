import type { TextVector } from '../vector/vector.js';
import { type CsvMarks, fieldKind, plainNumeral } from './csv-options.js';
import type { CsvCells } from './csv-scanner.js';

/** A column of text that looks like one of numbers. */
export interface UnreadNumbers {
  readonly name: string;
  /** A value that made the column text. */
  readonly example: string;
  /** The ways to have numbers. */
  readonly remedies: readonly Remedy[];
}

/** A way to have numbers. */
export interface Remedy {
  /** Options of `readCsv`, such as `decimal: ','`, or code where none does it. */
  readonly write: readonly string[] | string;
  /** What that makes of the example, as the end of a sentence. */
  readonly effect: string;
}

/** How the file was read. */
interface FileForm extends CsvMarks {
  readonly delimiter: string;
  readonly nullText: string;
}

/**
 * Looks whether a column that was read as text holds nothing but numbers: with other marks than those that are read,
 * behind a currency, before a %, in an accountant's parentheses, with signs or zeros that are not read, or with one other
 * word among them, such as NA.
 *
 * @returns Undefined if it does not, or if quotes mark plain numbers as text.
 */
export function unreadNumbers(
  name: string,
  vector: TextVector,
  cells: CsvCells,
  given: FileForm,
): UnreadNumbers | undefined {
  const other = onlyWord(vector.words);
  if (other === null) return undefined;
  const numbers = vector.words.filter((word) => word !== other);
  const example = numbers.find((word) => !isNumber(word, given));
  const missing = missingOption(vector, cells, other, given);
  const remedies =
    example === undefined
      ? missing && other !== undefined && [{ write: [missing], effect: 'reads it as missing' }]
      : numberRemedies({ name, words: numbers, other }, example, missing, given);
  if (!remedies || !isMostlyNumbers(vector, cells, other, given)) return undefined;
  return { name, example: example ?? other ?? '', remedies };
}

/**
 * Looks the same for a column of JSON lines, whose values are marked as text by nothing: it may mix numbers with decimal
 * text, too. Only code makes numbers of it.
 */
export function unreadJsonNumbers(name: string, vector: TextVector): UnreadNumbers | undefined {
  const other = onlyWord(vector.words);
  if (other === null || !isMostlyNumbers(vector, undefined, other, PLAIN)) return undefined;
  const numbers = vector.words.filter((word) => word !== other);
  const example = numbers.find((word) => !isNumber(word, PLAIN)) ?? other ?? numbers[0] ?? '';
  const code = codeRemedy({ name, words: numbers, other }, example, PLAIN);
  return code && { name, example, remedies: [code] };
}

/** How JSON is read. */
const PLAIN: FileForm = { decimal: '.', delimiter: '', nullText: '' };

/** The option by which another word is missing: empty if there is none, undefined if no option does it. */
function missingOption(
  { codes, words }: TextVector,
  cells: CsvCells,
  other: string | undefined,
  { nullText }: FileForm,
): string | undefined {
  if (other === undefined) return '';
  const code = words.indexOf(other);
  if (nullText !== '' || codes.some((each, row) => each === code && cells.isQuoted(row))) return undefined;
  return `nullText: '${other.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** A column's numbers as text, and the other word among them. */
interface Numbers {
  readonly name: string;
  readonly words: readonly string[];
  readonly other?: string | undefined;
}

/** What to write where no number has the marks that were read: options where they are enough, else code. */
function numberRemedies(
  numbers: Numbers,
  example: string,
  missing: string | undefined,
  given: FileForm,
): readonly Remedy[] | undefined {
  if (missing !== undefined) {
    const read = readingsOf(numbers.words, given).map(({ marks, written }) => {
      return { write: [...written, missing].filter(Boolean), effect: `reads it as ${numberIn(example, marks)}` };
    });
    if (read.length > 0) return read;
  }
  const code = codeRemedy(numbers, example, given);
  return code && [code];
}

/** Code that makes numbers of texts that are evident numbers, whatever their dress. */
function codeRemedy(numbers: Numbers, example: string, given: FileForm): Remedy | undefined {
  const { words } = numbers;
  const marks = marksOf(words, given, withoutDress) ?? (areEvident(words) ? marksOf(words, given, usual) : undefined);
  return marks && codeFor(numbers, example, marks);
}

/** The marks by which all texts are numbers, those that were read if they can be. */
function marksOf(words: readonly string[], given: FileForm, numeral: (text: string) => string): CsvMarks | undefined {
  const isGiven = words.every((word) => isNumber(numeral(word), given));
  return isGiven ? given : readingsOf(words, given, numeral)[0]?.marks;
}

/**
 * Code that makes a number of a text that a column of numbers refuses, such as `+12.50` or `12%`. Undefined if none does,
 * or if the text would be read with another mark, which is said by an option.
 */
export function codeForNumber(name: string, text: string, given: FileForm): Remedy | undefined {
  if (isNumber(text, given) || readingsOf([text], given).length > 0) return undefined;
  const marks = marksOf([text], given, usual);
  return marks && codeFor({ name, words: [text] }, text, marks);
}

/** The most columns that are told of one file. */
const MOST_TOLD = 5;

/**
 * Warns of columns that are text although they look like numbers.
 *
 * @param columns Whose columns they are, as the beginning of a sentence.
 * @param inWords What to write as whoever reads the file would write it. Default: as options of `readCsv`.
 */
export function tellUnreadNumbers(
  columns: string,
  unread: readonly UnreadNumbers[],
  inWords: (write: Remedy['write']) => string = asOptions,
): void {
  if (unread.length === 0) return;
  const told = unread.slice(0, MOST_TOLD).map(({ name, example, remedies }) => {
    const ways = remedies.map(({ write, effect }) => `${inWords(write)} ${effect}`);
    return `"${name}" has ${JSON.stringify(example)}: ${ways.join(', ')}.`;
  });
  const more = unread.length > MOST_TOLD ? ` So do ${unread.length - MOST_TOLD} more.` : '';
  process.emitWarning(`${columns} are text, but look like numbers. ${told.join(' ')}${more}`, 'OddslabWarning');
}

/** What to write as options of `readCsv`; code as it is. */
export function asOptions(write: Remedy['write']): string {
  return typeof write === 'string' ? write : `{ ${write.join(', ')} }`;
}

/** The only word without a digit, undefined if there is none, or null if there are several. */
function onlyWord(words: readonly string[]): string | null | undefined {
  let only: string | undefined;
  for (const word of words) {
    if (/\d/.test(word)) continue;
    if (only !== undefined) return null;
    only = word;
  }
  return only;
}

/** Whether more rows hold numbers than another word, and none a plain number that is marked as text. */
function isMostlyNumbers(
  { codes, words }: TextVector,
  cells: CsvCells | undefined,
  other: string | undefined,
  marks: CsvMarks,
): boolean {
  const isPlain = words.map((word) => isNumber(word, marks));
  let [numbers, others] = [0, 0];
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] as number;
    if (code < 0) continue;
    // The tab is the one of `ids: 'text'`.
    if (words[code]?.startsWith('\t') || (isPlain[code] && cells?.isText(row))) return false;
    if (words[code] === other) others += 1;
    else numbers += 1;
  }
  return numbers > others;
}

/** Marks of numbers, and the options that say them. */
interface Reading {
  readonly marks: CsvMarks;
  readonly written: readonly string[];
}

/** The other ways to read the marks of numbers that fit all texts: another mark between thousands, or before decimals. */
function readingsOf(
  texts: readonly string[],
  { decimal, delimiter }: FileForm,
  numeral: (text: string) => string = (text) => text,
): Reading[] {
  const other = decimal === '.' ? ',' : '.';
  // A comma before decimals is taken for no delimiter unless that is said.
  const turned = [`decimal: '${other}'`, ...(other === ',' && delimiter === ',' ? [`delimiter: ','`] : [])];
  const grouped = { marks: { decimal, thousands: other }, written: [`thousands: '${other}'`] } as const;
  const swapped = { marks: { decimal: other }, written: turned } as const;
  const both = {
    marks: { decimal: other, thousands: decimal },
    written: [...turned, `thousands: '${decimal}'`],
  } as const;
  const fits = ({ marks }: Reading) => texts.every((text) => isNumber(numeral(text), marks));
  return [grouped, fits(swapped) ? swapped : both].filter(fits);
}

/**
 * Whether texts that are numbers but for a plus, a true minus, leading zeros, or a point without digits on one side are
 * evident numbers, and no ids, phone numbers, ranks or times.
 *
 * - Decimals or marks between thousands are evident: `+12.50`, `.5`, `007.5`. But texts with leading zeros that are all
 *   of one length are rather times, days or codes: `09.30`, `0101.21`. They sort alike either way.
 * - Without any, `007` and `00501` are ids, and `+4930123456` is a phone number. Evident are only those without leading
 *   zeros that have a true minus, both signs, or a currency or %: `−5`, `+5` and `-3`, `+5%`. `+0100` and `-0500` are
 *   offsets from UTC, `5.` is a rank.
 */
function areEvident(words: readonly string[]): boolean {
  const some = (form: RegExp) => words.some((word) => form.test(word));
  const isPadded = some(/^\D*0\d/);
  if (some(/[.,]\d/)) return !isPadded || words.length === 1 || new Set(words.map(({ length }) => length)).size > 1;
  return !isPadded && (some(/[−\p{Sc}%]/u) || (some(/\+/) && some(/[-(]/)));
}

function isNumber(text: string, marks: CsvMarks): boolean {
  return fieldKind(plainNumeral(text, marks)) === 'number';
}

function numberIn(text: string, marks: CsvMarks): number {
  return Number(plainNumeral(text, marks));
}

/** A number without the currency, the % or the parentheses around it, and without spaces between its thousands. */
function withoutDress(text: string): string {
  if (/\(.*[-+−]|[^\d.,(\-+−\s\p{Sc}%'’)]/u.test(text)) return text;
  const bare = text.replace(/^[\s\p{Sc}(]*([-+−]?)[\s\p{Sc}]*/u, '$1').replace(/[\s\p{Sc}%)]*$/u, '');
  return /^[-+−]?\d{1,3}(?:[\s'’]\d{3})+(?!\d)/.test(bare) ? bare.replaceAll(/[\s'’]/g, '') : bare;
}

/** A number without its dress, a plus and leading zeros, with a hyphen for a true minus and digits around its point. */
function usual(text: string): string {
  return withoutDress(text)
    .replace(/^[+−](?=[\d.,])/, (sign) => (sign === '+' ? '' : '-'))
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)(?=[.,]\d)/, '$10')
    .replace(/(\d)[.,]$/, '$1');
}

/** Code that makes numbers of such a column, and what it makes of an example. */
function codeFor({ name, words, other }: Numbers, example: string, { decimal, thousands }: CsvMarks): Remedy {
  // What Number reads stays: signs and exponents, too.
  const marks = new Set(words.flatMap((word) => Array.from(word.replaceAll(/[\d.,(\-+−eE]/g, ''))));
  const visible = [...marks].filter((mark) => !/\s/.test(mark));
  const dropped = [...visible, thousands ?? '', visible.length < marks.size ? '\\s' : ''].join('');
  const replaced: (readonly [from: string, to: string])[] = [];
  for (const minus of ['(', '−']) if (words.some((word) => word.includes(minus))) replaced.push([minus, '-']);
  if (decimal === ',') replaced.push([',', '.']);
  const drops = dropped === '' ? '' : `.replace(/[${dropped}]/g, '')`;
  const calls = drops + replaced.map(([from, to]) => `.replace('${from}', '${to}')`).join('');
  const isIdentifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);
  const [field, cell] = isIdentifier ? [name, `row.${name}`] : [JSON.stringify(name), `row[${JSON.stringify(name)}]`];
  const bare = (text: string) => (dropped === '' ? text : text.replace(new RegExp(`[${dropped}]`, 'gu'), ''));
  // Number would make 0 of nothing.
  const read = other !== undefined && bare(other).trim() === '' ? parseFloat : Number;
  const value = read(replaced.reduce((text, [from, to]) => text.replace(from, to), bare(example)));
  const write = `withColumns(frame, { ${field}: (row) => ${read.name}(String(${cell})${calls}) })`;
  return { write, effect: Number.isNaN(value) ? 'makes it missing' : `makes ${value} of it` };
}
