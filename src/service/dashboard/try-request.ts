import type { Dataset } from '../../contract/dataset.js';
import type { Parameter } from '../../contract/parameter.js';
import { DAY_SECONDS, dayOfDate } from '../../contract/time.js';

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
  const filled = dataset.parameters.flatMap((parameter): [string, string][] => {
    const value = typed[parameter.name] ?? '';
    // Spaces are a part of what is looked for.
    const text = parameter.kind === 'text' ? value : value.trim();
    return text === '' ? [] : [[parameter.name, wireText(parameter, text)]];
  });
  const params = Object.fromEntries(filled);
  const limit = numberOr(typed.limit ?? '', TRY_LIMIT);
  const offset = numberOr(typed.offset ?? '', 0);
  return { typed, params, envelope: { agent_id: dataset.id, params, pagination: { limit, offset } } };
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)Z?)?$/;

/** What travels: of a date or a moment in UTC, where the wire has seconds, these; up to a day means to its end. */
function wireText({ name, kind }: Parameter, text: string): string {
  const [, date = '', clock] = (kind === 'unixSeconds' && MOMENT.exec(text)) || [];
  const day = dayOfDate(date);
  if (day === undefined) return text;
  const ofDay = name.endsWith('_max') ? DAY_SECONDS - 1 : 0;
  const seconds = clock === undefined ? day * DAY_SECONDS + ofDay : Date.parse(`${date}T${clock}Z`) / 1000;
  return Number.isNaN(seconds) ? text : String(seconds);
}

function numberOr(text: string, missing: number): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return missing;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}
