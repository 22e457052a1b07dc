const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Markup that is safe to send: made by {@link html}, or by {@link trusted} where a tool has made it, so that no
 * text becomes markup by mistake.
 */
export class Html {
  readonly #markup: string;

  /** @internal Use {@link html}. */
  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }

  /** Whether a value is markup of ours; what merely looks like it, from JSON say, is not. */
  static is(value: unknown): value is Html {
    return typeof value === 'object' && value !== null && #markup in value;
  }
}

/** What may stand in markup: text, which is escaped, other markup, lists of these, and nothing (false, undefined). */
export type Content = Html | string | number | false | undefined | readonly Content[];

/**
 * Markup from a template. Every value is escaped for an element's content and for an attribute in quotes, the only two
 * places where one may stand.
 *
 * @example String(html`<p title="${'"'}">${'<b>'}</p>`); // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(markupOf)));
}

/** Markup out of a tool of ours that has escaped every value already: nothing that came from outside may be given. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

function markupOf(value: Content): string {
  if (value === false || value === undefined) return '';
  if (Html.is(value)) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
