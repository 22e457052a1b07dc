import { UsageError } from '../../base/errors.js';
import { recoloured } from '../design/chart-options.js';
import { type ChartSpec, saidOf } from '../design/chart-spec.js';
import { LINE_COLORS } from '../design/theme.js';
import { axesTogether } from './shared-axes.js';

/** Properties that belong to the whole chart, not to a layer. */
const OF_THE_WHOLE = ['$schema', 'title', 'description', 'width', 'height', 'autosize', 'config', 'usermeta'] as const;

/**
 * Draws charts over each other on the same axes. Title, size, theme and the look of the axes are those of the first.
 * The others get colours of their own, the subtitle names them, and the description says what they show.
 *
 * @throws {UsageError} If one of them has views side by side, such as a facet, or they share no axis.
 */
export function layeredSpec(specs: readonly ChartSpec[]): ChartSpec {
  const [first] = specs;
  const whole = Object.fromEntries(OF_THE_WHOLE.map((key) => [key, first && Reflect.get(first, key)]));
  const kept = Object.entries(whole).filter(([, value]) => value !== undefined);
  const views = specs
    .flatMap(viewsOf)
    .map((view, at) =>
      recoloured(view, LINE_COLORS[COLOR_ORDER[at % COLOR_ORDER.length] as number], ['data', 'scale']),
    );
  const { layers, resolve } = axesTogether(views);
  const about = { ...titleOver(first, specs.slice(1)), ...descriptionOver(first, specs.slice(1)) };
  return { ...Object.fromEntries(kept), ...about, layer: layers, ...(resolve && { resolve }) };
}

/** The index of each chart's colour among the line colours, so that no two charts have the same. */
const COLOR_ORDER = [0, 3, 2, 5, 7];

/** The first chart's title, with the others' titles added to its subtitle. */
function titleOver(first: ChartSpec | undefined, others: readonly ChartSpec[]): { title?: object } {
  const { text, subtitle, ...look } = Object(first?.title) as { text?: unknown; subtitle?: unknown };
  const over = others.flatMap(({ title }) => [Reflect.get(Object(title), 'text') ?? []].flat().join(' ') || []);
  if (text === undefined || over.length === 0) return {};
  return { title: { text, ...look, subtitle: [subtitle ?? [], `Over it: ${over.join('; ')}`].flat() } };
}

/** What the first chart shows, and what those over it do. */
function descriptionOver(first: ChartSpec | undefined, others: readonly ChartSpec[]): { description?: string } {
  const over = others.flatMap((other) => saidOf(other) ?? []);
  if (over.length === 0) return {};
  const own = first && saidOf(first);
  return { description: own === undefined ? over.join('. ') : `${own}. Over it: ${over.join('. ')}` };
}

/** The view of a chart; of a chart that only layers other charts, each of their views. */
function viewsOf(spec: ChartSpec): object[] {
  const view = layerOf(spec);
  const { layer, resolve = {}, ...rest } = view as { layer?: object[]; resolve?: { scale?: object } };
  const { scale = {}, ...others } = resolve;
  const own = Object.keys({ ...rest, ...others, ...scale });
  return layer && own.every((key) => key === 'x' || key === 'y') ? layer : [view];
}

function layerOf(spec: ChartSpec): object {
  if (!('mark' in spec) && !('layer' in spec)) {
    throw new UsageError(
      'A chart of several views, such as a facet, cannot be layered: layer what is in each of them.',
    );
  }
  const entries = Object.entries(spec).filter(([key]) => !(OF_THE_WHOLE as readonly string[]).includes(key));
  return Object.fromEntries(entries);
}
