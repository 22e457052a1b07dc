import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import vega, { RenderedVega } from '@jupyterlab/vega5-extension';
import { narrowSpec } from '../../../charts/design/narrow-spec.js';

/** The least size of a label, and that of labels as they are drawn, in pixels. */
const [LEAST_LABEL, LABEL] = [10, 11];
/** By how many pixels the room has to change before a narrow chart is drawn anew. */
const STEP = 16;

/**
 * A chart that leaves its notebook as it is. JupyterLab's own adds a picture to each chart that it draws, and its theme
 * to the options that the notebook holds: a notebook that was only opened would count as changed. Where there is not the
 * room for it, it is drawn as for a phone, before its labels would become too small to be read.
 */
class VegaChart extends RenderedVega {
  #model: IRenderMime.IMimeModel | undefined;
  /** The width of the chart as it is written. */
  #wide = 0;
  /** The room for which it is drawn; undefined where it is as it is written. */
  #drawnFor: number | undefined;
  #isDrawing = false;
  readonly #observer = new ResizeObserver(() => void this.#fit());

  override async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.#model = model;
    await this.#draw(undefined);
    this.#wide = Number(this.#picture?.getAttribute('width') ?? 0);
    await this.#fit();
    this.#observer.observe(this.node);
  }

  override dispose(): void {
    this.#observer.disconnect();
    super.dispose();
  }

  get #picture(): Element | null {
    return this.node.querySelector('.marks');
  }

  /** The width that there is beside the margins and the menu; 0 where nothing is shown. */
  get #room(): number {
    const around = [this.node, ...this.node.querySelectorAll('.vega-embed')].map((each) => getComputedStyle(each));
    const paddings = around.flatMap(({ paddingLeft, paddingRight }) => [paddingLeft, paddingRight]);
    return paddings.reduce((room, padding) => room - Number.parseFloat(padding), this.node.clientWidth);
  }

  async #fit(): Promise<void> {
    const room = this.#room;
    if (this.#isDrawing || this.isDisposed || room <= 0) return;
    const isNarrow = room * LABEL < this.#wide * LEAST_LABEL;
    if (isNarrow ? Math.abs(room - (this.#drawnFor ?? 0)) < STEP : this.#drawnFor === undefined) return;
    this.#isDrawing = true;
    await this.#draw(isNarrow ? room : undefined).finally(() => {
      this.#isDrawing = false;
    });
  }

  async #draw(room: number | undefined): Promise<void> {
    if (!this.#model) return;
    const { data, metadata, trusted } = this.#model;
    this.#drawnFor = room;
    const narrowed = Object.entries(data).flatMap(([type, spec]) => {
      if (room === undefined || !type.startsWith('application/vnd.vegalite.')) return [];
      // By `usermeta` it says how it is embedded: as SVG, whose colours follow the page.
      const { usermeta } = Object(spec) as { usermeta?: unknown };
      return [[type, { ...narrowSpec(Object(spec), room, room), usermeta }] as const];
    });
    await super.renderModel({
      // Where a picture is, none is added.
      data: { ...data, ...(Object.fromEntries(narrowed) as typeof data), 'image/png': 'none' },
      metadata: structuredClone(metadata),
      trusted,
      setData: () => {},
    });
  }
}

/** Draws Vega and Vega-Lite charts, in notebooks and as files. */
export const vegaCharts: IRenderMime.IExtension = {
  ...vega,
  id: 'oddslab:vega-charts',
  description: 'Draws Vega and Vega-Lite charts where there is room for them, and does not change their notebooks.',
  rendererFactory: { ...vega.rendererFactory, createRenderer: (options) => new VegaChart(options) },
};
