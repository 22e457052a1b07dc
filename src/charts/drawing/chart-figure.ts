import { NARROW, narrowSpec } from '../design/narrow-spec.js';
import { plotsData, tipsData } from './chart-points.js';
import { type DrawnPoints, renderWithPoints } from './render-svg.js';
import type { ChartTheme } from './svg-text.js';

/** How a figure is drawn. */
export interface FigureOptions {
  /** Its colours; by default they follow the page. */
  theme?: ChartTheme;
  /** Called with what Vega-Lite says of the specification, and with links that are left out as unsafe. */
  onWarning?: (text: string) => void;
}

/** The least size of a label on a page, and that of labels as they are drawn, in pixels. */
const [LEAST_LABEL, LABEL] = [10, 11];

/**
 * A chart as an HTML element for a page: the picture, a second one for narrow places if the first would have labels
 * under 10 pixels there, and the points' tips. The page needs {@link CHART_STYLES} and {@link CHART_SCRIPT} once, and
 * {@link CHART_SCRIPT_SOURCE} in its policy. Without the script, the picture stays.
 *
 * @param spec The Vega-Lite specification, as `chart.spec`.
 * @throws {OddslabError} If it cannot be drawn.
 * @throws {UsageError} If it has an unknown mark.
 * @example const html = await chartFigure(winRateChart(pnl).spec);
 */
export async function chartFigure(spec: object, options: FigureOptions = {}): Promise<string> {
  const { theme = 'auto', onWarning = () => {} } = options;
  const wide = await renderWithPoints(spec, { theme }, onWarning);
  const narrow = wide.width * LEAST_LABEL <= NARROW * LABEL ? undefined : await drawnNarrow(spec, theme);
  const tips = tipsData(wide);
  if (narrow === undefined) return `<figure class="chart-figure"${tips}>${viewOf('wide', wide)}</figure>`;
  const own = tipsData(narrow);
  const name = `f${wide.name}`;
  const from = Math.ceil((wide.width * LEAST_LABEL) / LABEL);
  const style = `@container (max-width:${from - 1}px){.${name}>.wide{display:none}.${name}>.narrow{display:block}}`;
  return (
    `<figure class="chart-figure ${name}"${tips}><style>${style}</style>` +
    `${viewOf('wide', wide)}${viewOf('narrow', narrow, own === tips ? undefined : own)}</figure>`
  );
}

/** The picture for narrow places; undefined if it cannot be made narrow enough. */
async function drawnNarrow(spec: object, theme: ChartTheme): Promise<DrawnPoints | undefined> {
  const at = (width: number) => renderWithPoints(narrowSpec(spec, width), { theme, isNarrow: true }, () => {});
  try {
    const first = await at(NARROW);
    if (first.width <= NARROW + 1) return first;
    // Of several views, the width is that between the axes of each: what stands beside them is known once it is drawn.
    const second = await at(Math.max(80, 2 * NARROW - first.width));
    return second.width < first.width ? second : first;
  } catch {
    return undefined;
  }
}

function viewOf(kind: 'wide' | 'narrow', points: DrawnPoints, tips = ''): string {
  return `<div class="chart-view ${kind}"${plotsData(points)}${tips}>${points.svg}</div>`;
}
