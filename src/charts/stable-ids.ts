import { createHash } from 'node:crypto';

/** An SVG and a name that no different picture has. */
export interface NamedSvg {
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
