import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import { type Html, html, trusted } from '../../page/html.js';

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
