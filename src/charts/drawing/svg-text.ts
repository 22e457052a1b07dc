import { createHash } from 'node:crypto';
import { SCHEMES } from '../design/theme.js';
import { BIDI_CONTROLS } from '../design/title-text.js';

/**
 * The colours of a picture: `light`, `dark`, or `auto`, which follows the viewer's preference, or the page in which the
 * picture stands.
 */
export type ChartTheme = 'light' | 'dark' | 'auto';

/** Characters that are not allowed in an SVG. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Gives a transparent SVG its ink and paper. With `auto` they are those of a light page, for viewers without style
 * support; a style makes them follow the viewer's preference on a screen, or the page that the SVG is part of.
 *
 * @param name A class that no other picture on the page has.
 */
export function paintSvg(svg: string, theme: ChartTheme, name: string): string {
  const { ink, paper } = SCHEMES[theme === 'auto' ? 'light' : theme];
  const sheet = `<rect width="100%" height="100%" fill="${paper}"/>`;
  const start = svg
    .replace(FORBIDDEN, '\ufffd')
    .replace(BIDI_CONTROLS, '')
    .replace(/^<svg /, `<svg color="${ink}" `);
  const end = start.indexOf('>') + 1;
  const [head, rest] = [start.slice(0, end), start.slice(end)];
  if (theme !== 'auto') return `${head}${sheet}${rest}`;
  const { ink: light, paper: night } = SCHEMES.dark;
  const style =
    `.${name}:not(:root){color:inherit}.${name}:not(:root)>.paper{fill:none}` +
    `@media screen and (prefers-color-scheme:dark){.${name}:root{color:${light}}.${name}:root>.paper{fill:${night}}}`;
  const named = head.replace('class="marks"', `class="marks ${name}"`);
  return `${named}<style>${style}</style>${sheet.replace('<rect', '<rect class="paper"')}${rest}`;
}

/** Attributes with numbers to round: places, sizes and opacities. */
const PLACES = / (d|transform|x|y|x2|y2|cx|cy|r|width|height|opacity|fill-opacity|points)="([^"]*)"/g;

const FAMILY = / font-family="([^"]*)"/g;

/**
 * Groups of marks that contain no further group. It steps from tag to tag: a step for each character would overflow the
 * stack of regular expressions at some ten thousand marks.
 */
const MARKS = /(<g class="mark-[^>]*)>([^<]*(?:<(?!\/?g\b)[^<]*)*)<\/g>/g;

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

/** An SVG and a name that no different picture has. */
interface NamedSvg {
  readonly svg: string;
  readonly name: string;
}

/**
 * Gives the elements of an SVG ids that depend on its content alone, so that equal charts are equal bytes and two
 * charts on a page never share a clip path by accident.
 */
export function stableIds(svg: string): NamedSvg {
  const ids = [...new Set(Array.from(svg.matchAll(/\sid="([^"]+)"/g), ([, id]) => id ?? ''))];
  const rename = (prefix: string) =>
    svg.replace(/(\sid="|url\(#|href="#)([^")]+)/g, (whole, before: string, id: string) => {
      const at = ids.indexOf(id);
      return at < 0 ? whole : `${before}${prefix}${at}`;
    });
  const name = `c${createHash('sha256').update(rename('')).digest('hex').slice(0, 10)}`;
  return { svg: rename(`${name}-`), name };
}
