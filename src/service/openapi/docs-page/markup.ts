import { html, raw } from 'hono/html';

/** Markup that is ready to send: made by `html`, whose values are escaped. */
export type Markup = ReturnType<typeof html>;

/** Text in which `backticks` mean code, everything else being plain. */
export function prose(text: string): Markup {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

/** Markup out of a tool that has escaped it already. */
export function trusted(markup: string): Markup {
  return html`${raw(markup)}`;
}
