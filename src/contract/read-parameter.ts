import { GRANULARITIES, type Granularity } from './bucket.js';
import { MICRO, microsOf } from './decimal.js';
import type { Parameter, ParameterKind, ParsedOf } from './parameter.js';
import { parameterText } from './parameter-text.js';
import { dayOfDate, FIRST_SECOND, isUnixSecond, LAST_SECOND } from './time.js';

/** The most wallets that one request may name. */
export const MAX_WALLETS = 100;

/** The most characters (code points) in the text of a filter such as `market_slug`. */
export const MAX_TEXT = 500;

/** The digits of an amount past its sixth place, unless they are all 0. */
const PAST_MICROS = /(?<=\.\d{6})\d*[1-9]\d*$/;

/** As many digits as an amount in range may need, and as many places as a small JSON number may have. */
const AMOUNT = /^\d{1,13}(\.\d{1,26})?$/;

/** The largest amount that a filter may name, in USD. */
export const MAX_AMOUNT = 10 ** 12;
const MAX_MICROS = BigInt(MAX_AMOUNT) * BigInt(MICRO);

const WALLET = /^0x[0-9a-f]{40}$/;
const CONDITION = /^0x[0-9a-f]{64}$/;

/** The refusal of a value; `detail` says what it must be. */
export class Unreadable {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}

/** A reader for each kind. The text it is given is trimmed, except for the kind `text`. */
type Readers = { readonly [K in ParameterKind]: (text: string) => ParsedOf<Parameter & { kind: K }> | Unreadable };

const READERS: Readers = {
  boolean(text) {
    if (text === 'True' || text === 'true') return true;
    return text === 'False' || text === 'false' ? false : new Unreadable('must be "True" or "False"');
  },
  amount(text) {
    const micros = AMOUNT.test(text) ? microsFrom(text) : undefined;
    if (micros !== undefined && micros <= MAX_MICROS) return micros;
    return new Unreadable(`must be a plain decimal number from 0 to ${MAX_AMOUNT}, with at most 26 decimal places`);
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
    return CONDITION.test(id) ? id : new Unreadable('must be "0x" and 64 hexadecimal digits, or "ALL"');
  },
  wallet(text) {
    const wallets = WALLET.test(text) ? [text] : walletsOf(text);
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
 * Reads a filter's value into the one that the service works with (see {@link ParsedOf}): from text, or from a JSON
 * boolean or number of the same meaning.
 *
 * @param sent The value in the request's JSON.
 * @example readParameter('date', '1970-01-02'); // 1
 */
export function readParameter(kind: ParameterKind, sent: unknown): ParsedOf<Parameter> | Unreadable {
  const text = textOf(sent);
  if (text instanceof Unreadable) return text;
  return READERS[kind](kind === 'text' ? text : text.trim());
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

function walletsOf(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim().toLowerCase()))];
}

/** The start of a wrong value, long enough to find it. */
function start(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}
