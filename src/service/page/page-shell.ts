import { type Content, type Html, html } from './html.js';

/** The parts of one page. */
export interface PageShell {
  /** The title of the window, as plain text. */
  title: string;
  /** Further content of the head, such as the style. */
  head: Content;
  /** Id of the element that the keyboard can skip to. */
  main: string;
  /** All visible content. */
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
