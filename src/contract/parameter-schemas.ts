import { z } from 'zod';
import { GRANULARITIES, type Granularity } from './bucket.js';
import { microsOf } from './decimal.js';
import type { Parameter, ParameterKind, ParsedOf } from './parameter.js';
import { parameterText } from './parameter-text.js';
import { dayOfDate, isUnixSecond } from './time.js';

/** How many wallets one request may name. */
export const MAX_WALLETS = 100;

/** How many characters (code points) the text of a filter such as `market_slug` may have. */
export const MAX_TEXT = 500;

/** Digits that any amount in range needs, and as many places as a small JSON number has. */
const AMOUNT = /^\d{1,13}(\.\d{1,26})?$/;
const MAX_MICROS = 10n ** 18n;

const WALLET = /^0x[0-9a-f]{40}$/;
const CONDITION = /^0x[0-9a-f]{64}$/;

const text = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a string' })
  .transform((value, context) => {
    if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return parameterText(value);
    return refused(context, 'must be sent as a string: a JSON number of this size loses digits');
  });

function refused<T>(context: z.RefinementCtx<T>, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** A value that no space around it changes. */
const word = text.transform((value) => value.trim());

const boolean = word.transform((value, context) => {
  if (value === 'True' || value === 'true') return true;
  if (value === 'False' || value === 'false') return false;
  return refused(context, 'must be "True" or "False"');
});

const amount = word.transform((value, context) => {
  const micros = AMOUNT.test(value) ? microsOf(value) : undefined;
  if (micros === undefined) return refused(context, 'must be a plain decimal number, 0 or more');
  return micros > MAX_MICROS ? refused(context, 'must be at most 1000000000000') : micros;
});

const phrase = text.transform((value, context) => {
  if (value.length > MAX_TEXT && [...value].length > MAX_TEXT)
    return refused(context, `must be at most ${MAX_TEXT} characters long`);
  // What no engine's text can hold could otherwise match something else: NUL, and halves of surrogate pairs.
  return /\0|\p{Surrogate}/u.test(value) ? refused(context, 'must be well-formed Unicode without NUL') : value;
});

const conditionId = word.transform((value, context) => {
  const id = value.toLowerCase();
  if (id === 'all') return 'ALL';
  return CONDITION.test(id) ? id : refused(context, 'must be "0x" and 64 hexadecimal digits, or "ALL"');
});

const wallet = word.transform((value, context) => {
  const wallets = [...new Set(value.split(',').map((entry) => entry.trim().toLowerCase()))];
  const wrong = wallets.find((entry) => !WALLET.test(entry));
  if (wrong !== undefined) {
    return refused(
      context,
      `must be "0x" and 40 hexadecimal digits, or several with commas between; got "${start(wrong)}"`,
    );
  }
  return wallets.length > MAX_WALLETS ? refused(context, `must name at most ${MAX_WALLETS} wallets`) : wallets;
});

/** As much of a wrong value as helps to find it. */
function start(value: string): string {
  return value.length > 60 ? `${value.slice(0, 60)}…` : value;
}

const unixSeconds = word.transform((value, context) => {
  const seconds = /^-?\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  return isUnixSecond(seconds)
    ? seconds
    : refused(context, 'must be a Unix time in whole seconds, such as "1767225600"');
});

const date = word.transform((value, context) => {
  return dayOfDate(value) ?? refused(context, 'must be a date that exists, as YYYY-MM-DD');
});

const granularity = word.transform((value, context): Granularity => {
  return (
    GRANULARITIES.find((known) => known === value) ?? refused(context, `must be one of ${GRANULARITIES.join(', ')}`)
  );
});

/**
 * How the service reads each kind: text, or a JSON boolean or number of the same meaning, to the value it works with
 * (amounts in micro-units, dates as UTC day numbers, ids in lower case, wallets as a list without repeats).
 */
export const PARAMETER_SCHEMAS = {
  boolean,
  amount,
  text: phrase,
  conditionId,
  wallet,
  unixSeconds,
  date,
  granularity,
} satisfies { [K in ParameterKind]: z.ZodType<ParsedOf<Parameter & { kind: K }>> };
