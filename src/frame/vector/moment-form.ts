import { InputError } from '../../base/errors.js';
import { itemAt } from '../../base/item-at.js';
import type { Dtype } from '../../contract/definition.js';
import { toIsoTime } from './iso-time.js';
import { isDay, microsOf, nanosOf } from './moment-count.js';
import { heldWords, TextCollector } from './text-vector.js';
import type { TextVector, Vector } from './vector.js';

/**
 * How the text of a column writes moments: as days, or as times with a number of digits of a second. `shortest` has as
 * few as the value needs (none, three or six); `nanos` is the same, but has nine if needed.
 */
export type MomentForm = 'day' | 'shortest' | 'millis' | 'micros' | 'nanos';

const MICROS = 1_000_000n;
const MILLIS_LENGTH = 'YYYY-MM-DDTHH:MM:SS.fffZ'.length;
const MICROS_LENGTH = 'YYYY-MM-DDTHH:MM:SS.ffffffZ'.length;
/** Stands for an infinite time, as in databases; its negative for minus infinity. */
export const INFINITE_MICROS = 2n ** 63n - 1n;

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
  const first = vector.codes.find((code) => code >= 0);
  if (first !== undefined && toIsoTime(itemAt(vector.words, first)) === undefined) return undefined;
  const { codes, words } = heldWords(vector);
  const same = words.length === 0 ? undefined : sameText(words);
  const moments = same ?? (dtype === 'datetime' ? sameMoments(words) : undefined);
  return moments && { codes, ...moments };
}

type Counted = Pick<Moments, 'form' | 'values'>;

/** Whether a time is what {@link textOfMoment} writes by a form. */
const WRITTEN_AS: readonly (readonly [MomentForm, (time: string) => boolean])[] = [
  ['shortest', (time) => !time.endsWith('000Z')],
  ['millis', (time) => time.length === MILLIS_LENGTH || (time.length === MICROS_LENGTH && !time.endsWith('000Z'))],
  ['micros', (time) => time.length === MICROS_LENGTH],
];

function sameText(words: readonly string[]): Counted | undefined {
  const values = microsOf(words);
  if (values === undefined) return undefined;
  if (words.every(isDay)) return { form: 'day', values };
  if (words.some(isDay)) return undefined;
  const [form] = WRITTEN_AS.find(([, isWritten]) => words.every(isWritten)) ?? [];
  return form && { form, values };
}

function sameMoments(words: readonly string[]): Counted | undefined {
  const times = words.map((word) => toIsoTime(word) ?? '');
  const micros = microsOf(times);
  if (micros) return { form: 'shortest', values: micros };
  const nanos = nanosOf(times);
  return nanos && { form: 'nanos', values: nanos };
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
