import { extname } from 'node:path';
import { OddslabError, UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { shownValue } from '../../base/option-types.js';
import { loadNative } from '../../base/packages.js';
import { jsonCopy } from '../../base/texts.js';
import { writeWhole } from '../../base/whole-file.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { asAsked, type ChartOptions, recoloured } from '../design/chart-options.js';
import { type ChartFrame, type ChartSpec, frameOfChart, sentenceOf } from '../design/chart-spec.js';
import { withFrame, withOwnData, withTheme } from '../design/own-spec.js';
import { QUIET } from '../design/theme.js';
import { titleOf } from '../design/title-text.js';
import { utcSpec } from '../design/utc-spec.js';
import { chartFigure } from './chart-figure.js';
import { chartPage } from './chart-page.js';
import { layeredSpec } from './layered-spec.js';
import { renderSvg } from './render-svg.js';
import type { ChartTheme } from './svg-text.js';

/** The schema that notebook front ends know under the type `application/vnd.vegalite.v5+json`. */
const NOTEBOOK_SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';
const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';

/** The forms in which a notebook receives a chart, by MIME type. */
export interface ChartBundle {
  'application/vnd.vegalite.v5+json': ChartSpec;
  'image/svg+xml': string;
  'text/plain': string;
}

/** Options for pictures of a chart. */
export interface PictureOptions {
  /**
   * Colours: `light`, `dark`, or `auto`, which follows the viewer. Default `auto`; a PNG, which cannot follow, is then
   * light.
   */
  theme?: ChartTheme;
  /** Pixels of a PNG per pixel of the chart, above 0 and up to 8. Default 2. */
  scale?: number;
}

/**
 * A chart: a Vega-Lite specification that draws itself. As the last value of a notebook cell it is displayed, drawn by
 * front ends that know Vega-Lite and as SVG in others. Text and axes take the colour of the page's text, so that it is
 * legible on light and dark pages.
 *
 * @example
 * const chart = cumulativePnlChart(pnl);
 * await chart.save('pnl.png');
 * new Chart({ ...chart.spec, height: 500 });
 */
export class Chart {
  /** The Vega-Lite specification, including its data. To change it, make a `new Chart` of a changed copy. */
  readonly spec: ChartSpec;

  /**
   * A chart of your own: what the specification does not set has the look and the size of our charts. All its times are
   * drawn in UTC, also those of a `timeUnit`, whatever the zone of the machine.
   *
   * @param spec A Vega-Lite specification. A frame as its `data` is taken as that of the option.
   * @param options.data A frame, whose rows become the data. The types of fields may then be left out: they are those of
   * the columns.
   * @throws {UsageError} If the specification is not an object, has data that are none of Vega-Lite, or a frame in one of its
   * parts, an option is unknown, or the data are no frame, have more than 50,000 rows or lack a column that the
   * specification names.
   * @example new Chart({ mark: 'bar', encoding: { x: { field: 'date' }, y: { field: 'pnl' } } }, { data: pnl });
   */
  constructor(spec: object, options: { data?: Tabular } = {}) {
    refuseOthers(spec);
    knownOptions('Chart', options, ['data'], { data: 'source' });
    const whole = 'data' in options && options.data !== undefined ? withFrame(spec, options.data) : withOwnData(spec);
    this.spec = { $schema: SCHEMA, ...withTheme(whole) };
  }

  /**
   * This chart with others drawn over it, on the same axes. Title, size, theme and the look of the axes remain those of
   * this chart. If the charts have two units, such as dollars and percentages, each has an axis of its own.
   *
   * @returns A new chart.
   * @throws {UsageError} If one of them is not a chart, consists of several views, as a facet does, or shares no axis
   * with this one, or if together they have more than two units.
   * @example cumulativePnlChart(pnl).layer(new Chart({ data, mark: 'rule', encoding }));
   */
  layer(...others: readonly Chart[]): Chart {
    if (!others.every((other) => other instanceof Chart)) {
      throw new UsageError('layer takes charts, as the chart functions give them: chart.layer(winRateChart(pnl)).');
    }
    return new Chart(layeredSpec([this, ...others].map(({ spec }) => spec)));
  }

  /**
   * The chart as SVG text, without scripts, links or embedded fonts. Equal charts give equal bytes.
   *
   * @throws {OddslabError} If the specification cannot be drawn, or the data at an address that it names cannot be
   * read.
   * @throws {UsageError} If an option is unknown, the theme is another one, or the specification has an unknown mark.
   */
  async toSvg(options: Pick<PictureOptions, 'theme'> = {}): Promise<string> {
    knownOptions('toSvg', options, ['theme']);
    const { theme = 'auto' } = options;
    return this.#draw(checkedTheme(theme));
  }

  /**
   * Writes the chart to a file, completely or not at all: `.svg` and `.png` are pictures, `.html` is a self-contained
   * page with details under the pointer, `.json` is the Vega-Lite specification.
   *
   * @param path The file; its ending decides the format, and its folder has to exist.
   * @throws {UsageError} If the ending is another one, an option is unknown or out of range, or the specification has
   * an unknown mark.
   * @throws {OddslabError} If the specification cannot be drawn, the data at an address that it names cannot be read,
   * or there is no font for a PNG.
   * @throws {DataError} If the file cannot be written.
   * @example await cumulativePnlChart(pnl).save('out/pnl.png', { theme: 'dark' });
   */
  async save(path: string, options: PictureOptions = {}): Promise<void> {
    knownOptions('save', options, ['theme', 'scale']);
    const { theme = 'auto', scale = 2 } = options;
    checkedTheme(theme);
    await writeWhole(path, await this.#bytesFor(path, theme, scale));
  }

  /** What the chart shows, in one line: its description, else its title. */
  toString(): string {
    return sentenceOf(this.spec);
  }

  /** The chart as it is at the call, by MIME type, as notebook kernels ask for it. */
  async [Symbol.for('Jupyter.display')](): Promise<ChartBundle> {
    const spec = { ...utcSpec(jsonCopy(this.spec) as ChartSpec), $schema: NOTEBOOK_SCHEMA };
    const text = String(this);
    return { 'application/vnd.vegalite.v5+json': spec, 'image/svg+xml': await this.toSvg(), 'text/plain': text };
  }

  async #bytesFor(path: string, theme: ChartTheme, scale: number): Promise<string | Uint8Array> {
    const ending = extname(typeof path === 'string' ? path : '').toLowerCase();
    if (ending === '.svg') return this.#draw(theme);
    if (ending === '.png') return renderPng(await this.#draw(theme === 'auto' ? 'light' : theme), scale);
    if (ending === '.html') {
      const title = titleOf(this.spec) ?? this.spec.description;
      return chartPage(await chartFigure(this.spec, { theme, onWarning: warn }), title, theme);
    }
    if (ending === '.json') return `${JSON.stringify(utcSpec(this.spec), null, 2)}\n`;
    throw new UsageError(`A chart is saved as .svg, .png, .html or .json; got ${JSON.stringify(path) ?? 'no path'}.`);
  }

  #draw(theme: ChartTheme): Promise<string> {
    return renderSvg(this.spec, { theme }, warn);
  }
}

function warn(text: string): void {
  process.emitWarning(text, 'OddslabWarning');
}

/** Refuses a value that is not a specification, for callers without type checks. */
function refuseOthers(spec: unknown): void {
  if (typeof spec === 'object' && spec !== null && !Array.isArray(spec)) return;
  const found = spec === null ? 'null' : Array.isArray(spec) ? 'an array' : `a value of type ${typeof spec}`;
  throw new UsageError(
    `A chart is made of a Vega-Lite specification, new Chart({ data, mark, encoding }); got ${found}.`,
  );
}

function checkedTheme(theme: ChartTheme): ChartTheme {
  if (['light', 'dark', 'auto'].includes(theme)) return theme;
  throw new UsageError(`theme must be "light", "dark" or "auto"; got ${shownValue(theme)}.`);
}

/**
 * A chart with what all charts have, as the options ask for it.
 *
 * @param about What it has by default.
 * @param view Its data, marks and encodings.
 * @throws {UsageError} If an option is of a wrong type or out of range.
 */
export function chartOf(about: ChartFrame, options: ChartOptions, view: object): Chart {
  return new Chart(recoloured({ ...frameOfChart(asAsked(about, options)), ...view }, options.color));
}

/**
 * A chart that says why there is nothing to draw.
 *
 * @param reason A sentence that says what is missing.
 * @param of The frame that there is nothing of to draw.
 */
export function emptyChart(title: string, reason: string, of: ChartFrame['of'], options: ChartOptions = {}): Chart {
  const frame = frameOfChart(asAsked({ of, title, subtitle: [], width: 480, height: 80 }, options));
  return new Chart({
    ...frame,
    description: `${frame.description}. ${reason}`,
    data: { values: [{ reason }] },
    mark: { type: 'text', fontSize: 13, opacity: QUIET },
    encoding: { text: { field: 'reason', type: 'nominal' } },
  });
}

const FONT = { loadSystemFonts: true, defaultFontFamily: 'Liberation Sans', sansSerifFamily: 'Liberation Sans' };

/**
 * Draws an SVG as PNG with the fonts of the system.
 *
 * @param scale Pixels per SVG pixel, above 0 and up to 8.
 * @throws {UsageError} If the scale is out of its range.
 * @throws {OddslabError} If the system has no font, the picture cannot be drawn, or the renderer cannot be loaded.
 */
async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  if (!(typeof scale === 'number' && scale > 0 && scale <= 8))
    throw new UsageError(`scale must be above 0 and at most 8; got ${shownValue(scale)}.`);
  const { Resvg } = await loadNative('@resvg/resvg-js', () => import('@resvg/resvg-js'));
  const probe = new Resvg(
    '<svg xmlns="http://www.w3.org/2000/svg"><text y="9" font-family="sans-serif">A</text></svg>',
    {
      font: FONT,
    },
  );
  if (probe.getBBox() === undefined) {
    throw new OddslabError(
      'No font was found to draw a PNG with. Install one, such as the package fonts-liberation, or save as .svg.',
    );
  }
  return new Resvg(svg, { font: FONT, fitTo: { mode: 'zoom', value: scale } }).render().asPng();
}
