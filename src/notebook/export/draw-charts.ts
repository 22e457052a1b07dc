import { isCode, type Notebook, type Output } from '../format/nbformat.js';
import { plotlySpec } from './plotly-spec.js';

const VEGA_LITE = /^application\/vnd\.vegalite\.v\d+(\+json|\.json)$/;
const PLOTLY = /^application\/vnd\.plotly\.v1\+json$/;
/** What notebooks hold of a chart beside its description, or in its place; the description is drawn anew. */
const RICHER = 'text/html';

/** The outputs of a notebook that are charts, each as an element for a page. */
export type DrawnCharts = ReadonlyMap<Output, string>;

/**
 * Draws the charts of a notebook of which its outputs hold the description: those of Vega-Lite, and of Plotly the kinds
 * that {@link plotlySpec} knows. What is drawn comes from our own renderer, whatever picture the notebook holds beside
 * it. A chart that would load its data from elsewhere is not drawn: a page must not hold what its notebook does not.
 */
export async function drawnCharts(notebook: Notebook): Promise<DrawnCharts> {
  const drawn = new Map<Output, string>();
  for (const cell of notebook.cells) {
    for (const output of isCode(cell) ? cell.outputs : []) {
      const figure = await figureOf(output);
      if (figure !== undefined) drawn.set(output, figure);
    }
  }
  return drawn;
}

async function figureOf({ data }: Output): Promise<string | undefined> {
  if (typeof data !== 'object' || data === null || RICHER in data) return undefined;
  const spec = specIn(data);
  if (spec === undefined || loads(spec)) return undefined;
  try {
    const { chartFigure } = await import('../../charts/drawing/chart-figure.js');
    return await chartFigure(spec, { theme: hasOwnInk(spec) ? 'light' : 'auto' });
  } catch {
    // The page shows the picture that the notebook holds or, where there is none, says so and shows the chart's text.
    return undefined;
  }
}

/** Whether a chart draws its words in colours of its own, which are made for white paper, rather than the page's. */
function hasOwnInk(spec: object): boolean {
  return !JSON.stringify(Reflect.get(spec, 'config') ?? '').includes('currentColor');
}

function specIn(data: object): object | undefined {
  for (const [type, value] of Object.entries(data)) {
    if (typeof value !== 'object' || value === null) continue;
    if (VEGA_LITE.test(type)) return value;
    if (PLOTLY.test(type)) return plotlySpec(value);
  }
  return undefined;
}

/** Whether any part of a chart's description names data at an address. */
function loads(spec: unknown): boolean {
  if (typeof spec !== 'object' || spec === null) return false;
  return Object.entries(spec).some(([key, value]) => (key === 'url' && typeof value === 'string') || loads(value));
}
