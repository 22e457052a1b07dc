import { FONT_SIZES } from './theme.js';
import { BOLD, titleOf, wrappedText } from './title-text.js';

/** The width in pixels of a whole picture for a phone. */
export const NARROW = 350;

/** Room around a narrow picture, the widest name beside an axis, and the most ticks along x. */
const [PADDING, MOST_NAME, MOST_TICKS] = [4, 110, 4];

/** Views that a specification holds side by side or below each other. */
const SIDE_BY_SIDE = ['concat', 'hconcat', 'vconcat'] as const;

/**
 * A chart for a phone: the same words in narrower lines, fewer ticks, the legend below, and views below each other.
 * What `usermeta.narrow` of the specification holds takes the place of its members of the same names, and null removes
 * one.
 *
 * @param spec A specification of Vega-Lite. The notebook page imports this, too, and has none of Node's types.
 * @param width Of a single view the width of the whole picture; of several views, that of each between its axes.
 * @param room The width in which words have to fit. Default: that of a phone.
 */
export function narrowSpec(spec: object, width: number, room = NARROW): object {
  const { usermeta, ...rest } = spec as Look;
  const own: unknown = Reflect.get(Object(usermeta), 'narrow');
  const entries = Object.entries({ ...rest, ...Object(own) }).filter(([, value]) => value !== null);
  const whole: Look = Object.fromEntries(entries);
  const config: unknown = whole.config;
  const legend = { ...Object(Reflect.get(Object(config), 'legend')), orient: 'bottom', columns: 2 };
  const about = {
    ...whole,
    ...narrowTitle(whole, room - 2 * PADDING),
    config: { ...Object(config), padding: PADDING, legend },
  };
  const isSingle = 'mark' in whole || 'layer' in whole;
  if (isSingle) return { ...narrowView(about, width, room), autosize: { type: 'fit-x', contains: 'padding' } };
  return narrowView(about, width, room);
}

function narrowView(view: object, width: number, room: number): Look {
  const parts = SIDE_BY_SIDE.find((key) => key in view);
  if (parts !== undefined) {
    const { [parts]: inner, columns: _, ...rest } = view as Record<string, unknown>;
    const stacked = [inner].flat().map((part) => {
      const narrow = narrowView(Object(part), width, room);
      return { ...narrow, ...narrowTitle(narrow, room - 2 * PADDING) };
    });
    return { ...rest, vconcat: stacked };
  }
  const { spec: inner, ...facet } = view as Record<string, unknown>;
  if (typeof inner === 'object' && inner !== null)
    return { ...facet, columns: 1, spec: narrowView(inner, width, room) };
  const fewer = changedAxes(view, (axis, look) => (axis === 'x' ? fewerTicks(look) : shorterNames(look)));
  const own: unknown = Reflect.get(view, 'width');
  const isFixed = typeof own === 'object' && own !== null;
  return { ...fewer, ...(isFixed ? {} : { width }) };
}

function narrowTitle(spec: Look, width: number): { title?: object } {
  const { title, description } = spec;
  const text = titleOf(spec);
  if (text === undefined) return {};
  const { subtitle, ...look } = (typeof title === 'object' && !Array.isArray(title) ? title : {}) as {
    subtitle?: unknown;
  };
  const lines = paragraphs(
    [subtitle ?? []].flat().filter((line) => typeof line === 'string'),
    typeof description === 'string' ? description : '',
  );
  const narrow = lines.flatMap((line) => wrappedText(line, width, FONT_SIZES.subtitle, MOST_NARROW_LINES));
  const size: unknown = Reflect.get(look, 'fontSize');
  const words = wrappedText(text, width / BOLD, typeof size === 'number' ? size : FONT_SIZES.title);
  // From the left edge of the picture, as the names beside the axis take room that words need.
  return { title: { ...look, frame: 'bounds', text: words, ...(narrow.length === 0 ? {} : { subtitle: narrow }) } };
}

/** The most lines of a sentence below a narrow title. */
const MOST_NARROW_LINES = 6;

/** The sentences that were broken into lines; the description holds them whole. */
function paragraphs(lines: readonly string[], description: string): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const joined = `${whole.at(-1)} ${line}`;
    if (whole.length > 0 && description.includes(joined)) whole[whole.length - 1] = joined;
    else whole.push(line);
  }
  return whole;
}

type Look = Record<string, unknown>;

function fewerTicks(look: Look): Look {
  const { tickCount, ...rest } = look;
  return {
    ...rest,
    tickCount: Math.min(typeof tickCount === 'number' ? tickCount : MOST_TICKS, MOST_TICKS),
    labelOverlap: look.labelOverlap ?? true,
  };
}

function shorterNames(look: Look): Look {
  return 'labelLimit' in look ? look : { ...look, labelLimit: MOST_NAME };
}

/** A copy of a view in which the looks of its axes, and those of its layers, are changed. */
function changedAxes(view: object, change: (axis: 'x' | 'y', look: Look) => Look): object {
  const layers: unknown = Reflect.get(view, 'layer');
  const encoding = Object(Reflect.get(view, 'encoding')) as Record<string, unknown>;
  const changed = Object.entries(encoding).map(([channel, def]) => {
    const look: unknown = Reflect.get(Object(def), 'axis');
    const isAxis = (channel === 'x' || channel === 'y') && typeof look === 'object' && look !== null;
    return [channel, isAxis ? { ...Object(def), axis: change(channel, look as Look) } : def];
  });
  return {
    ...view,
    ...('encoding' in view ? { encoding: Object.fromEntries(changed) } : {}),
    ...(Array.isArray(layers) ? { layer: layers.map((layer) => changedAxes(Object(layer), change)) } : {}),
  };
}
