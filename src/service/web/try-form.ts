import type { Dataset } from '../../contract/dataset.js';
import type { Parameter, ParameterKind } from '../../contract/definition.js';
import { DAY_SECONDS, dayOfDate, GRANULARITIES } from '../../contract/time.js';
import { type Html, html } from './html-template.js';
import { field } from './page-layout.js';

const TRY_LIMIT = 25;

/** A request, as the try-it form states it. */
export interface TryRequest {
  /** The typed texts, by field name. */
  readonly typed: Readonly<Record<string, string>>;
  /** The filters that are not empty, by wire name. */
  readonly params: Readonly<Record<string, string>>;
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
  const ofDay = name.endsWith('_max') || name === 'end_time' ? DAY_SECONDS - 1 : 0;
  const seconds = clock === undefined ? day * DAY_SECONDS + ofDay : Date.parse(`${date}T${clock}Z`) / 1000;
  return Number.isNaN(seconds) ? text : String(seconds);
}

function numberOr(text: string, missing: number): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return missing;
  return /^-?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

const CHOICES: Partial<Record<ParameterKind, readonly string[]>> = {
  boolean: ['True', 'False'],
  granularity: GRANULARITIES,
};

/** The field of one filter, by its kind. @param example Something to try, shown after its meaning. */
export function parameterField(
  parameter: Parameter,
  typed: string,
  error: string | undefined,
  example: Html | undefined,
): Html {
  const { name, kind, required } = parameter;
  const choices = parameter.choices ?? CHOICES[kind];
  return field({
    name,
    label: html`<code>${name}</code>${required && html` <span class="hint">required</span>`}`,
    hint: html`${meaningOf(parameter)}${exampleOf(parameter)}${example}`,
    error,
    control: (attributes) =>
      choices
        ? select(attributes, choices, typed, parameter)
        : html`<input type="${isDate(kind, typed) ? 'date' : 'text'}"${attributes} value="${typed}"${
            ['amount', 'signedAmount', 'count'].includes(kind) && html` inputmode="decimal"`
          }${required && html` required`} autocomplete="off" autocapitalize="none" spellcheck="false">`,
  });
}

/** Whether a field is a date picker. A link may hold a date with a time, which only a text field can show. */
function isDate(kind: ParameterKind, typed: string): boolean {
  return kind === 'date' || (kind === 'unixSeconds' && /^(\d{4}-\d{2}-\d{2})?$/.test(typed.trim()));
}

/** A parameter's meaning, in words for dates: the form takes dates, which {@link tryRequest} turns into seconds. */
function meaningOf({ kind, meaning }: Parameter): string {
  if (kind !== 'unixSeconds') return meaning;
  return meaning.replace(', in Unix seconds', '').replace('at this time', 'on this day');
}

/** The field of a page's size or start. */
export function pageField(name: 'limit' | 'offset', hint: string, typed: string, error: string | undefined): Html {
  const missing = name === 'limit' ? TRY_LIMIT : 0;
  return field({
    name,
    label: html`<code>${name}</code>`,
    hint,
    error,
    control: (attributes) =>
      html`<input type="text"${attributes} value="${typed === '' ? missing : typed}" inputmode="numeric" autocomplete="off">`,
  });
}

function select(attributes: Html, choices: readonly string[], typed: string, parameter: Parameter): Html {
  const none = parameter.default === undefined ? 'any' : `default: ${parameter.default}`;
  // A value from a link is kept even if it is wrong, for the service to refuse.
  const all = typed === '' || choices.includes(typed) ? choices : [...choices, typed];
  return html`<select${attributes}><option value="">${none}</option>${all.map(
    (choice) => html`<option${choice === typed && html` selected`}>${choice}</option>`,
  )}</select>`;
}

/** An example; none if the control shows what is valid, or if it would be as long as an id. */
function exampleOf({ kind, example, choices, default: missing }: Parameter): string {
  const isTold =
    (choices ?? CHOICES[kind]) !== undefined || missing !== undefined || ['date', 'unixSeconds'].includes(kind);
  return isTold || example.length > 40 ? '' : ` For example ${example}.`;
}
