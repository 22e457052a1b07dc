import { fieldOf, isObject } from '../../base/texts.js';

/** One point of a chart. */
type Point = Record<'x' | 'y' | 'trace', unknown>;

/**
 * The Vega-Lite description of a Plotly figure of lines, points, bars or a histogram, with its titles; undefined if it
 * has another kind of trace, as then only Plotly can draw it.
 *
 * @param figure `{ data, layout }` as in an output of the type `application/vnd.plotly.v1+json`.
 */
export function plotlySpec(figure: object): object | undefined {
  const traces: unknown = Reflect.get(figure, 'data');
  if (!Array.isArray(traces) || traces.length === 0) return undefined;
  const layers = traces.map((trace, at) => layerOf(trace, at));
  if (layers.includes(undefined)) return undefined;
  const layout = fieldOf(figure, 'layout');
  const title = titleIn(layout);
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    ...(title === undefined ? {} : { title }),
    width: 480,
    height: 280,
    layer: layers.map((layer) => ({ ...layer, encoding: { ...Object(layer).encoding, ...axesOf(layout, layer) } })),
  };
}

function layerOf(trace: unknown, at: number): object | undefined {
  if (!isObject(trace)) return undefined;
  const { type = 'scatter', mode = 'lines+markers', x, y, name = `trace ${at}`, orientation } = trace;
  const color = { field: 'trace', type: 'nominal', title: null };
  if (type === 'histogram') {
    const values = listOf(x) ?? [];
    const data = { values: values.map((value): Point => ({ x: value, y: null, trace: name })) };
    return { data, mark: 'bar', encoding: { x: { field: 'x', bin: true }, y: { aggregate: 'count' }, color } };
  }
  const isBar = type === 'bar';
  if (!isBar && type !== 'scatter' && type !== 'scattergl') return undefined;
  const ys = listOf(y);
  const xs = listOf(x) ?? ys?.map((_, index) => index);
  if (!xs || !ys) return undefined;
  const data = { values: xs.map((value, index): Point => ({ x: value, y: ys[index], trace: name })) };
  const kind = (values: unknown[]): string => (isBar ? barKind(values) : kindOf(values));
  const encoding = {
    x: { field: 'x', type: kind(xs) },
    y: { field: 'y', type: orientation === 'h' ? kind(ys) : kindOf(ys) },
    color,
  };
  const isLine = String(mode).includes('lines');
  const mark = isBar ? 'bar' : isLine ? { type: 'line', point: String(mode).includes('markers') } : 'point';
  return { data, mark, encoding };
}

/** The values of a list, of which an older figure may hold typed arrays as objects; undefined for anything else. */
function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function barKind(values: unknown[]): string {
  return values.every((value) => typeof value === 'number') ? 'quantitative' : 'nominal';
}

function kindOf(values: unknown[]): string {
  if (values.every((value) => typeof value === 'number' || value === null)) return 'quantitative';
  const isTime = values.every((value) => typeof value === 'string' && /^\d{4}-\d\d/.test(value));
  return isTime ? 'temporal' : 'nominal';
}

/** The titles of the axes; of a histogram, the first only. */
function axesOf(layout: unknown, layer: object | undefined): object {
  const encoding = Object(fieldOf(layer, 'encoding'));
  const titled = (['x', 'y'] as const).map((axis) => {
    const title = titleIn(fieldOf(layout, `${axis}axis`));
    return [axis, { ...encoding[axis], title: title ?? null }];
  });
  return Object.fromEntries(titled);
}

/** Plotly takes a title as text or as `{ text }`. */
function titleIn(part: unknown): string | undefined {
  const title = fieldOf(part, 'title');
  const text = isObject(title) ? title.text : title;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
