import { UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import type { ChartFrame } from './chart-spec.js';
import { COLORS } from './theme.js';

/** Options that all charts have. */
export interface ChartOptions {
  /** The title. Default: one that says what is shown. */
  title?: string;
  /**
   * The text below the title, in place of the finding. An empty text leaves it out. What the records are known to lack
   * is said all the same.
   */
  subtitle?: string;
  /** The colour of the chart's subject, as in CSS: `#0a7d55`, `teal` or `rgb(10 125 85)`. Default: a blue. */
  color?: string;
  /** Width between the axes in pixels, from 50 to 5,000. On a page that is narrower, the chart adapts. */
  width?: number;
  /** Height between the axes in pixels, from 50 to 5,000. */
  height?: number;
}

/** The names of {@link ChartOptions}. */
export const CHART_OPTIONS = ['title', 'subtitle', 'color', 'width', 'height'] as const;

/** The least and greatest width and height. */
const [LEAST, MOST] = [50, 5000];

/**
 * The title, subtitle and size of a chart as they were asked for, or else as they are by default.
 *
 * @throws {UsageError} If an option is of a wrong type or out of range.
 */
export function asAsked(frame: ChartFrame, options: ChartOptions): ChartFrame {
  checkOptions(options);
  const { title = frame.title, subtitle, width = frame.width, height = frame.height } = options;
  return { ...frame, title, subtitle: subtitle === undefined ? frame.subtitle : [subtitle], width, height };
}

/**
 * Checks options that all charts have.
 *
 * @throws {UsageError} If one is of a wrong type or out of range.
 */
export function checkOptions({ title, subtitle, color, width, height }: ChartOptions): void {
  for (const [name, text] of Object.entries({ title, subtitle })) {
    if (text !== undefined && typeof text !== 'string')
      throw new UsageError(`${name} must be a text; got ${shownValue(text)}.`);
  }
  for (const [name, pixels] of Object.entries({ width, height })) {
    if (pixels !== undefined && !(typeof pixels === 'number' && pixels >= LEAST && pixels <= MOST))
      throw new UsageError(`${name} must be a number of pixels from ${LEAST} to ${MOST}; got ${shownValue(pixels)}.`);
  }
  if (color !== undefined && !isColor(color))
    throw new UsageError(
      `color must be a colour as in CSS, such as "#0a7d55", "teal" or "rgb(10 125 85)"; got ${shownValue(color)}.`,
    );
}

/**
 * A copy of a part of a specification with another colour in place of the main one; data stay as they are.
 *
 * @param color Undefined leaves the colour.
 */
export function recoloured<Part>(part: Part, color: string | undefined, kept: readonly string[] = ['data']): Part {
  if (color === undefined || color === COLORS.main || typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => recoloured(each, color, kept)) as Part;
  const entries = Object.entries(part).map(([key, value]) => {
    if (kept.includes(key)) return [key, value];
    return [key, value === COLORS.main ? color : recoloured(value, color, kept)];
  });
  return Object.fromEntries(entries);
}

/** Hexadecimal colours of 3, 4, 6 or 8 digits, and colours by function. */
const WRITTEN =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl)a?\(\s*[\d.]+(?:deg|%)?(?:[\s,/]+[\d.]+%?){2,3}\s*\))$/i;

function isColor(color: unknown): boolean {
  return typeof color === 'string' && (WRITTEN.test(color) || NAMED.has(color.toLowerCase()));
}

/** The colours that CSS names. */
const NAMED: ReadonlySet<string> = new Set(
  (
    'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood ' +
    'cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod ' +
    'darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon ' +
    'darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray ' +
    'dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green ' +
    'greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon ' +
    'lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon ' +
    'lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta ' +
    'maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen ' +
    'mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive ' +
    'olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru ' +
    'pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen ' +
    'seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato ' +
    'turquoise violet wheat white whitesmoke yellow yellowgreen'
  ).split(' '),
);
