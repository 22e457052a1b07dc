import { type Html, html } from '../../page/html.js';

/** Text in which `backticks` mean code, everything else being plain. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
