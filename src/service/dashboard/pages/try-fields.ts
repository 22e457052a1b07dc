import { GRANULARITIES } from '../../../contract/bucket.js';
import type { Parameter, ParameterKind } from '../../../contract/parameter.js';
import { type Html, html } from '../html.js';
import { TRY_LIMIT } from '../try-request.js';
import { field } from './field.js';

/** What a kind is chosen from, where it is not typed. */
const CHOICES: Partial<Record<ParameterKind, readonly string[]>> = {
  boolean: ['True', 'False'],
  granularity: GRANULARITIES,
};

const KEYBOARDS: Partial<Record<ParameterKind, string>> = { amount: 'decimal', unixSeconds: 'numeric' };

/** The field of one filter, by its kind. */
export function parameterField(parameter: Parameter, typed: string, error: string | undefined): Html {
  const { name, kind, required, meaning } = parameter;
  const choices = CHOICES[kind];
  return field({
    name,
    label: html`<code>${name}</code>${required && html` <span class="hint">required</span>`}`,
    hint: `${meaning}${exampleOf(parameter)}`,
    error,
    control: (attributes) =>
      choices
        ? select(attributes, choices, typed, parameter)
        : html`<input type="${kind === 'date' ? 'date' : 'text'}"${attributes} value="${typed}"${
            KEYBOARDS[kind] !== undefined && html` inputmode="${KEYBOARDS[kind]}"`
          }${required && html` required`} autocomplete="off" autocapitalize="none" spellcheck="false">`,
  });
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
  // What a link says is kept, right or wrong, for the service to judge.
  const all = typed === '' || choices.includes(typed) ? choices : [...choices, typed];
  return html`<select${attributes}><option value="">${none}</option>${all.map(
    (choice) => html`<option${choice === typed && html` selected`}>${choice}</option>`,
  )}</select>`;
}

/** None where the control shows what is right, or where it would be as long as an id. */
function exampleOf({ kind, example, default: missing }: Parameter): string {
  const isTold = CHOICES[kind] !== undefined || kind === 'date' || missing !== undefined || example.length > 40;
  return isTold ? '' : ` For example ${example}.`;
}
