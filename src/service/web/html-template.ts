import { html as escaped, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Markup that is safe to send: made by {@link html}, or by {@link trusted}. */
export type Html = HtmlEscapedString;

/** What a template may hold: text, which is escaped, other markup, lists of these, or nothing (false, undefined). */
export type Content = Html | string | number | false | undefined | readonly Content[];

/**
 * Makes markup from a template. Every value is escaped for an element's content and for a quoted attribute, the only
 * two places where a value may stand.
 *
 * @example String(html`<p title="${'"'}">${'<b>'}</p>`); // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  // A promise only where a value is one, which no content is.
  return escaped(strings, ...values) as Html;
}

/** Turns the output of a tool into markup. The tool must have escaped every value: text from outside is not allowed. */
export const trusted = (markup: string): Html => raw(markup);

interface PageShell {
  /** The title of the window, as plain text. */
  title: string;
  /** Further content of the head, such as the style. */
  head: Content;
  /** Id of the element that the keyboard can skip to. */
  main: string;
  body: Content;
}

/** The frame of every page of the service: fit for phones, light and dark, with a link past the navigation. */
export function pageShell({ title, head, main, body }: PageShell): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>
<a class="skip" href="#${main}">Skip to the content</a>
${body}
</body>
</html>
`;
}
