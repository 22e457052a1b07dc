import { SCHEMES } from './theme.js';
import { BIDI_CONTROLS } from './wrapped-text.js';

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
  const [head = '', rest = ''] = splitAfter(start, start.indexOf('>') + 1);
  if (theme !== 'auto') return `${head}${sheet}${rest}`;
  const { ink: light, paper: night } = SCHEMES.dark;
  const style =
    `.${name}:not(:root){color:inherit}.${name}:not(:root)>.paper{fill:none}` +
    `@media screen and (prefers-color-scheme:dark){.${name}:root{color:${light}}.${name}:root>.paper{fill:${night}}}`;
  const named = head.replace('class="marks"', `class="marks ${name}"`);
  return `${named}<style>${style}</style>${sheet.replace('<rect', '<rect class="paper"')}${rest}`;
}

function splitAfter(text: string, at: number): [string, string] {
  return [text.slice(0, at), text.slice(at)];
}
