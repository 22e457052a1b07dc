import { z } from 'zod';

/** Where queries are posted, below the service's base address. */
export const QUERY_PATH = '/v2/semantic/retrieve/parameterized';

/** The short path with the same handler. */
export const SHORT_QUERY_PATH = '/query';

/** The most records that one page may hold. */
export const MAX_LIMIT = 1000;

/** The page size where a request names none, and with which the client starts. */
export const DEFAULT_LIMIT = 200;

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

/** The response envelope, as tolerant as the specification's servers differ. Records are read by their columns. */
export const responseSchema = z.object({
  timestamp: z.string().nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
  pagination: z.object({ limit: z.int().min(0), offset: z.int().min(0), has_more: z.boolean() }),
  data: z.object({ results: z.array(z.record(z.string(), z.unknown())) }),
});

/** A response: records undecoded. */
export type QueryResponse = z.output<typeof responseSchema>;

/** One reason why a request was refused, with a JSON pointer to the place. */
export interface ProblemDetail {
  pointer: string;
  detail: string;
}

/** The error body: RFC 9457 problem details. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemDetail[];
  request_id: string;
}
