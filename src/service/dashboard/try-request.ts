import type { Dataset } from '../../contract/dataset.js';

/** How many records the form asks for where nobody chose. */
export const TRY_LIMIT = 25;

/** A request as the try-it form states it. */
export interface TryRequest {
  /** What was typed, by field name. */
  readonly typed: Readonly<Record<string, string>>;
  /** The filters that are not empty, by wire name. */
  readonly params: Readonly<Record<string, string>>;
  /** The request envelope. */
  readonly envelope: { agent_id: number; params: object; pagination: { limit: unknown; offset: unknown } };
}

/**
 * The request that a form states. What is no number stays text, for the endpoint to refuse: there is one place that
 * says what is right.
 */
export function tryRequest(dataset: Dataset, form: URLSearchParams): TryRequest {
  const typed = Object.fromEntries(
    [...dataset.parameters.map(({ name }) => name), 'limit', 'offset'].map((name) => [name, form.get(name) ?? '']),
  );
  const filled = dataset.parameters.flatMap(({ name }): [string, string][] => {
    const text = (typed[name] ?? '').trim();
    return text === '' ? [] : [[name, text]];
  });
  const params = Object.fromEntries(filled);
  const limit = numberOr(typed.limit ?? '', TRY_LIMIT);
  const offset = numberOr(typed.offset ?? '', 0);
  return { typed, params, envelope: { agent_id: dataset.id, params, pagination: { limit, offset } } };
}

function numberOr(text: string, missing: number): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return missing;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}
