import type { Parameter, ParameterKind } from '../../../contract/definition.js';
import { GRANULARITIES } from '../../../contract/time.js';
import { type Html, html } from '../../page/html.js';
import { TRY_LIMIT } from '../try-request.js';
import { field } from './field.js';

/** The choices of the kinds that are chosen and not typed. */
const CHOICES: Partial<Record<ParameterKind, readonly string[]>> = {
  boolean: ['True', 'False'],
  granularity: GRANULARITIES,
};

const KEYBOARDS: Partial<Record<ParameterKind, string>> = { amount: 'decimal' };

/** What a field holds, and what is shown beside it. */
export interface FieldState {
  typed: string;
  /** What was wrong with it. */
  error: string | undefined;
  /** Something to try, shown after its meaning. */
  example: Html | undefined;
}

/** The field of one filter, by its kind. */
export function parameterField(parameter: Parameter, { typed, error, example }: FieldState): Html {
  const { name, kind, required } = parameter;
  const choices = CHOICES[kind];
  return field({
    name,
    label: html`<code>${name}</code>${required && html` <span class="hint">required</span>`}`,
    hint: html`${meaningOf(parameter)}${exampleOf(parameter)}${example}`,
    error,
    control: (attributes) =>
      choices
        ? select(attributes, choices, typed, parameter)
        : html`<input type="${isDate(kind, typed) ? 'date' : 'text'}"${attributes} value="${typed}"${
            KEYBOARDS[kind] !== undefined && html` inputmode="${KEYBOARDS[kind]}"`
          }${required && html` required`} autocomplete="off" autocapitalize="none" spellcheck="false">`,
  });
}

/** Whether a field is a date picker. A link may hold a date with a time, which only a text field can show. */
function isDate(kind: ParameterKind, typed: string): boolean {
  return kind === 'date' || (kind === 'unixSeconds' && /^(\d{4}-\d{2}-\d{2})?$/.test(typed.trim()));
}

/** A parameter's meaning, in words for dates: the form takes dates, which {@link tryRequest} turns into seconds. */
function meaningOf({ kind, meaning }: Parameter): string {
  return kind === 'unixSeconds'
    ? meaning.replace(', in Unix seconds', '').replace('at this time', 'on this day')
    : meaning;
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
function exampleOf({ kind, example, default: missing }: Parameter): string {
  const isTold =
    CHOICES[kind] !== undefined ||
    kind === 'date' ||
    kind === 'unixSeconds' ||
    missing !== undefined ||
    example.length > 40;
  return isTold ? '' : ` For example ${example}.`;
}
