import type { Dataset } from './dataset.js';
import type { ProblemDetail } from './envelope.js';
import { nearest } from './nearest.js';
import type { Parameter } from './parameter.js';
import { parameterText } from './parameter-text.js';
import { readParameter, Unreadable } from './read-parameter.js';

/** Filters as read: the values to work with, the text to echo, and what is wrong with them. */
export interface ReadFilters {
  values: Record<string, unknown>;
  echo: Record<string, string>;
  errors: ProblemDetail[];
}

/**
 * Reads a request's `params` by the parameters of its dataset. It applies defaults, keeps the text to echo, and reports
 * every unknown, missing or malformed filter. Null and empty text count as omitted. So do spaces alone, except in a
 * filter of the kind `text`.
 */
export function readFilters(dataset: Dataset, params: Readonly<Record<string, unknown>>): ReadFilters {
  const read: ReadFilters = { values: {}, echo: {}, errors: [] };
  for (const name of Object.keys(params)) {
    if (!dataset.parameters.some((parameter) => parameter.name === name)) {
      read.errors.push({ pointer: pointer(name), detail: unknownParameter(dataset, name) });
    }
  }
  for (const parameter of dataset.parameters) {
    const sent = Object.hasOwn(params, parameter.name) ? params[parameter.name] : undefined;
    const given = isBlank(parameter, sent) ? undefined : sent;
    const value = given ?? parameter.default;
    if (value === undefined) {
      if (parameter.required) read.errors.push({ pointer: pointer(parameter.name), detail: 'is required' });
      continue;
    }
    const parsed = readParameter(parameter.kind, value);
    if (parsed instanceof Unreadable) {
      read.errors.push({ pointer: pointer(parameter.name), detail: parsed.detail });
    } else {
      read.values[parameter.name] = parsed;
      read.echo[parameter.name] = echoOf(value, parsed);
    }
  }
  return read;
}

function isBlank({ kind }: Parameter, sent: unknown): boolean {
  return typeof sent === 'string' && (kind === 'text' ? sent : sent.trim()) === '';
}

function pointer(name: string): string {
  return `/params/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unknownParameter(dataset: Dataset, name: string): string {
  const known = dataset.parameters.map((parameter) => parameter.name);
  const meant = nearest(name, known);
  return `is no filter of dataset ${dataset.id}${meant ? `; did you mean "${meant}"?` : ` (it has ${known.join(', ')})`}`;
}

/** The text to echo: booleans as the specification writes them, ids in lower case, the rest as sent. */
function echoOf(sent: unknown, parsed: unknown): string {
  if (typeof parsed === 'boolean') return parsed ? 'True' : 'False';
  if (Array.isArray(parsed)) return parsed.join(',');
  return typeof parsed === 'string' ? parsed : parameterText(sent).trim();
}
