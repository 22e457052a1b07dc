import { hash } from 'node:crypto';
import type { ZodError } from 'zod';
import { appendAll } from '../../base/many.js';
import { nearest } from '../../base/nearest.js';
import { DATASETS, type Dataset, findDataset } from '../../contract/dataset.js';
import type { ProblemDetail } from '../../contract/envelope.js';
import { type Envelope, requestSchema } from '../../contract/envelope-schema.js';
import { readFilters } from '../../contract/filters.js';
import { ProblemError } from '../http/problems.js';
import type { Slice } from '../store/store.js';

/** A query, as read from its envelope. */
export interface QueryRequest {
  readonly dataset: Dataset;
  /** Filters by wire name, of the types that the dataset's parameters define. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The filters as text, as the answer repeats them. */
  readonly echo: Readonly<Record<string, string>>;
  /** {@link echo} as JSON. */
  readonly echoed: string;
  readonly pagination: Slice;
  /** Its canonical text, however it was spelt. */
  readonly canonical: string;
  /** A hash of the query and of the spelling of its filters, which answers repeat. */
  readonly digest: string;
}

/**
 * Reads a request envelope, the value of the body's JSON.
 *
 * @throws {ProblemError} 422 with a pointer to each thing that is not valid, or 404 for an unknown dataset.
 */
export function readRequest(body: unknown): QueryRequest {
  const { agent_id, params, pagination } = readEnvelope(body);
  const dataset = findDataset(agent_id);
  if (!dataset) {
    const known = DATASETS.map(({ id }) => id).join(', ');
    const errors = [{ pointer: '/agent_id', detail: 'is the number of no dataset' }];
    throw new ProblemError(404, `There is no dataset ${agent_id}; there are ${known}.`, { errors });
  }
  const { values, echo, errors } = readFilters(dataset, params ?? {});
  appendAll(errors, contradictions(values));
  if (errors.length > 0) throw new ProblemError(422, `The filters of dataset ${agent_id} are not valid.`, { errors });
  const canonical = canonicalRequest(dataset, values, pagination);
  const echoed = JSON.stringify(echo);
  const digest = hash('sha256', canonical + echoed, 'base64url').slice(0, 16);
  return { dataset, values, echo, echoed, pagination, canonical, digest };
}

function readEnvelope(body: unknown): Envelope {
  const { data, error } = requestSchema.safeParse(body);
  if (data) return data;
  throw new ProblemError(422, 'The request envelope is not valid.', { errors: envelopeErrors(error) });
}

const RANGES = [
  ['start_time', 'end_time', 'lies before'],
  ['end_date_min', 'end_date_max', 'lies before'],
  ['min_pnl', 'max_pnl', 'is less than'],
] as const;

function contradictions(values: Readonly<Record<string, unknown>>): ProblemDetail[] {
  return RANGES.flatMap(([from, to, how]) =>
    Number(values[from]) > Number(values[to]) ? [{ pointer: `/params/${to}`, detail: `${how} ${from}` }] : [],
  );
}

/**
 * The canonical text of a query: equal for two requests exactly if their filters, as read, and their pages are equal,
 * however they were spelt. Together with the data version it identifies an answer.
 *
 * @param values Filters by wire name, as {@link readFilters} gives them.
 * @example canonicalRequest(PNL, { wallet: ['0x55…'], granularity: '1d' }, { limit: 200, offset: 0 });
 * // '569 200 0 wallet="0x55…" granularity="1d"'
 */
export function canonicalRequest(
  dataset: Dataset,
  values: Readonly<Record<string, unknown>>,
  { limit, offset }: Slice,
): string {
  let text = `${dataset.id} ${limit} ${offset}`;
  for (const { name } of dataset.parameters) {
    const value = values[name];
    const plain = typeof value === 'object' || typeof value === 'bigint' ? String(value) : value;
    // Quoted, so that no text can pass for a further filter.
    if (plain !== undefined) text += ` ${name}=${JSON.stringify(plain)}`;
  }
  return text;
}

/** What is wrong with a request envelope, each with a JSON pointer. For an unknown field, the nearest one is named. */
function envelopeErrors(error: ZodError): ProblemDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((key) => `/${String(key)}`).join('');
    if (issue.code !== 'unrecognized_keys') return [{ pointer: path, detail: issue.message }];
    return issue.keys.map((key) => {
      const meant = nearest(key, ENVELOPE_FIELDS[path] ?? []);
      return {
        pointer: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        detail: `is no field of a request${meant ? `; did you mean "${meant}"?` : ''}`,
      };
    });
  });
}

const ENVELOPE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': ['agent_id', 'params', 'pagination', 'formatter_config'],
  '/pagination': ['limit', 'offset'],
  '/formatter_config': ['format_type'],
};
