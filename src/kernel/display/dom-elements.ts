/** What elements of a DOM draw: a picture alone, or HTML. */
type Drawn = { svg: string } | { html: string };

/** Elements of a list that are drawn; more would fill the notebook. */
const MOST = 100;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * What an element of a DOM draws, or a list of nothing else, such as a NodeList; undefined for every other value. Parts
 * of a picture, such as the circles that a selection of d3 holds, are drawn as the picture in which they stand. Data
 * with their own field `outerHTML` are no elements, nor is what throws while it is asked.
 */
export function drawnElements(value: unknown): Drawn | undefined {
  try {
    return drawnOf(value);
  } catch {
    // A proxy may throw at unknown names, and a getter at what is not an element; such values are printed.
    return undefined;
  }
}

function drawnOf(value: unknown): Drawn | undefined {
  const wholes = new Set(elementsIn(value).map(wholeOf));
  const [first, ...others] = Array.from(wholes, (each) => String(inheritedHtml(each)));
  if (first === undefined) return undefined;
  if (others.length === 0 && /^<svg[\s>]/.test(first)) return { svg: standingAlone(first) };
  const rest = wholes.size - MOST;
  const more = rest > 0 ? `<p>… ${rest.toLocaleString('en-US')} more</p>` : '';
  return { html: [first, ...others.slice(0, MOST - 1), more].join('') };
}

function elementsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isElement(value)) return [value];
  const isList = Array.isArray(value) || (Symbol.iterator in value && 'item' in value);
  if (!isList || !isElement(Reflect.get(value, 0))) return [];
  const all = Array.from(value as Iterable<unknown>);
  return all.every(isElement) ? all : [];
}

function isElement(value: unknown): value is object {
  return typeof value === 'object' && value !== null && typeof inheritedHtml(value) === 'string';
}

function inheritedHtml(value: object): unknown {
  return Object.hasOwn(value, 'outerHTML') ? undefined : Reflect.get(value, 'outerHTML');
}

/** The picture in which an element stands, if it is a part of one; else itself. */
function wholeOf(element: object): object {
  try {
    const { namespaceURI, closest } = element as { namespaceURI?: unknown; closest?: unknown };
    if (namespaceURI !== SVG || typeof closest !== 'function') return element;
    const picture: unknown = Reflect.apply(closest, element, ['svg']);
    return isElement(picture) ? picture : element;
  } catch {
    // It still draws itself.
    return element;
  }
}

/** Makes a page's SVG a file of its own: adds its namespaces and replaces the HTML entity that XML does not know. */
function standingAlone(svg: string): string {
  const isNamed = /^<svg[^>]*\sxmlns=/.test(svg);
  const named = isNamed ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  const isLinked = /\sxlink:\w+=/.test(svg) && !/\sxmlns:xlink=/.test(svg);
  const linked = isLinked ? named.replace('<svg', '<svg xmlns:xlink="http://www.w3.org/1999/xlink"') : named;
  return linked.replaceAll('&nbsp;', '&#160;');
}
