import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import type { ExampleData } from '../openapi/request-examples.js';
import { type Html, html, trusted } from './html-template.js';

const LANGUAGES = { bash, javascript, json, python };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** A captioned block of code with highlighted syntax. */
export function codeBlock(caption: string, language: keyof typeof LANGUAGES, code: string): Html {
  const { value } = hljs.highlight(code.trim(), { language });
  return html`<figure class="code"><figcaption>${caption}</figcaption><pre tabindex="0" aria-label="${caption}"><code>${trusted(value)}</code></pre></figure>`;
}

/** A captioned block of JSON, indented by two spaces. */
export function jsonBlock(caption: string, value: unknown): Html {
  return codeBlock(caption, 'json', JSON.stringify(value, null, 2));
}

/**
 * A table in which the first cell of each row is its heading. On narrow pages cells are stacked, which makes some
 * browsers drop their roles; so the roles are written out.
 *
 * @param caption Shown above the table, and read by screen readers.
 * @param rows The cells of each row, in the order of `heads`.
 */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(tableRow)}</tbody>
</table></div>`;
}

function tableRow([head, ...cells]: readonly Html[]): Html {
  return html`<tr role="row"><th scope="row" role="rowheader">${head}</th>${cells.map((cell) => html`<td role="cell">${cell}</td>`)}</tr>
`;
}

/** Plain text, except that `backticks` mean code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** What the page says about the service that sends it. */
export interface DocumentedService {
  /** The service's version, such as `0.1.0`. */
  version: string;
  /** The address under which the reader reaches it, such as `http://127.0.0.1:8787`, without a slash at the end. */
  address: string;
  /** Whether the service answers without a key. */
  open: boolean;
  /** The largest request body that it takes. */
  maxBodyBytes: number;
  /** A wallet and a market for example queries; undefined if no data are loaded. */
  example: ExampleData | undefined;
}

/** The page's only style sheet: light, dark, narrow and printed. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1c2320; --soft: #59625d; --paper: #ffffff; --panel: #f6f7f5; --line: #dde1dc;
  --accent: #1f5f4c; --accent-soft: #e5f0ec; --focus: #1a66d6; --warn: #9a3412;
  --c-text: #0b6b46; --c-name: #8a2f6b; --c-number: #9a3412; --c-word: #1257c2; --c-note: #59625d;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6ebe8; --soft: #a0aaa5; --paper: #131715; --panel: #1b211e; --line: #2e3733;
    --accent: #8fd3be; --accent-soft: #1d302a; --focus: #8ab8ff; --warn: #ffb489;
    --c-text: #7fd8ae; --c-name: #f0a6d6; --c-number: #ffb489; --c-word: #86b4ff; --c-note: #a0aaa5;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; background: var(--paper); padding: .5rem 1rem; }
.frame { max-width: 78rem; margin: 0 auto; padding: 0 1.5rem; }
.top { border-bottom: 1px solid var(--line); background: var(--panel); }
.top .frame { padding-block: 2.75rem 2.25rem; }
.top p { margin: 0; color: var(--soft); max-width: 46rem; }
.top .lead { color: var(--ink); font-size: 1.15rem; margin-bottom: .75rem; }
h1 { font-size: clamp(1.9rem, 4vw, 2.6rem); line-height: 1.15; letter-spacing: -.02em; margin: 0 0 .6rem; }
h2 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.012em; margin: 0 0 .75rem; }
h3 { font-size: 1.22rem; line-height: 1.3; margin: 0 0 .5rem; display: flex; gap: .6rem; align-items: baseline; flex-wrap: wrap; }
p { margin: 0 0 1rem; max-width: 46rem; }
.layout { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2.5rem 0; }
nav ol { list-style: none; margin: 0; padding: 0; }
nav ol ol { padding-left: .85rem; border-left: 2px solid var(--line); margin: .2rem 0 .5rem .3rem; }
nav a { display: block; padding: .24rem .5rem; color: var(--soft); text-decoration: none; border-radius: 6px; font-size: .94rem; line-height: 1.4; }
nav a:hover { color: var(--accent); background: var(--accent-soft); }
nav .number { font-size: .8rem; margin-right: .15rem; }
nav ol ol a { white-space: nowrap; }
main { padding: 2.5rem 0 3rem; min-width: 0; }
main > section { margin-bottom: 3.25rem; padding-bottom: .5rem; }
.dataset { border-top: 1px solid var(--line); padding-top: 1.75rem; margin-top: 1.75rem; }
.number { font-family: var(--mono); font-weight: 600; color: var(--accent); background: var(--accent-soft); border-radius: 6px; padding: .05em .42em; }
.endpoint { font-size: 1.05rem; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: .7rem 1rem; max-width: none; overflow-wrap: anywhere; }
.endpoint code { background: none; padding: 0; border: 0; }
.method { font: 700 .82rem/1 var(--mono); color: var(--accent); border: 1.5px solid currentColor; border-radius: 6px; padding: .28em .5em; margin-right: .4rem; }
code { font-family: var(--mono); font-size: .88em; background: var(--panel); border: 1px solid var(--line); border-radius: 5px; padding: .08em .32em; }
th code, td code { white-space: nowrap; }
.scroll { overflow-x: auto; margin: 1.1rem 0 1.6rem; border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; line-height: 1.5; }
caption { text-align: left; font-weight: 600; padding: .65rem .9rem; background: var(--panel); border-bottom: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; padding: .5rem .9rem; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); font-size: .82rem; font-weight: 600; white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
tbody th code, td code { background: none; border: 0; padding: 0; }
tbody th code { font-weight: 600; }
strong { color: var(--warn); font-weight: 600; }
.code { margin: 1.1rem 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; min-width: 0; }
.code figcaption { font-size: .84rem; font-weight: 600; color: var(--soft); padding: .45rem .9rem; border-bottom: 1px solid var(--line); background: var(--panel); }
pre { margin: 0; padding: .85rem .9rem; overflow-x: auto; font-size: .9rem; line-height: 1.55; tab-size: 2; }
pre code { background: none; border: 0; padding: 0; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.1rem; align-items: start; }
.pair .code { margin: .6rem 0; }
.pair pre { font-size: .82rem; }
details { margin: 0 0 1rem; }
summary { cursor: pointer; color: var(--accent); font-weight: 600; padding: .3rem 0; }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; padding: 1.5rem 0 2.5rem; }
.hljs-attr, .hljs-attribute { color: var(--c-name); }
.hljs-string, .hljs-subst { color: var(--c-text); }
.hljs-number, .hljs-literal, .hljs-variable { color: var(--c-number); }
.hljs-keyword, .hljs-built_in, .hljs-title { color: var(--c-word); }
.hljs-comment { color: var(--c-note); }
@media (max-width: 60rem) {
  .layout { grid-template-columns: minmax(0, 1fr); gap: 0; }
  nav { position: static; max-height: none; padding: 1.25rem 0 0; }
  nav > ol { display: flex; flex-wrap: wrap; gap: .15rem .35rem; }
  nav ol ol { display: none; }
  nav a { border: 1px solid var(--line); padding: .24rem .65rem; }
  .pair { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@media (max-width: 40rem) {
  .frame { padding: 0 1rem; }
  .top .frame { padding-block: 1.75rem 1.5rem; }
  .scroll { border: 0; border-radius: 0; overflow: visible; }
  caption { border-radius: 8px; border: 1px solid var(--line); }
  table, caption, tbody, tr, th, td { display: block; }
  thead { position: absolute; left: -999px; }
  tbody tr { padding: .7rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { padding: .08rem .2rem; border: 0; overflow-wrap: anywhere; }
  tbody td { color: var(--soft); }
  tbody td:empty { display: none; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #333; --paper: #fff; --panel: #fff; --line: #bbb; --accent: #000; --accent-soft: #fff; }
  html { font-size: 10pt; }
  body { font-size: 10pt; }
  nav, .skip { display: none; }
  .layout { display: block; }
  .top { background: none; }
  .scroll, pre { overflow: visible; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  h2, h3, caption, figcaption { break-after: avoid; }
  tr, .code { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
  a { text-decoration: none; }
}
`;
