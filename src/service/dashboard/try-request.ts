import type { Dataset } from '../../contract/dataset.js';
import type { Parameter } from '../../contract/definition.js';
import { DAY_SECONDS, dayOfDate } from '../../contract/time.js';

/** How many records the form asks for by default. */
export const TRY_LIMIT = 25;

/** A request, as the try-it form states it. */
export interface TryRequest {
  /** The typed texts, by field name. */
  readonly typed: Readonly<Record<string, string>>;
  /** The filters that are not empty, by wire name. */
  readonly params: Readonly<Record<string, string>>;
  /** The request envelope. */
  readonly envelope: { agent_id: number; params: object; pagination: { limit: unknown; offset: unknown } };
}

/**
 * Makes the request that a form states. What should be a number but is none stays text: only the endpoint decides what
 * is valid, and refuses it.
 */
export function tryRequest(dataset: Dataset, form: URLSearchParams): TryRequest {
  const typed = Object.fromEntries(
    [...dataset.parameters.map(({ name }) => name), 'limit', 'offset'].map((name) => [name, form.get(name) ?? '']),
  );
  const filled = dataset.parameters.flatMap((parameter): [string, string][] => {
    const value = typed[parameter.name] ?? '';
    // Spaces are a part of the text that is searched for.
    const text = parameter.kind === 'text' ? value : value.trim();
    return text === '' ? [] : [[parameter.name, wireText(parameter, text)]];
  });
  const params = Object.fromEntries(filled);
  const limit = numberOr(typed.limit ?? '', TRY_LIMIT);
  const offset = numberOr(typed.offset ?? '', 0);
  return { typed, params, envelope: { agent_id: dataset.id, params, pagination: { limit, offset } } };
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)Z?)?$/;

/**
 * The text to send. Where the endpoint takes Unix seconds, a date or a time in UTC becomes seconds; a date as an upper
 * limit means the end of that day.
 */
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
