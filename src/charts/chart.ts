import { extname } from 'node:path';
import type { TopLevelSpec } from 'vega-lite';
import { UsageError } from '../errors.js';
import { writeWhole } from '../whole-file.js';
import { renderSvg } from './render-svg.js';

/** The schema that notebook front ends know under the type `application/vnd.vegalite.v5+json`. */
const NOTEBOOK_SCHEMA = 'https://vega.github.io/schema/vega-lite/v5.json';
const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';

/** What a notebook is given of a chart, by MIME type. */
export interface ChartBundle {
  'application/vnd.vegalite.v5+json': TopLevelSpec;
  'image/svg+xml': string;
  'text/plain': string;
}

/**
 * A chart: a Vega-Lite specification that draws itself. As the last value of a notebook cell it is shown, drawn by the
 * front end where that knows Vega-Lite, as SVG elsewhere.
 *
 * @example
 * const chart = cumulativePnlChart(pnl);
 * await chart.save('pnl.svg');
 * new Chart({ ...chart.spec, height: 500 });
 */
export class Chart {
  /** The Vega-Lite specification, its data included. Change a copy and make a `new Chart` of it. */
  readonly spec: TopLevelSpec;

  constructor(spec: TopLevelSpec) {
    this.spec = { $schema: SCHEMA, ...spec } as TopLevelSpec;
  }

  /**
   * The chart as SVG text: opaque, without scripts, links or fonts of its own. Equal charts give equal bytes.
   *
   * @throws {OddslabError} If the specification cannot be drawn.
   */
  async toSvg(): Promise<string> {
    return renderSvg(this.spec, (text) => process.emitWarning(text, 'OddslabWarning'));
  }

  /**
   * Writes the chart to a file, whole or not at all: `.svg` is the picture, `.json` the Vega-Lite specification.
   *
   * @param path Its ending says what is written; its folder has to exist.
   * @throws {UsageError} If the ending is another one.
   * @throws {DataError} If the file cannot be written.
   * @example await cumulativePnlChart(pnl).save('out/pnl.svg');
   */
  async save(path: string): Promise<void> {
    const ending = extname(path).toLowerCase();
    if (ending !== '.svg' && ending !== '.json') {
      throw new UsageError(`A chart is saved as .svg or .json; got ${JSON.stringify(path)}.`);
    }
    await writeWhole(path, ending === '.svg' ? await this.toSvg() : `${JSON.stringify(this.spec, null, 2)}\n`);
  }

  /** What the chart shows, in a line: its description, else its title. */
  toString(): string {
    return `Chart: ${this.spec.description ?? titleOf(this.spec) ?? 'without a title'}`;
  }

  /** The chart by MIME type, as notebook kernels ask for it. */
  async [Symbol.for('Jupyter.display')](): Promise<ChartBundle> {
    return {
      'application/vnd.vegalite.v5+json': { ...this.spec, $schema: NOTEBOOK_SCHEMA } as TopLevelSpec,
      'image/svg+xml': await this.toSvg(),
      'text/plain': String(this),
    };
  }
}

/** Undefined where there is none, or none that can be read before the chart is drawn. */
function titleOf({ title }: TopLevelSpec): string | undefined {
  const isPlain = typeof title === 'string' || Array.isArray(title);
  const text: unknown = isPlain ? title : Reflect.get(Object(title), 'text');
  const lines = [text].flat().filter((line) => typeof line === 'string' && line !== '');
  return lines.length > 0 ? lines.join(' ') : undefined;
}
