import { OddslabError, UsageError } from '../base/errors.js';
import { loadNative } from '../base/packages.js';

const FONT = { loadSystemFonts: true, defaultFontFamily: 'Liberation Sans', sansSerifFamily: 'Liberation Sans' };

/**
 * Draws an SVG as PNG with the fonts of the system.
 *
 * @param scale Pixels per SVG pixel, above 0 and up to 8.
 * @throws {UsageError} If the scale is out of its range.
 * @throws {OddslabError} If the system has no font, the picture cannot be drawn, or the renderer cannot be loaded.
 */
export async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  if (!(scale > 0 && scale <= 8)) throw new UsageError(`scale must be above 0 and at most 8; got ${scale}.`);
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
