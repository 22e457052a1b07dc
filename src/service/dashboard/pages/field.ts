import { type Content, type Html, html } from '../../page/html.js';

/** One field of a form, with its texts. */
export interface Field {
  /** Its name in the form, unique on the page. */
  name: string;
  label: Content;
  /** What it takes, shown below the label. */
  hint?: Content;
  /** What was wrong with it, shown beside it. */
  error?: string | undefined;
  /** Makes the control, given the attributes that tie it to its label, hint and error. */
  control: (attributes: Html) => Html;
}

/** A field whose label, hint and error are tied to the control, so that screen readers read all of them. */
export function field({ name, label, hint, error, control }: Field): Html {
  const described = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean);
  const attributes = html` id="${name}" name="${name}"${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${error !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field${error !== undefined && ' wrong'}">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error"><span class="unseen">Error: </span>${error}</p>`}
${control(attributes)}
</div>`;
}
