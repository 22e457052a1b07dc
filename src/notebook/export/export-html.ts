import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { messageOf } from '../../base/errors.js';
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
<style>${PAGE_STYLE}</style>
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
 * The address of a picture in a self-contained page: a file's content as a data URL. Only files in the notebook's
 * folder or below are embedded, because the notebook may come from somebody else.
 *
 * @param address The address in the Markdown, relative to the notebook's folder.
 * @param onMissing Called with the reason if the picture cannot be embedded; its address is then returned unchanged.
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

/** The style sheet of an exported notebook: light and dark by the reader's preference, and fit for print. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --code: #f6f8fa; --link: #0550ae;
  --warn: #fff8e5; --warn-line: #b7791f; --bad: #fff0ef; --bad-line: #c93c37;
  --keyword: #a0111f; --string: #0a3069; --number: #0550ae; --comment: #59636e; --title: #6639ba;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16181d; --ink: #e6edf3; --soft: #9ea7b3; --line: #39424c; --code: #1d232a; --link: #79b8ff;
    --warn: #2b2410; --warn-line: #d9a441; --bad: #331a1a; --bad-line: #ff7b72;
    --keyword: #ff8f85; --string: #a5d6ff; --number: #79c0ff; --comment: #9ea7b3; --title: #d2a8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 17px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 0.6em; text-wrap: balance; }
h1 { font-size: 2.1rem; margin-top: 0; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.2rem; }
.prose p, .prose li { max-width: 44rem; }
.prose blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--soft); }
.prose img { max-width: 100%; }
.prose table { border-collapse: collapse; }
.prose th, .prose td { padding: 0.3em 0.8em; border-bottom: 1px solid var(--line); text-align: left; }
code, pre { font: 0.85rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
pre { margin: 0; padding: 0.8rem 1rem; overflow-x: auto; border-radius: 6px; }
.prose :not(pre) > code { padding: 0.1em 0.35em; border-radius: 4px; background: var(--code); }
.prose pre, .source { background: var(--code); border: 1px solid var(--line); }
.source { white-space: pre-wrap; overflow-wrap: anywhere; }
.cell { margin: 1.4rem 0; }
.count { color: var(--soft); font: 0.75rem/1.8 ui-monospace, monospace; }
.output { margin-top: 0.6rem; overflow-x: auto; }
.rich { font-size: 0.9rem; }
/* What is wider than the page has a shade at the edge behind which there is more: the covers move along, the shades stay. */
div.output, .rich .box {
  --shade: color-mix(in srgb, var(--ink) 32%, transparent);
  background:
    linear-gradient(90deg, var(--page) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local,
    linear-gradient(270deg, var(--page) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
    linear-gradient(90deg, var(--shade), transparent) 0 0 / 0.9rem 100% no-repeat,
    linear-gradient(270deg, var(--shade), transparent) 100% 0 / 0.9rem 100% no-repeat;
}
.rich .box::-webkit-scrollbar { background: var(--page); }
pre.output { border-left: 3px solid var(--line); border-radius: 0; white-space: pre; max-height: 40rem; overflow: auto; }
pre.stdout, pre.stderr { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.stderr { background: var(--warn); border-color: var(--warn-line); }
pre.error { background: var(--bad); border-color: var(--bad-line); }
.figure { display: block; max-width: 100%; height: auto; padding: 0.75rem; border-radius: 6px; background: #ffffff; }
.figure.adaptive { padding: 0; background: none; }
.hljs-keyword, .hljs-literal, .hljs-built_in { color: var(--keyword); }
.hljs-string, .hljs-regexp { color: var(--string); }
.hljs-number, .hljs-attr, .hljs-property { color: var(--number); }
.hljs-comment { color: var(--comment); font-style: italic; }
.hljs-title, .hljs-type { color: var(--title); }
@media print {
  pre, pre.output { max-height: none; overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; }
  div.output, .rich .box { overflow: visible; background: none; }
  main { max-width: none; padding: 0; }
  .cell { break-inside: avoid-page; }
}
`;
