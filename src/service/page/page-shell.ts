import { type Content, type Html, html } from './html.js';

/** What is around the content of one page. */
export interface PageShell {
  /** Of the window, as plain text. */
  title: string;
  /** What else stands in the head: the style above all. */
  head: Content;
  /** Id of the element that the keyboard can skip to. */
  main: string;
  /** All that is shown. */
  body: Content;
}

/** The frame of every page that the service sends: fit for phones, light and dark, with a way past the navigation. */
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
