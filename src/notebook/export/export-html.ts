import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { readAsset } from '../../base/packages.js';
import { escapeHtml } from '../../base/texts.js';
import { type Cell, codeCells, isCode, joinLines, type Notebook } from '../format/nbformat.js';
import { type Renderers, renderOutput } from './render-output.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'none'",
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
interface ExportOptions {
  /** Full path of the notebook's folder; pictures in Markdown are relative to it. */
  folder: string;
  /** Called with a description of each thing that the page cannot show as intended. */
  onNote: (text: string) => void;
}

/**
 * Renders a notebook as one self-contained HTML page: no scripts, no requests, all pictures embedded.
 *
 * @param name The title if the notebook has no first-level heading.
 */
export async function exportHtml(notebook: Notebook, name: string, options: ExportOptions): Promise<string> {
  const renderers = await loadRenderers(notebook.cells.some(mayHoldFormula), options);
  const numbers = new Map(codeCells(notebook.cells).map(({ cell, number }) => [cell as Cell, number]));
  const cells = notebook.cells.map((cell) => {
    const place = numbers.has(cell) ? `cell ${numbers.get(cell)}: ` : '';
    const note = (text: string): void => options.onNote(place + text);
    return renderCell(cell, { ...renderers, note });
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="oddslab">
<title>${escapeHtml(titleOf(notebook) ?? name)}</title>
<style>
${readAsset('notebook/export/page.css')}</style>
</head>
<body>
<main>
${cells.join('')}</main>
</body>
</html>
`;
}

async function loadRenderers(
  hasFormulas: boolean,
  { folder, onNote }: ExportOptions,
): Promise<Omit<PageRenderers, 'note'>> {
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

function renderCell(cell: Cell, renderers: PageRenderers): string {
  const source = joinLines(cell.source);
  if (cell.cell_type === 'markdown') {
    const body = renderers.markdown(withAttachments(source, cell.attachments));
    return `<section class="cell prose">\n${body}</section>\n`;
  }
  if (!isCode(cell)) return `<section class="cell"><pre class="source">${escapeHtml(source)}</pre></section>\n`;
  if (source.trim() === '') return '';
  const count = cell.execution_count === null ? '' : `<div class="count">[${cell.execution_count}]</div>\n`;
  const code = `<pre class="source" tabindex="0" aria-label="Code"><code>${renderers.code(source)}</code></pre>\n`;
  const outputs = cell.outputs.map((output) => renderOutput(output, renderers)).join('');
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
