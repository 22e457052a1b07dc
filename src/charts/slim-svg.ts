/** Attributes with numbers to round: places, sizes and opacities. */
const PLACES = / (d|transform|x|y|x2|y2|cx|cy|r|width|height|opacity|fill-opacity|points)="([^"]*)"/g;

const FAMILY = / font-family="([^"]*)"/g;

/** Groups of marks that contain no further group. */
const MARKS = /(<g class="mark-[^>]*)>((?:(?!<\/?g\b)[\s\S])*)<\/g>/g;

const MARK = /<(?:path|line|text|rect|image)\b[^>]*>/g;

/** Attributes that marks inherit from their group. */
const INHERITED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'text-anchor', 'font-size', 'font-weight'];

/**
 * Shrinks an SVG: rounds places to a hundredth of a pixel, moves attributes that all marks of a group share to the
 * group, and states a font that all text shares once.
 */
export function slimSvg(svg: string): string {
  const rounded = svg.replace(PLACES, (_, name: string, text: string) => {
    return ` ${name}="${text.replace(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2))))}"`;
  });
  return withOneFont(rounded.replace(MARKS, (_, start: string, marks: string) => grouped(start, marks)));
}

function withOneFont(svg: string): string {
  const [family, ...others] = new Set(Array.from(svg.matchAll(FAMILY), ([attribute]) => attribute));
  if (family === undefined || others.length > 0) return svg;
  return svg.replace(FAMILY, '').replace('<svg', `<svg${family}`);
}

/** Moves attributes that all marks share to their group. */
function grouped(start: string, marks: string): string {
  const [first = '', ...others] = marks.match(MARK) ?? [];
  const alike = INHERITED.flatMap((name) => new RegExp(` ${name}="[^"]*"`).exec(first)?.[0] ?? []).filter((attribute) =>
    others.every((mark) => mark.includes(attribute)),
  );
  if (others.length === 0 || alike.length === 0) return `${start}>${marks}</g>`;
  const bare = marks.replace(MARK, (mark) => alike.reduce((text, attribute) => text.replace(attribute, ''), mark));
  return `${start}${alike.join('')}>${bare}</g>`;
}
