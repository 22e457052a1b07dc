/** Attributes whose numbers are places and sizes. */
const PLACES = / (d|transform|x|y|x2|y2|cx|cy|r|width|height|opacity|points)="([^"]*)"/g;

const FAMILY = / font-family="([^"]*)"/g;

/** An SVG with its places to a hundredth of a pixel, and the font named once where all words have the same. */
export function slimSvg(svg: string): string {
  const rounded = svg.replace(PLACES, (_, name: string, text: string) => {
    return ` ${name}="${text.replace(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2))))}"`;
  });
  const [family, ...others] = new Set(Array.from(rounded.matchAll(FAMILY), ([attribute]) => attribute));
  if (family === undefined || others.length > 0) return rounded;
  return rounded.replace(FAMILY, '').replace('<svg', `<svg${family}`);
}
