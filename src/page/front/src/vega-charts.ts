import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import vega, { RenderedVega } from '@jupyterlab/vega5-extension';

/**
 * A chart that leaves its notebook as it is. JupyterLab's own adds a picture to each chart that it draws, and its theme
 * to the options that the notebook holds: a notebook that was only opened would count as changed.
 */
class VegaChart extends RenderedVega {
  override renderModel({ data, metadata, trusted }: IRenderMime.IMimeModel): Promise<void> {
    return super.renderModel({
      // Where a picture is, none is added.
      data: { ...data, 'image/png': 'none' },
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
  description: 'Draws Vega and Vega-Lite charts, and does not change their notebooks.',
  rendererFactory: { ...vega.rendererFactory, createRenderer: (options) => new VegaChart(options) },
};
