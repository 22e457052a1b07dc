import { escapeHtml, withoutEscapes } from '../../base/texts.js';
import { isMultiline, joinLines, type Output } from '../format/nbformat.js';

/** The functions that turn the texts of outputs into HTML. */
export interface Renderers {
  markdown(text: string): string;
  /** Returns undefined if the formula cannot be read. */
  formula(text: string): string | undefined;
  /** Called with a description of each output that the page cannot show as intended. */
  note(text: string): void;
}

/**
 * The tags of elements that reach other sites whatever the page's policy says: `meta` redirects, `link` connects in
 * advance, and for an `iframe` the browser connects before it checks the policy.
 */
const ACTIVE = /(<\/?)(meta|link|iframe)(?=[\s/>])/gi;
/** Elements whose effect a reader may miss; other kinds of `meta`, and a `link` without `rel`, have none. */
const MISSED = /<(script|iframe|meta(?=[^<>]*http-equiv\s*=\s*["']?refresh)|link(?=[^<>]*rel))(?=[\s/>])/gi;

type Renderer = [type: string, render: (text: string, renderers: Renderers) => string];

/** Renderers by MIME type, the richest first: of an output's formats, the first is shown. */
const RENDERERS: Renderer[] = [
  ['text/html', html],
  ['image/svg+xml', svg],
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp'].map((type): Renderer => [type, picture(type)]),
  ['text/markdown', (text, { markdown }) => `<div class="prose">${markdown(text)}</div>`],
  ['text/latex', (text, { formula }) => formula(text.trim()) ?? block('latex', text)],
  ['application/json', (text) => block('json', text)],
  ['text/plain', (text) => block('plain', text)],
];

/**
 * Renders one output of a cell as HTML; an empty string if it has no format that a page can show. An SVG becomes an
 * image of its own, so that ids in two of them cannot clash.
 */
export function renderOutput(output: Output, renderers: Renderers): string {
  const { output_type: type, name, data } = output;
  if (type === 'stream') return block(name === 'stderr' ? 'stderr' : 'stdout', overwritten(shownText(output.text)));
  if (type === 'error') return block('error', errorText(output));
  if (typeof data !== 'object' || data === null) return '';
  noteUnknown(Object.keys(data), renderers);
  for (const [mime, render] of RENDERERS) {
    const part: unknown = Reflect.get(data, mime);
    // In JSON a string or a list of strings is data, not a text in lines.
    const text = mime === 'application/json' ? JSON.stringify(part, null, 2) : shownText(part);
    if (part !== undefined) return `<div class="output">${render(text, renderers)}</div>\n`;
  }
  return '';
}

function noteUnknown(types: string[], { note }: Renderers): void {
  const isRich = types.some((type) => type !== 'text/plain' && RENDERERS.some(([known]) => known === type));
  const unknown = types.filter((type) => type !== 'text/plain');
  if (isRich || unknown.length === 0) return;
  const instead = types.includes('text/plain') ? 'text' : 'nothing';
  note(`the page cannot show ${unknown.join(', ')}, and shows ${instead} instead`);
}

const LABELS = {
  stdout: 'Output',
  stderr: 'Messages',
  error: 'Error',
  plain: 'Result',
  latex: 'Formula in LaTeX',
  json: 'Data',
} as const;

function block(kind: keyof typeof LABELS, text: string): string {
  const label = LABELS[kind];
  const body = escapeHtml(withoutEscapes(text));
  return `<pre class="output ${kind}" tabindex="0" aria-label="${label}">${body}</pre>\n`;
}

/** A text as a terminal finally shows it: what follows a carriage return within a line overwrites the line. */
function overwritten(text: string): string {
  const lastState = (line: string): string => line.replace(/(?<!\r)\r+$/, '').replace(/^.*\r/s, '');
  return text.split('\n').map(lastState).join('\n');
}

function errorText({ ename, evalue, traceback }: Output): string {
  const lines = Array.isArray(traceback) ? traceback : [];
  return lines.length > 0 ? lines.join('\n') : `${String(ename)}: ${String(evalue)}`;
}

/**
 * HTML of an output, made safe for a page that must send no request: elements that a policy cannot stop are renamed to
 * inert ones, which keep their place and content.
 */
function html(text: string, { note }: Renderers): string {
  const missed = [...new Set(Array.from(text.matchAll(MISSED), ([, name = '']) => name.toLowerCase()))].join('>, <');
  if (missed !== '')
    note(`the page shows HTML without the effect of its <${missed}>: nothing in it runs or reaches other sites`);
  // Like `meta` and `link`, `param` is empty and invisible.
  const inert = text.replace(
    ACTIVE,
    (_, start: string, name: string) => start + (/iframe/i.test(name) ? 'inert-iframe' : 'param'),
  );
  return `<div class="rich">${inert}</div>`;
}

/** An SVG as an image. One that adapts to the viewer's colour scheme needs no white background. */
function svg(text: string): string {
  const kind = text.includes('prefers-color-scheme') ? 'figure adaptive' : 'figure';
  return image('image/svg+xml', Buffer.from(text).toString('base64'), titleOf(text), kind);
}

function picture(type: string) {
  return (text: string): string => image(type, text.replace(/\s/g, ''), 'Image');
}

function image(type: string, base64: string, alternative: string, kind = 'figure'): string {
  return `<img class="${kind}" alt="${escapeHtml(alternative)}" src="data:${type};base64,${base64}">`;
}

function titleOf(svg: string): string {
  return /<title[^<>]*>([^<]+)<\/title>/.exec(svg)?.[1] ?? /aria-label="([^"]+)"/.exec(svg)?.[1] ?? 'Chart';
}

function shownText(value: unknown): string {
  return isMultiline(value) ? joinLines(value) : (JSON.stringify(value, null, 2) ?? '');
}
