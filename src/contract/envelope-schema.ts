import { z } from 'zod';
import { DEFAULT_LIMIT, MAX_LIMIT } from './envelope.js';

const limit = wholeNumber(1, MAX_LIMIT, '; ask for the next page by offset');

const offset = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** The request envelope. `params` is read by its dataset's own parameters. */
export const requestSchema = z.strictObject(
  {
    agent_id: z.int({ error: 'must be the number of a dataset' }),
    // Also with a name like `__proto__`, which a record schema would drop unseen.
    params: z.custom<Record<string, unknown>>(isObject, { error: 'must be an object' }).optional(),
    pagination: z
      .strictObject({ limit: limit.default(DEFAULT_LIMIT), offset: offset.default(0) }, { error: objectError })
      .default({ limit: DEFAULT_LIMIT, offset: 0 }),
    formatter_config: z
      .strictObject({ format_type: z.literal('raw', { error: 'must be "raw"' }).optional() }, { error: objectError })
      .optional(),
  },
  { error: objectError },
);

/** A request envelope as read, its pagination complete. */
export type Envelope = z.output<typeof requestSchema>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A whole number in a range; one fault a number, also where it is so large that it is no exact integer any more. */
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
