import { escapeHtml } from '../../base/texts.js';
import { SCHEMES } from '../design/theme.js';
import { CHART_SCRIPT, CHART_SCRIPT_SOURCE, CHART_STYLES } from './figure-script.js';
import type { ChartTheme } from './svg-text.js';

/**
 * A page that shows a chart. It needs no other file and no network; the points' tips appear beside the pointer, and for
 * the arrow keys. Its content security policy allows only its own script.
 *
 * @param figure The chart, as `chartFigure` makes it.
 */
export function chartPage(figure: string, title = 'Chart', theme: ChartTheme = 'auto'): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${CHART_SCRIPT_SOURCE}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
${colorsOf(theme)}
body{margin:0;min-height:100vh;grid-template-columns:minmax(0,1fr);display:grid;align-items:center}
.unseen{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
main{box-sizing:border-box;min-width:0;padding:8px}
${CHART_STYLES}.chart-view{margin:0 auto}
.chart-view.wide svg{margin:0 auto;${sizeOf(figure)}}
</style>
<script>${CHART_SCRIPT}</script>
<main>
<h1 class="unseen">${escapeHtml(title)}</h1>
${figure}
</main>
</html>
`;
}

/** How much a chart is enlarged at most on a wide page, and the width in pixels up to which it is. */
const [LARGEST, READABLE] = [1.25, 1200];

/** CSS that lets a chart grow on a wide page. */
function sizeOf(figure: string): string {
  const own = Number(/<svg [^>]*?\bwidth="([\d.]+)"/.exec(figure)?.[1]);
  if (!(own > 0)) return '';
  return `width:100%;max-width:${Math.round(Math.max(own, Math.min(own * LARGEST, READABLE)))}px`;
}

function colorsOf(theme: ChartTheme): string {
  const rule = ({ ink, paper }: { ink: string; paper: string }) => `body{color:${ink};background:${paper}}`;
  if (theme !== 'auto') return `:root{color-scheme:${theme}}\n${rule(SCHEMES[theme])}`;
  return `:root{color-scheme:light dark}
${rule(SCHEMES.light)}
@media screen and (prefers-color-scheme:dark){${rule(SCHEMES.dark)}}`;
}
