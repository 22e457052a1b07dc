import { createHash } from 'node:crypto';

/**
 * Gives the elements of an SVG ids that depend on its content alone, so that equal charts are equal bytes and two
 * charts on a page never share a clip path by accident.
 */
export function stableIds(svg: string): string {
  const ids = [...new Set(Array.from(svg.matchAll(/\sid="([^"]+)"/g), ([, id]) => id ?? ''))];
  const rename = (prefix: string) =>
    svg.replace(/(\sid="|url\(#|href="#)([^")]+)/g, (whole, before: string, id: string) => {
      const at = ids.indexOf(id);
      return at < 0 ? whole : `${before}${prefix}${at}`;
    });
  if (ids.length === 0) return svg;
  return rename(`c${createHash('sha256').update(rename('')).digest('hex').slice(0, 10)}-`);
}
