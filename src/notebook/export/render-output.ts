import { escapeHtml, withoutEscapes } from '../../base/texts.js';
import { CHART_SCRIPT } from '../../charts/drawing/figure-script.js';
import { isMultiline, joinLines, type Output } from '../format/nbformat.js';
import { lastState } from '../format/overwritten.js';
import { closedHtml } from './closed-html.js';

/** The functions that turn the texts of outputs into HTML. */
export interface Renderers {
  markdown(text: string): string;
  /** Returns undefined if the formula cannot be read. */
  formula(text: string): string | undefined;
  /** The chart that an output is, drawn for the page; undefined if it is none. */
  chart(output: Output): string | undefined;
  /** Called with a description of each output that the page cannot show as intended. */
  note(text: string): void;
}

/**
 * The tags of elements that reach other sites whatever the page's policy says: `meta` redirects, `link` connects in
 * advance, and for an `iframe` the browser connects before it checks the policy. `base` would turn the page's links.
 */
const ACTIVE = /(<\/?)(meta|link|base|iframe)(?=[\s/>])/gi;
/** Elements whose effect a reader may miss; other kinds of `meta`, and a `link` without `rel`, have none. */
const MISSED = /<(script|iframe|meta(?=[^<>]*http-equiv\s*=\s*["']?refresh)|link(?=[^<>]*rel))(?=[\s/>])/gi;

/** What an output with figures of ours brings along for pages that have no script for them. */
export const OWN_SCRIPT = `<script>${CHART_SCRIPT}</script>`;

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
 *
 * @param showsCode Whether the code may be seen, which errors and what the types' check says quote.
 */
export function renderOutput(output: Output, renderers: Renderers, showsCode = true): string {
  const { output_type: type, name, data } = output;
  if (type === 'stream') {
    const text = lastState(shownText(output.text));
    if (name !== 'stderr') return block('stdout', text);
    const told = showsCode ? text : withoutDiagnostics(text);
    return told === '' && text !== '' ? '' : block('stderr', told);
  }
  if (type === 'error') return block('error', showsCode ? errorText(output) : errorLine(output));
  if (typeof data !== 'object' || data === null) return '';
  const chart = renderers.chart(output);
  if (chart !== undefined) return `<div class="output">${chart}</div>\n`;
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
  const plain = withoutEscapes(text);
  const body = escapeHtml(plain);
  const manner = kind === 'stdout' && isProse(plain) ? `${kind} said` : kind;
  return `<pre class="output ${manner}" tabindex="0" aria-label="${label}">${body}</pre>\n`;
}

/** Whether a text is written in sentences, not in columns, code or numbers alone. */
function isProse(text: string): boolean {
  return !/ {2}|\t|[─│{}]|^\s*\S+\s*$/m.test(text.trim()) && /\p{L}+ \p{L}+/u.test(text);
}

function errorText({ ename, evalue, traceback }: Output): string {
  const lines = Array.isArray(traceback) ? traceback : [];
  return lines.length > 0 ? lines.join('\n') : `${String(ename)}: ${String(evalue)}`;
}

/** An error in one line, without the lines of code that it quotes. */
function errorLine({ ename, evalue }: Output): string {
  const [line = ''] = withoutEscapes(`${String(ename)}: ${String(evalue)}`).split('\n');
  return line;
}

/** Where what the types' check says begins, as the kernel writes it. */
const DIAGNOSTIC = /^(?:cell \d+:\d+:\d+ - (?:error|warning) TS\d+: |… and \d+ more in cell \d+\.$)/;

/** What was printed, without what the types' check says: it is about the code, and quotes it. */
function withoutDiagnostics(text: string): string {
  let isDiagnostic = false;
  const kept = withoutEscapes(text)
    .split('\n')
    .filter((line) => {
      // Its further lines are indented or mark a line of code.
      isDiagnostic = DIAGNOSTIC.test(line) || (isDiagnostic && /^(?:$|\s|>\s+\d+ \|)/.test(line));
      return !isDiagnostic;
    });
  return kept.join('\n');
}

/**
 * HTML of an output, made safe for a page that must send no request: elements that a policy cannot stop are renamed to
 * inert ones, which keep their place and content. What has style sheets, places itself, or leaves elements open stands
 * in a tree of its own, so that none of it reaches the page around it. The script of our own figures is left out, as the
 * page has it.
 */
function html(output: string, { note }: Renderers): string {
  const text = output.replaceAll(OWN_SCRIPT, '');
  const missed = [...new Set(Array.from(text.matchAll(MISSED), ([, name = '']) => name.toLowerCase()))].join('>, <');
  if (missed !== '')
    note(`the page shows HTML without the effect of its <${missed}>: nothing in it runs or reaches other sites`);
  // Like `meta` and `link`, `param` is empty and invisible.
  const inert = text.replace(
    ACTIVE,
    (_, start: string, name: string) => start + (/iframe/i.test(name) ? 'inert-iframe' : 'param'),
  );
  const { text: closed, isApart } = closedHtml(inert);
  return isApart
    ? `<div class="rich"><div><template shadowrootmode="open">${closed}</template></div></div>`
    : `<div class="rich">${closed}</div>`;
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
  const own = /^[^<]*(?:<\?[^<]*)?<svg\b[^<>]*?\saria-label="([^"]+)"/.exec(svg)?.[1];
  return plainText(own ?? /<title[^<>]*>([^<]+)<\/title>/.exec(svg)?.[1] ?? 'Chart');
}

/** A text of an SVG without its escapes. */
function plainText(text: string): string {
  const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => signs[name] ?? whole);
}

function shownText(value: unknown): string {
  return isMultiline(value) ? joinLines(value) : (JSON.stringify(value, null, 2) ?? '');
}
