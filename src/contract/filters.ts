import { MICRO, microsOf } from '../base/decimal.js';
import { nearest } from '../base/nearest.js';
import type { Dataset } from './dataset.js';
import type { Parameter, ParameterKind, ParsedOf } from './definition.js';
import type { ProblemDetail } from './envelope.js';
import { dayOfDate, FIRST_SECOND, GRANULARITIES, type Granularity, isUnixSecond, LAST_SECOND } from './time.js';

/** Filters as read: the values to work with, the text to echo, and what is wrong with them. */
interface ReadFilters {
  values: Record<string, unknown>;
  echo: Record<string, string>;
  errors: ProblemDetail[];
}

/**
 * Reads a request's `params` by the parameters of its dataset. It applies defaults, keeps the text to echo, and reports
 * every unknown, missing or malformed filter. Null and empty text count as omitted. So do spaces alone, except in a
 * filter of the kind `text`.
 */
export function readFilters(dataset: Dataset, params: Readonly<Record<string, unknown>>): ReadFilters {
  const read: ReadFilters = { values: {}, echo: {}, errors: [] };
  for (const name of Object.keys(params)) {
    if (!dataset.parameters.some((parameter) => parameter.name === name)) {
      read.errors.push({ pointer: pointer(name), detail: unknownParameter(dataset, name) });
    }
  }
  for (const parameter of dataset.parameters) {
    const sent = Object.hasOwn(params, parameter.name) ? params[parameter.name] : undefined;
    const given = isBlank(parameter, sent) ? undefined : sent;
    const value = given ?? parameter.default;
    if (value === undefined) {
      if (parameter.required) read.errors.push({ pointer: pointer(parameter.name), detail: 'is required' });
      continue;
    }
    if (isWildcard(parameter, value)) {
      read.echo[parameter.name] = parameter.wildcard ?? '';
      continue;
    }
    const parsed = readParameter(parameter.kind, value, parameter.choices);
    if (parsed instanceof Unreadable) {
      read.errors.push({ pointer: pointer(parameter.name), detail: parsed.detail });
    } else {
      read.values[parameter.name] = parsed;
      read.echo[parameter.name] = echoOf(parameter, value, parsed);
    }
  }
  return read;
}

function isBlank({ kind }: Parameter, sent: unknown): boolean {
  return typeof sent === 'string' && (kind === 'text' ? sent : sent.trim()) === '';
}

/**
 * Whether a value is the wildcard of its filter, which then does not narrow. Ids and choices have it in any case: a slug
 * or a category may be called `all`.
 */
export function isWildcard({ kind, wildcard }: Parameter, value: unknown): boolean {
  if (wildcard === undefined || typeof value !== 'string') return false;
  if (kind === 'text') return value === wildcard;
  return value.trim().toUpperCase() === wildcard;
}

function pointer(name: string): string {
  return `/params/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unknownParameter(dataset: Dataset, name: string): string {
  const known = dataset.parameters.map((parameter) => parameter.name);
  const meant = nearest(name, known);
  return `is no filter of dataset ${dataset.id}${meant ? `; did you mean "${meant}"?` : ` (it has ${known.join(', ')})`}`;
}

/** The text to echo: booleans as the specification writes them, ids in lower case, the rest as sent. */
function echoOf(parameter: Parameter, sent: unknown, parsed: unknown): string {
  if (typeof parsed === 'boolean') return parsed ? 'True' : 'False';
  // Ids of 62 digits are echoed as they came.
  if (parameter.kind === 'conditionIds') return listOf(parameterText(sent)).join(',');
  if (Array.isArray(parsed)) return parsed.join(',');
  if (parameter.kind === 'conditionId' && parsed !== 'ALL') return parameterText(sent).trim().toLowerCase();
  return typeof parsed === 'string' ? parsed : parameterText(sent).trim();
}

/** The most wallets that one request may name. */
export const MAX_WALLETS = 100;

/** The most condition ids that one filter may name. */
export const MAX_CONDITIONS = 100;

/** The most characters (code points) in the text of a filter such as `market_slug`. */
export const MAX_TEXT = 500;

/** The digits of an amount past its sixth place, unless they are all 0. */
const PAST_MICROS = /(?<=\.\d{6})\d*[1-9]\d*$/;

/** As many digits as an amount in range may need, and as many places as a small JSON number may have. */
const AMOUNT = /^\d{1,13}(\.\d{1,26})?$/;

/** The largest amount that a filter may name, in USD. */
export const MAX_AMOUNT = 10 ** 12;
/** A signed amount, which neither bound may round: at most as many places as it is compared in. */
const SIGNED_AMOUNT = /^-?\d{1,13}(\.\d{1,6}0*)?$/;

/** The largest count that a filter may name: the most that a 32-bit integer holds. */
export const MAX_COUNT = 2 ** 31 - 1;

const MAX_MICROS = BigInt(MAX_AMOUNT) * BigInt(MICRO);

const WALLET = /^0x[0-9a-f]{40}$/;
const CONDITION = /^0x([0-9a-f]{62}|[0-9a-f]{64})$/;
/** The most characters of a token id: 78 digits on the chain, and room for those of other venues. */
const MAX_TOKEN = 100;
const TOKEN = /^[!-~]{1,100}$/;
const CONDITION_FORM = '"0x" and 64 hexadecimal digits (or 62)';

/** The refusal of a value; `detail` says what it must be. */
export class Unreadable {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}

/** A reader for each kind. The text it is given is trimmed, except for the kind `text`. */
type Readers = {
  readonly [K in ParameterKind]: (
    text: string,
    choices: readonly string[],
  ) => ParsedOf<Parameter & { kind: K }> | Unreadable;
};

const READERS: Readers = {
  boolean(text) {
    if (/^(true|1)$/i.test(text)) return true;
    return /^(false|0)$/i.test(text) ? false : new Unreadable('must be "True" or "False"');
  },
  amount(text) {
    const micros = AMOUNT.test(text) ? microsFrom(text) : undefined;
    if (micros !== undefined && micros <= MAX_MICROS) return micros;
    return new Unreadable(`must be a plain decimal number from 0 to ${MAX_AMOUNT}, with at most 26 decimal places`);
  },
  signedAmount(text) {
    const micros = SIGNED_AMOUNT.test(text) ? microsOf(text) : undefined;
    if (micros !== undefined && micros <= MAX_MICROS && micros >= -MAX_MICROS) return micros;
    return new Unreadable(
      `must be a plain decimal number from -${MAX_AMOUNT} to ${MAX_AMOUNT}, with at most 6 decimal places`,
    );
  },
  count(text) {
    const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return count <= MAX_COUNT ? count : new Unreadable(`must be a whole number from 0 to ${MAX_COUNT}`);
  },
  choice: (text, choices) => choiceOf(text, choices) ?? new Unreadable(`must be one of ${choices.join(', ')}`),
  tokenId(text) {
    return TOKEN.test(text) ? text : new Unreadable(`must be a token id: up to ${MAX_TOKEN} printable characters`);
  },
  text(text) {
    if (text.length > MAX_TEXT && [...text].length > MAX_TEXT)
      return new Unreadable(`must be at most ${MAX_TEXT} characters long`);
    // NUL and lone surrogates: no engine's text can hold them, so the filter might match something else.
    return /\0|\p{Surrogate}/u.test(text) ? new Unreadable('must be well-formed Unicode without NUL') : text;
  },
  conditionId(text) {
    const id = text.toLowerCase();
    if (id === 'all') return 'ALL';
    // Ids of 62 digits, as newer markets have them, are those of 64 that end in 00.
    return CONDITION.test(id) ? id.padEnd(66, '0') : new Unreadable(`must be ${CONDITION_FORM}, or "ALL"`);
  },
  conditionIds(text) {
    const ids = listOf(text);
    const wrong = ids.find((id) => !CONDITION.test(id));
    if (wrong !== undefined) {
      return new Unreadable(`must be ${CONDITION_FORM}, several with commas between, or "ALL"; got "${start(wrong)}"`);
    }
    if (ids.length > MAX_CONDITIONS) return new Unreadable(`must name at most ${MAX_CONDITIONS} condition ids`);
    return [...new Set(ids.map((id) => id.padEnd(66, '0')))];
  },
  wallet(text) {
    const wallets = WALLET.test(text) ? [text] : listOf(text);
    const wrong = wallets.find((entry) => !WALLET.test(entry));
    if (wrong !== undefined) {
      const detail = 'must be "0x" and 40 hexadecimal digits, or several with commas between';
      return new Unreadable(`${detail}; got "${start(wrong)}"`);
    }
    return wallets.length > MAX_WALLETS ? new Unreadable(`must name at most ${MAX_WALLETS} wallets`) : wallets;
  },
  unixSeconds(text) {
    const seconds = /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (isUnixSecond(seconds)) return seconds;
    return new Unreadable(
      `must be a Unix time in whole seconds from ${FIRST_SECOND} to ${LAST_SECOND}, such as "1767225600"`,
    );
  },
  date: (text) => dayOfDate(text) ?? new Unreadable('must be a date that exists, as YYYY-MM-DD'),
  granularity(text) {
    const known = GRANULARITIES.find((each): each is Granularity => each === text);
    return known ?? new Unreadable(`must be one of ${GRANULARITIES.join(', ')}`);
  },
};

/**
 * The choice that a text means: words in any case, such as `buy` for `BUY`. What has a digit counts as it is, since the
 * letter of a length of time means another in capitals.
 */
export function choiceOf(text: string, choices: readonly string[]): string | undefined {
  if (choices.includes(text)) return text;
  return choices.find((choice) => !/\d/.test(choice) && choice.toLowerCase() === text.toLowerCase());
}

/**
 * Reads a filter's value into the one that the service works with (see {@link ParsedOf}): from text, or from a JSON
 * boolean or number of the same meaning.
 *
 * @param sent The value in the request's JSON.
 * @param choices The values that a parameter of the kind `choice` takes.
 * @example readParameter('date', '1970-01-02'); // 1
 */
export function readParameter(
  kind: ParameterKind,
  sent: unknown,
  choices: readonly string[] = [],
): ParsedOf<Parameter> | Unreadable {
  const text = textOf(sent);
  if (text instanceof Unreadable) return text;
  return READERS[kind](kind === 'text' ? text : text.trim(), choices);
}

function textOf(sent: unknown): string | Unreadable {
  if (typeof sent === 'string') return sent;
  if (typeof sent !== 'boolean' && !Number.isFinite(sent)) return new Unreadable('must be a string');
  return typeof sent === 'number' && Math.abs(sent) > Number.MAX_SAFE_INTEGER
    ? new Unreadable('must be sent as a string: a JSON number of this size loses digits')
    : parameterText(sent);
}

/** An amount in micro-units, rounded up, since the filter is a lower bound. */
function microsFrom(text: string): bigint | undefined {
  const whole = text.replace(PAST_MICROS, '');
  const micros = microsOf(whole);
  return micros === undefined || whole === text ? micros : micros + 1n;
}

/** The ids of a list in lower case, without repeats. */
function listOf(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim().toLowerCase()))];
}

/** The start of a wrong value, long enough to find it. */
function start(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

/**
 * The text of a filter's value, which the service reads and echoes. Text stays as it was sent, spaces included; a small
 * JSON number is written without an exponent.
 *
 * @param value Text, a boolean or a number.
 * @example parameterText(1e-7); // '0.0000001'
 */
export function parameterText(value: unknown): string {
  const text = String(value);
  return typeof value === 'number' && text.includes('e-') ? value.toFixed(20).replace(/(\.\d+?)0+$/, '$1') : text;
}
