import { InputError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import type { Dtype } from '../../contract/definition.js';
import { toIsoTime } from './iso-time.js';
import { TextCollector, usedWords } from './text-vector.js';
import type { TextVector, Vector } from './vector.js';

/**
 * How the text of a column writes moments: as days, or as times with a number of digits of a second. `shortest` has as
 * few as the value needs (none, three or six); `nanos` is the same, but has nine if needed.
 */
export type MomentForm = 'day' | 'shortest' | 'millis' | 'micros' | 'nanos';

const MICROS = 1_000_000n;
/** Stands for an infinite time, as in databases; its negative for minus infinity. */
export const INFINITE_MICROS = 2n ** 63n - 1n;
const PATTERN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.(\d{3}|\d{6}|\d{9}))?Z)?$/;
/** The range in which databases hold nanoseconds: from the first whole day, 22 September 1677, to 11 April 2262. */
const NANOS = [-9_223_286_400n * 10n ** 9n, 2n ** 63n - 2n] as const;

/** Moments as numbers, and the form of their text. */
export interface Moments {
  readonly form: MomentForm;
  /** Index of each row's moment in `values`; -1 if it is missing. */
  readonly codes: Int32Array;
  /** The moments in microseconds since 1970, or in nanoseconds if the form is `nanos`. */
  readonly values: BigInt64Array;
}

/**
 * Text of ISO 8601 moments in UTC as microseconds, or as nanoseconds where one has nine digits of a second.
 *
 * @param dtype Of a `datetime` column the moments count: where days and times mix, days come back as their midnight. Of
 * any other the text does, which has to be there.
 * @returns Undefined where some text is no moment, has more than nine digits of a second, or has nine and another lies
 * outside the years 1677 to 2262; unless it is a `datetime`, also where it would not come back as the very same text.
 */
export function momentsOf(vector: TextVector, dtype: Dtype): Moments | undefined {
  const { codes, words } = usedWords(vector);
  const same = words.length === 0 ? undefined : sameText(words);
  const moments = same ?? (dtype === 'datetime' ? sameMoments(words) : undefined);
  return moments && { codes, ...moments };
}

type Counted = Pick<Moments, 'form' | 'values'>;

function sameText(words: readonly string[]): Counted | undefined {
  const values = countsOf(words, 6);
  if (values === undefined) return undefined;
  const forms: readonly MomentForm[] = words.every(isDay) ? ['day'] : ['shortest', 'millis', 'micros'];
  const form = forms.find((each) => words.every((word, code) => textOfMoment(itemAt(values, code), each) === word));
  return form && { form, values };
}

function sameMoments(words: readonly string[]): Counted | undefined {
  const times = words.map((word) => toIsoTime(word) ?? '');
  const micros = countsOf(times, 6);
  if (micros) return { form: 'shortest', values: micros };
  const nanos = countsOf(times, 9);
  return nanos && { form: 'nanos', values: nanos };
}

function isDay(text: string): boolean {
  return text.length === 'YYYY-MM-DD'.length;
}

/** The moments since 1970 in units of 10⁻ᵈ seconds, d being `digits`; undefined if one cannot be expressed. */
function countsOf(words: readonly string[], digits: 6 | 9): BigInt64Array | undefined {
  const counts = new BigInt64Array(words.length);
  for (const [code, word] of words.entries()) {
    const count = countOf(word, digits);
    if (count === undefined || (digits === 9 && (count < NANOS[0] || count > NANOS[1]))) return undefined;
    counts[code] = count;
  }
  return counts;
}

function countOf(text: string, digits: number): bigint | undefined {
  const match = PATTERN.exec(text);
  const fraction = match?.[1] ?? '';
  if (!match || fraction.length > digits) return undefined;
  const seconds = Date.parse(fraction === '' ? text : text.replace(`.${fraction}`, '')) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return BigInt(seconds) * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, '0'));
}

/**
 * The ISO 8601 text of a moment in UTC, without loss: if the form has too few digits, it gets as many as it needs.
 * {@link INFINITE_MICROS} and its negative become `infinity` and `-infinity`.
 *
 * @param micros Microseconds since 1970.
 * @throws {InputError} If the moment is outside the years that text can express.
 * @example textOfMoment(1762300800000000n, 'shortest'); // '2025-11-05T00:00:00Z'
 */
export function textOfMoment(micros: bigint, form: MomentForm): string {
  if (micros === INFINITE_MICROS) return 'infinity';
  if (micros === -INFINITE_MICROS) return '-infinity';
  const rest = ((micros % MICROS) + MICROS) % MICROS;
  const time = new Date(Number((micros - rest) / 1000n));
  if (Number.isNaN(time.getTime())) throw new InputError(`A time of ${micros} microseconds since 1970 has no date.`);
  const text = time.toISOString();
  if (form === 'day' && rest === 0n && text.endsWith('T00:00:00.000Z')) return text.slice(0, text.indexOf('T'));
  return text.replace('.000Z', `${fractionOf(rest, form)}Z`);
}

/** Whether a text of moments holds one that no `datetime` can be: an infinite one, or a year without four digits. */
export function isBeyondIso(vector: Vector): boolean {
  return vector.kind === 'text' && vector.words.some((word) => !/^\d{4}-/.test(word));
}

function fractionOf(rest: bigint, form: MomentForm): string {
  const digits = String(rest).padStart(6, '0');
  if (rest === 0n && form !== 'millis' && form !== 'micros') return '';
  return `.${form !== 'micros' && digits.endsWith('000') ? digits.slice(0, 3) : digits}`;
}

/** Builds a text vector from moments in microseconds since 1970, given one after another. */
export function momentCollector(rows: number, form: MomentForm): TextCollector<bigint> {
  return new TextCollector<bigint>(rows, (micros) => textOfMoment(micros, form));
}
