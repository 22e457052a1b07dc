import { stripVTControlCharacters } from 'node:util';
import { joinLines, type Multiline, type Output } from './document.js';

/** Richest first: of several formats, the first that is there is shown. */
const RENDERERS: [type: string, render: (text: string, markdown: (text: string) => string) => string][] = [
  ['text/html', (text) => `<div class="rich">${text}</div>`],
  ['image/svg+xml', (text) => image('image/svg+xml', Buffer.from(text).toString('base64'), titleOf(text))],
  ['image/png', (text) => image('image/png', text.replace(/\s/g, ''), 'Image')],
  ['image/jpeg', (text) => image('image/jpeg', text.replace(/\s/g, ''), 'Image')],
  ['text/markdown', (text, markdown) => `<div class="prose">${markdown(text)}</div>`],
  ['text/plain', (text) => block('plain', text)],
];

/**
 * One output of a cell as HTML; empty if it has no format that a page can show. An SVG becomes an image of its own, so
 * that the names inside two of them never meet.
 *
 * @param markdown Renders Markdown.
 */
export function renderOutput(output: Output, markdown: (text: string) => string): string {
  const { output_type: type, name, data } = output;
  if (type === 'stream') return block(name === 'stderr' ? 'stderr' : 'stdout', textOf(output.text));
  if (type === 'error') return block('error', errorText(output));
  if (typeof data !== 'object' || data === null) return '';
  for (const [mime, render] of RENDERERS) {
    const part: unknown = Reflect.get(data, mime);
    if (part !== undefined) return `<div class="output">${render(textOf(part), markdown)}</div>\n`;
  }
  return '';
}

/** A text as HTML that shows it letter by letter. */
export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

function block(kind: 'stdout' | 'stderr' | 'error' | 'plain', text: string): string {
  const label = { stdout: 'Output', stderr: 'Messages', error: 'Error', plain: 'Result' }[kind];
  const body = escapeHtml(stripVTControlCharacters(text));
  return `<pre class="output ${kind}" tabindex="0" aria-label="${label}">${body}</pre>\n`;
}

function errorText({ ename, evalue, traceback }: Output): string {
  const lines = Array.isArray(traceback) ? traceback : [];
  return lines.length > 0 ? lines.join('\n') : `${String(ename)}: ${String(evalue)}`;
}

function image(type: string, base64: string, alternative: string): string {
  return `<img class="figure" alt="${escapeHtml(alternative)}" src="data:${type};base64,${base64}">`;
}

function titleOf(svg: string): string {
  return /<title[^>]*>([^<]+)<\/title>/.exec(svg)?.[1] ?? /aria-label="([^"]+)"/.exec(svg)?.[1] ?? 'Chart';
}

function textOf(value: unknown): string {
  const isMultiline =
    typeof value === 'string' || (Array.isArray(value) && value.every((line) => typeof line === 'string'));
  return isMultiline ? joinLines(value as Multiline) : JSON.stringify(value, null, 2);
}
