import { z } from 'zod';
import { isObject } from '../base/texts.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './envelope.js';

const limit = orDefault(wholeNumber(1, MAX_LIMIT, '; ask for the next page by offset'), DEFAULT_LIMIT);

const offset = orDefault(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0);

const formatType = z.literal('raw', { error: 'must be "raw"' }).nullish();

/**
 * The request envelope. `params` is read by the parameters of its dataset. Null counts as left out, and the number of a
 * dataset may be sent as text, as clients do that make their JSON from texts.
 */
export const requestSchema = z.strictObject(
  {
    agent_id: z.preprocess(numberOfDigits, z.int({ error: 'must be the number of a dataset' })),
    // Not a record schema, which would silently drop a name like `__proto__`.
    params: z.custom<Record<string, unknown>>(isObject, { error: 'must be an object' }).nullish(),
    pagination: orDefault(z.strictObject({ limit, offset }, { error: objectError }), {
      limit: DEFAULT_LIMIT,
      offset: 0,
    }),
    formatter_config: z.strictObject({ format_type: formatType }, { error: objectError }).nullish(),
  },
  { error: objectError },
);

/** A request envelope as read, with its pagination filled in. */
export type Envelope = z.output<typeof requestSchema>;

/** Reads a member that may be left out, or null. */
function orDefault<Value>(schema: z.ZodType<Value>, otherwise: Value) {
  return schema.nullish().transform((sent) => sent ?? otherwise);
}

function numberOfDigits(sent: unknown): unknown {
  return typeof sent === 'string' && /^[1-9]\d{0,8}$/.test(sent) ? Number(sent) : sent;
}

/** A whole number in a range. It gives one fault a number, even for one too large to be an exact integer. */
function wholeNumber(least: number, most: number, advice = '') {
  const error = ({ code }: { code?: string | undefined }) => {
    if (code === 'too_small') return least === 0 ? 'must be 0 or more' : `must be at least ${least}`;
    return code === 'too_big' ? `must be at most ${most}${advice}` : 'must be a whole number';
  };
  return z.int({ error, abort: true }).min(least, { error }).max(most, { error });
}

function objectError(issue: { code?: string | undefined; keys?: unknown }): string | undefined {
  return issue.code === 'invalid_type' ? 'must be an object' : undefined;
}
