import { z } from 'zod';
import { DEFAULT_LIMIT, MAX_LIMIT } from './envelope.js';

const limit = z
  .int({ error: 'must be a whole number' })
  .min(1, { error: 'must be at least 1' })
  .max(MAX_LIMIT, { error: `must be at most ${MAX_LIMIT}; ask for the next page by offset` });

const offset = z.int({ error: 'must be a whole number' }).min(0, { error: 'must be 0 or more' });

/** The request envelope. `params` is read by its dataset's own parameters. */
export const requestSchema = z.strictObject(
  {
    agent_id: z.int({ error: 'must be the number of a dataset' }),
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

/** Also of a name like `__proto__`, which a record schema would drop unseen. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectError(issue: { code?: string | undefined; keys?: unknown }): string | undefined {
  return issue.code === 'invalid_type' ? 'must be an object' : undefined;
}
