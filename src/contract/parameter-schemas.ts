import { z } from 'zod';
import { GRANULARITIES, type Granularity } from './bucket.js';
import { microsOf } from './decimal.js';
import type { Parameter, ParameterKind, ParsedOf } from './parameter.js';
import { dayOfDate, isUnixSecond } from './time.js';

/** How many wallets one request may name. */
export const MAX_WALLETS = 100;

const WALLET = /^0x[0-9a-f]{40}$/;
const CONDITION = /^0x[0-9a-f]{64}$/;

const text = z
  .union([z.string(), z.number(), z.boolean()], { error: 'must be a string' })
  .transform((value) => String(value).trim());

function refused<T>(context: z.RefinementCtx<T>, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const boolean = text.transform((value, context) => {
  if (value === 'True' || value === 'true') return true;
  if (value === 'False' || value === 'false') return false;
  return refused(context, 'must be "True" or "False"');
});

const amount = text.transform((value, context) => {
  const micros = microsOf(value);
  if (micros === undefined || micros < 0n) return refused(context, 'must be a plain decimal number, 0 or more');
  return micros > 10n ** 18n ? refused(context, 'must be at most 1000000000000') : micros;
});

const phrase = text.transform((value, context) =>
  value.length > 500 ? refused(context, 'must be at most 500 characters long') : value,
);

const conditionId = text.transform((value, context) => {
  const id = value.toLowerCase();
  if (id === 'all') return 'ALL';
  return CONDITION.test(id) ? id : refused(context, 'must be "0x" and 64 hexadecimal digits, or "ALL"');
});

const wallet = text.transform((value, context) => {
  const wallets = [...new Set(value.split(',').map((entry) => entry.trim().toLowerCase()))];
  const wrong = wallets.find((entry) => !WALLET.test(entry));
  if (wrong !== undefined) {
    return refused(context, `must be "0x" and 40 hexadecimal digits, or several with commas between; got "${wrong}"`);
  }
  return wallets.length > MAX_WALLETS ? refused(context, `must name at most ${MAX_WALLETS} wallets`) : wallets;
});

const unixSeconds = text.transform((value, context) => {
  const seconds = /^-?\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  return isUnixSecond(seconds)
    ? seconds
    : refused(context, 'must be a Unix time in whole seconds, such as "1767225600"');
});

const date = text.transform((value, context) => {
  return dayOfDate(value) ?? refused(context, 'must be a date that exists, as YYYY-MM-DD');
});

const granularity = text.transform((value, context): Granularity => {
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
