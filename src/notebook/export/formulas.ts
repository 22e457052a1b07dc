import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import temml from 'temml';
import { escapeHtml } from '../../base/texts.js';

const DISPLAYED = String.raw`\$\$(?:\\[\s\S]|[^\\$]){1,5000}\$\$|\\begin\{([a-z]+\*?)\}[\s\S]{1,5000}?\\end\{\1\}`;

/** The beginning of a price, not of a formula: `US$5`, `$5 (or US$`. */
const PRICE = String.raw`(?<=\w)\$\d|\$\d[^$]*\b(?:US|AU|CA|HK|NZ|SG)\$`;

/** Inline formulas as in Jupyter, except that neither `$5 and $6` nor text that ends in a link's address is one. */
const INLINE = String.raw`(?!${PRICE})\$(?![\s$]|[^[$]*\]\()(?:\\[\s\S]|[^\\$${'`'}]){1,5000}(?<!\s)\$(?!\d)`;

const FORMULA = new RegExp(`${DISPLAYED}|${INLINE}`, 'y');
const BLOCK = new RegExp(String.raw`(?:${DISPLAYED})(?=[ \t]*(?:\n|$))`, 'y');

/** How many characters the macros of a formula may expand to: bounds the number of expansions times its length. */
const MOST_EXPANDED = 500_000;

/** How many lines a displayed formula may have. */
const MOST_LINES = 200;

/** Plugin of markdown-it that typesets formulas: `$…$` inline, `$$…$$` and `\begin{…}…\end{…}` displayed. */
export function formulas(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'formula', inlineFormula);
  markdown.block.ruler.before('fence', 'formula', blockFormula, { alt: ['paragraph', 'blockquote', 'list'] });
  const html = (source: string): string => typeset(source) ?? escapeHtml(source);
  markdown.renderer.rules.formula = (tokens, index) => html(tokens[index]?.content ?? '');
  markdown.renderer.rules.formula_block = (tokens, index) => `<p>${html(tokens[index]?.content ?? '')}</p>\n`;
}

/** A LaTeX formula, with its dollar signs or environment, as MathML; undefined if it cannot be read. */
export function typeset(source: string): string | undefined {
  if (matchAt(FORMULA, source, 0) !== source) return undefined;
  const [, dollars = ''] = /^(\${0,2})/.exec(source) ?? [];
  const tex = source.slice(dollars.length, source.length - dollars.length);
  const maxExpand = Math.min(1000, MOST_EXPANDED / tex.length);
  try {
    return temml.renderToString(tex, { displayMode: dollars !== '$', throwOnError: true, maxExpand });
  } catch {
    return undefined;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function inlineFormula(state: StateInline, isSilent: boolean): boolean {
  const source = matchAt(FORMULA, state.src, state.pos);
  if (source === undefined) return false;
  if (!isSilent) state.push('formula', 'math', 0).content = source;
  state.pos += source.length;
  return true;
}

function blockFormula(state: StateBlock, start: number, end: number, isSilent: boolean): boolean {
  const isCode = (state.sCount[start] ?? 0) - state.blkIndent >= 4;
  const first = state.src.slice((state.bMarks[start] ?? 0) + (state.tShift[start] ?? 0), state.eMarks[start]);
  if (isCode || !/^(?:\$\$|\\begin\{)/.test(first)) return false;
  const text = state.getLines(start, Math.min(end, start + MOST_LINES), state.blkIndent, false).trimStart();
  const source = matchAt(BLOCK, text, 0);
  if (source === undefined) return false;
  if (isSilent) return true;
  state.line = start + source.split('\n').length;
  Object.assign(state.push('formula_block', 'math', 0), { content: source, block: true, map: [start, state.line] });
  return true;
}
