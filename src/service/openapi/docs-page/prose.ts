import { type Html, html } from '../../page/html.js';

/** Plain text, except that `backticks` mean code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
