import { createHash } from 'node:crypto';
import { escapeHtml } from '../../base/texts.js';
import { SCHEMES } from '../design/theme.js';
import type { ChartTheme } from './svg-text.js';

/** Shows a mark's description beside the pointer, or beside the mark if it has the focus. */
const SCRIPT = `'use strict';
const tip = document.querySelector('#tip');
const show = (mark, x, y) => {
  tip.replaceChildren(...mark.getAttribute('aria-label').split('; ').flatMap((line) => [line, document.createElement('br')]));
  tip.hidden = false;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 8)) + 'px';
};
addEventListener('pointermove', (event) => {
  const mark = event.target.closest('[role="graphics-symbol"][aria-label*=": "]');
  if (mark) show(mark, event.clientX, event.clientY);
  else tip.hidden = true;
});
addEventListener('pointerleave', () => { tip.hidden = true; });
`;

/**
 * A page that shows a chart. It needs no other file and no network; the marks' tips appear beside the pointer. Its
 * content security policy allows only its own script.
 *
 * @param svg The chart with its invisible marks, which catch the pointer.
 */
export function chartPage(svg: string, title = 'Chart', theme: ChartTheme = 'auto'): string {
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${colorsOf(theme)}
body{margin:0;min-height:100vh;grid-template-columns:minmax(0,1fr);display:grid;align-items:center;font:13px Helvetica,Arial,"Liberation Sans",sans-serif}
main{box-sizing:border-box;min-width:0;padding:8px;overflow-x:auto}
svg{display:block;margin:0 auto;${sizeOf(svg)}height:auto}
#tip{position:fixed;padding:6px 9px;border:1px solid;border-radius:4px;line-height:1.5;pointer-events:none;
font-variant-numeric:tabular-nums}
</style>
<main tabindex="0" aria-label="Chart">
${svg}
</main>
<div id="tip" role="status" hidden></div>
<script>${SCRIPT}</script>
</html>
`;
}

/** The chart's greatest and least width on the page, relative to its own; a narrower page scrolls. */
const [WIDEST, NARROWEST] = [1.25, 0.5];

/** The width in pixels up to which a chart is enlarged; a wider one keeps its own size. */
const READABLE = 1200;

/** CSS that keeps the chart between the least readable and the greatest width. */
function sizeOf(svg: string): string {
  const own = Number(/^<svg [^>]*?\bwidth="([\d.]+)"/.exec(svg)?.[1]);
  if (!(own > 0)) return 'max-width:100%;';
  const most = Math.max(own, Math.min(own * WIDEST, READABLE));
  return `width:100%;min-width:${Math.round(own * NARROWEST)}px;max-width:${Math.round(most)}px;`;
}

function colorsOf(theme: ChartTheme): string {
  const rule = ({ ink, paper }: { ink: string; paper: string }) => `body,#tip{color:${ink};background:${paper}}`;
  if (theme !== 'auto') return rule(SCHEMES[theme]);
  return `:root{color-scheme:light dark}
${rule(SCHEMES.light)}
@media screen and (prefers-color-scheme:dark){${rule(SCHEMES.dark)}}`;
}
