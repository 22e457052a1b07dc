import { InputError } from '../../errors.js';
import { usedWords } from '../vector/used-words.js';
import type { TextVector } from '../vector/vector.js';

/**
 * How the text of a column says moments: as days alone, or as times with so many digits of a second, `shortest` as few
 * as the value needs (none, three or six).
 */
export type MomentForm = 'day' | 'shortest' | 'millis' | 'micros';

const MICROS = 1_000_000n;
/** Stands for an infinite time, as in databases; its negative for that before all others. */
export const INFINITE_MICROS = 2n ** 63n - 1n;
const PATTERN = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.(\d{3}|\d{6}))?Z)?$/;

/** Moments as microseconds since 1970, and the form from which their very text comes back. */
export interface Moments {
  readonly form: MomentForm;
  /** Which of the moments each row has; -1 where it is missing. */
  readonly codes: Int32Array;
  readonly micros: BigInt64Array;
}

/**
 * Text of ISO 8601 moments in UTC as microseconds.
 *
 * @returns Undefined where some text is no moment, or would not come back as the very same text.
 */
export function momentsOf(vector: TextVector): Moments | undefined {
  const { codes, words } = usedWords(vector);
  const byWord = new BigInt64Array(words.length);
  for (const [code, word] of words.entries()) {
    const micros = microsOfText(word);
    if (micros === undefined) return undefined;
    byWord[code] = micros;
  }
  const forms: readonly MomentForm[] = words.every(isDay) ? ['day'] : ['shortest', 'millis', 'micros'];
  const form = forms.find((each) => words.every((word, code) => textOfMoment(byWord[code] ?? 0n, each) === word));
  if (form === undefined) return undefined;
  return { form, codes, micros: byWord };
}

function isDay(text: string): boolean {
  return text.length === 'YYYY-MM-DD'.length;
}

function microsOfText(text: string): bigint | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const fraction = match[1] ?? '';
  const seconds = Date.parse(fraction === '' ? text : text.replace(`.${fraction}`, '')) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return BigInt(seconds) * MICROS + BigInt(fraction.padEnd(6, '0'));
}

/**
 * ISO 8601 text in UTC of a moment, without loss: one that the form is too short for gets the digits that it needs;
 * `infinity` and `-infinity` for {@link INFINITE_MICROS} and its negative.
 *
 * @param micros Microseconds since 1970.
 * @throws {InputError} If the moment lies outside the years that text can say.
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

function fractionOf(rest: bigint, form: MomentForm): string {
  const digits = String(rest).padStart(6, '0');
  if (rest === 0n && (form === 'shortest' || form === 'day')) return '';
  return `.${form !== 'micros' && digits.endsWith('000') ? digits.slice(0, 3) : digits}`;
}
