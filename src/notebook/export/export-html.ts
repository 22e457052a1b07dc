import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { readAsset } from '../../base/packages.js';
import { escapeHtml } from '../../base/texts.js';
import { CHART_SCRIPT_SOURCE, CHART_STYLES } from '../../charts/drawing/figure-script.js';
import {
  type Cell,
  codeCells,
  isCode,
  isMultiline,
  joinLines,
  type Notebook,
  type Output,
} from '../format/nbformat.js';
import { type DrawnCharts, drawnCharts } from './draw-charts.js';
import { OWN_SCRIPT, type Renderers, renderOutput } from './render-output.js';

/** @param script The source of the only script that may run: that of charts, where a page has some. */
const policyOf = (script: string): string =>
  [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

interface PageRenderers extends Renderers {
  code(text: string): string;
}

/** How a page is made. */
export interface ExportOptions {
  /** Full path of the notebook's folder; pictures in Markdown are relative to it. */
  folder: string;
  /** Called with a description of each thing that the page cannot show as intended. */
  onNote: (text: string) => void;
  /** Whether the page shows the code of cells; without it, only prose and outputs, for readers. Default: true. */
  code?: boolean;
}

/**
 * Renders a notebook as one self-contained HTML page: no requests, all pictures embedded, and no script but our own of
 * its charts, which shows what their points say.
 *
 * @param name The title if the notebook has no first-level heading.
 */
export async function exportHtml(notebook: Notebook, name: string, options: ExportOptions): Promise<string> {
  const charts = await drawnCharts(notebook);
  const page = chartParts(charts, notebook.cells);
  const renderers = await loadRenderers(notebook.cells.some(mayHoldFormula), options);
  const numbers = new Map(codeCells(notebook.cells).map(({ cell, number }) => [cell as Cell, number]));
  const cells = notebook.cells.map((cell) => {
    const place = numbers.has(cell) ? `cell ${numbers.get(cell)}: ` : '';
    const note = (text: string): void => options.onNote(place + text);
    return renderCell(cell, { ...renderers, note, chart: (output) => charts.get(output) }, options.code ?? true);
  });
  const hasCode =
    (options.code ?? true) && notebook.cells.some((cell) => isCode(cell) && joinLines(cell.source).trim() !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(page.source)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="oddslab">
<title>${escapeHtml(titleOf(notebook) ?? name)}</title>
<style>
${readAsset('notebook/export/page.css')}${page.styles}</style>
${page.script}</head>
<body>
<main>
${hasCode ? FOLD : ''}${cells.join('')}</main>
</body>
</html>
`;
}

/** A switch that hides the code of all cells; it is the style that reads it, so that it works without scripts. */
const FOLD = '<label class="fold"><input type="checkbox" id="fold-code"> Hide the code</label>\n';

/** What a page with charts has once, however many they are; a page without charts allows no script. */
function chartParts(charts: DrawnCharts, cells: readonly Cell[]): Record<'source' | 'styles' | 'script', string> {
  const hasFigures = charts.size > 0 || cells.some((cell) => isCode(cell) && cell.outputs.some(bringsScript));
  if (!hasFigures) return { source: "'none'", styles: '', script: '' };
  return { source: CHART_SCRIPT_SOURCE, styles: CHART_STYLES, script: `${OWN_SCRIPT}\n` };
}

/** Whether an output is markup with figures of ours, such as a tear sheet. */
function bringsScript({ data }: Output): boolean {
  const markup: unknown = Reflect.get(Object(data), 'text/html');
  return isMultiline(markup) && joinLines(markup).includes(OWN_SCRIPT);
}

async function loadRenderers(
  hasFormulas: boolean,
  { folder, onNote }: ExportOptions,
): Promise<Omit<PageRenderers, 'note' | 'chart'>> {
  const { default: MarkdownIt } = await import('markdown-it');
  const { default: highlighter } = await import('highlight.js/lib/core');
  const { default: typescript } = await import('highlight.js/lib/languages/typescript');
  highlighter.registerLanguage('typescript', typescript);
  const code = (text: string): string => highlighter.highlight(text, { language: 'typescript' }).value;
  const highlight = (text: string, language: string): string =>
    ['ts', 'typescript', 'js', 'javascript'].includes(language) ? code(text) : '';
  const markdown = new MarkdownIt({ html: false, linkify: false, highlight });
  // A notebook's attached pictures become data URLs, of which the default allows only some types.
  const isSafe = markdown.validateLink.bind(markdown);
  markdown.validateLink = (url: string) => isSafe(url) || /^data:image\/[\w.+-]+;base64,/.test(url);
  const image = markdown.renderer.rules.image;
  markdown.renderer.rules.image = (tokens, index, ...rest) => {
    const address = String(tokens[index]?.attrGet('src') ?? '');
    const onMissing = (why: string): void => onNote(`the page lacks the picture ${address}: ${why}`);
    tokens[index]?.attrSet('src', embeddedPicture(address, folder, onMissing));
    return image?.(tokens, index, ...rest) ?? '';
  };
  for (const kind of ['fence', 'code_block'] as const) {
    const block = markdown.renderer.rules[kind];
    // It may be wider than the page, and the keyboard has to reach what scrolls.
    markdown.renderer.rules[kind] = (...args) => {
      return (block?.(...args) ?? '').replace(/^<pre/, '<pre tabindex="0" aria-label="Code"');
    };
  }
  const renderers = { markdown: (text: string) => markdown.render(text), code };
  if (!hasFormulas) return { ...renderers, formula: () => undefined };
  const { formulas, typeset } = await import('./formulas.js');
  markdown.use(formulas);
  return { ...renderers, formula: typeset };
}

function mayHoldFormula(cell: Cell): boolean {
  if (!isCode(cell)) return /\$|\\begin\{/.test(joinLines(cell.source));
  return cell.outputs.some(({ data }) => ['text/latex', 'text/markdown'].some((type) => type in Object(data)));
}

function renderCell(cell: Cell, renderers: PageRenderers, showsCode: boolean): string {
  const source = joinLines(cell.source);
  if (cell.cell_type === 'markdown') {
    const body = renderers.markdown(withAttachments(source, cell.attachments));
    return `<section class="cell prose">\n${body}</section>\n`;
  }
  if (!isCode(cell)) return `<section class="cell"><pre class="source">${escapeHtml(source)}</pre></section>\n`;
  if (source.trim() === '') return '';
  const count = cell.execution_count === null ? '' : `<div class="count">[${cell.execution_count}]</div>\n`;
  const code = `<pre class="source" tabindex="0" aria-label="Code"><code>${renderers.code(source)}</code></pre>\n`;
  const outputs = cell.outputs.map((output) => renderOutput(output, renderers, showsCode)).join('');
  if (!showsCode) return outputs === '' ? '' : `<section class="cell">\n${outputs}</section>\n`;
  return `<section class="cell">\n${count}${code}${outputs}</section>\n`;
}

/** Replaces `attachment:name` in a cell's Markdown by the picture that is attached to the cell. */
function withAttachments(source: string, attachments: unknown): string {
  if (typeof attachments !== 'object' || attachments === null) return source;
  return source.replace(/\(attachment:([^)\s]+)/g, (link, name: string) => {
    const bundle: unknown = Reflect.get(attachments, decoded(name)) ?? Reflect.get(attachments, name);
    if (typeof bundle !== 'object' || bundle === null) return link;
    const [type, data] = Object.entries(bundle).find(([type]) => type.startsWith('image/')) ?? [];
    const base64 = Array.isArray(data) ? data.join('') : String(data);
    return type ? `(data:${type};base64,${base64.replace(/\s/g, '')}` : link;
  });
}

/** Decodes a URL-encoded name; one that cannot be decoded, such as `50%.png`, stays as it is. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function titleOf(notebook: Notebook): string | undefined {
  for (const cell of notebook.cells) {
    const heading = cell.cell_type === 'markdown' ? /^# +(.+)$/m.exec(joinLines(cell.source)) : null;
    if (heading?.[1]) return heading[1].replace(/[*_`]/g, '').trim();
  }
  return undefined;
}

/** Picture types by file extension; `looks` matches the first bytes of such a file, read as Latin-1. */
const TYPES: Readonly<Record<string, { type: string; looks: RegExp }>> = {
  '.avif': { type: 'image/avif', looks: /^.{4}ftyp/s },
  '.gif': { type: 'image/gif', looks: /^GIF8/ },
  '.jpeg': { type: 'image/jpeg', looks: /^\xff\xd8\xff/ },
  '.jpg': { type: 'image/jpeg', looks: /^\xff\xd8\xff/ },
  '.png': { type: 'image/png', looks: /^\x89PNG\r\n/ },
  '.svg': { type: 'image/svg+xml', looks: /<(?:\w+:)?svg[\s>]/ },
  '.webp': { type: 'image/webp', looks: /^RIFF.{4}WEBP/s },
};

const MOST_MEGABYTES = 20;

/**
 * A picture's address in a self-contained page: a file's content as a data URL, or the address itself, and the reason,
 * if it cannot be embedded. Only files in the notebook's folder or below are: it may come from somebody else.
 */
function embeddedPicture(address: string, folder: string, onMissing: (why: string) => void): string {
  if (/^data:/i.test(address)) return address;
  try {
    if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address)) throw new Error('it is no file beside the notebook');
    const path = resolve(folder, decodeURIComponent(address.replace(/[?#].*$/, '')));
    const known = TYPES[extname(path).toLowerCase()];
    if (known === undefined) throw new Error(`its name ends in none of ${Object.keys(TYPES).join(', ')}`);
    const bytes = fileWithin(folder, path);
    if (!known.looks.test(bytes.toString('latin1'))) throw new Error(`its content is no ${known.type}`);
    return `data:${known.type};base64,${bytes.toString('base64')}`;
  } catch (cause) {
    onMissing(messageOf(cause));
    return address;
  }
}

function fileWithin(folder: string, path: string): Buffer {
  const real = realpathSync(path);
  const way = relative(realpathSync(folder), real);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new Error("it lies outside the notebook's folder");
  const found = statSync(real);
  if (!found.isFile()) throw new Error('it is no file');
  if (found.size > MOST_MEGABYTES * 1e6) throw new Error(`it is larger than ${MOST_MEGABYTES} MB`);
  return readFileSync(real);
}
