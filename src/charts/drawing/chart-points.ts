import { itemAt } from '../../base/item-at.js';

/** How a pointer finds a point of a plot, and how the point is marked. */
export type Finding =
  /** Along x, by a vertical line: points of one series. */
  | 'x'
  /** Along x first: points of several lines. */
  | 'lines'
  /** The nearest in both directions, by two lines. */
  | 'xy'
  /** The whole column of a bar, the whole row of a name, or a cell. */
  | 'column'
  | 'row'
  | 'cell';

/** A plot of a drawn chart and the points in it that have tips, in pixels of the picture. */
export interface Plot {
  /** Left, top, width and height. */
  readonly box: readonly [number, number, number, number];
  readonly find: Finding;
  /** The numbers that a point has in `at`: 2 if x and y, 4 if the left, top, right and bottom of its bar. */
  readonly size: 2 | 4;
  readonly at: readonly number[];
}

/** The points of a drawn chart. */
export interface ChartPoints {
  readonly plots: readonly Plot[];
  /** What the points of all plots say, in their order: pairs of a label and a value. */
  readonly tips: readonly (readonly (readonly [label: string, value: string])[])[];
}

/** The attribute of a figure, or of a view in it, that holds its tips: the labels that some share, and each point's values. */
export function tipsData({ tips }: Pick<ChartPoints, 'tips'>): string {
  const kinds = new Map<string, number>();
  const labels: string[][] = [];
  const rows = tips.map((tip) => {
    const own = tip.map(([label]) => label);
    const key = JSON.stringify(own);
    const kind = kinds.get(key) ?? labels.push(own) - 1;
    kinds.set(key, kind);
    return [kind, ...tip.map(([, value]) => value)];
  });
  return ` data-tips='${quoted({ labels, rows })}'`;
}

/** The attribute of a figure's view that holds its plots. */
export function plotsData({ plots }: Pick<ChartPoints, 'plots'>): string {
  return ` data-plots='${quoted(plots)}'`;
}

/** JSON for an attribute in single quotes. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
}

/** The part of Vega's scene that is read here: marks hold items, and the items of groups hold marks. */
export interface SceneItem {
  items?: SceneItem[];
  readonly tooltip?: unknown;
  readonly text?: unknown;
  readonly marktype?: string;
  readonly role?: string;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly opacity?: number;
  readonly bounds?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
  aria?: boolean;
  description?: string | undefined;
}

type Tip = (readonly [string, string])[];

interface Point {
  readonly tip: Tip;
  readonly said: string;
  readonly at: readonly number[];
}

/**
 * Reads the points with tips from a drawn scene. Marks that say the same at the same height or place, such as a dot and
 * a cross of one wallet, are one point.
 *
 * @param root The scene's root.
 * @param origin Where the scene begins in the picture.
 * @param isNamed For each plot, or for all of them, whether its y axis has names.
 */
export function pointsOf(root: SceneItem, origin: readonly [number, number], isNamed: readonly boolean[]): ChartPoints {
  const found: { box: Plot['box']; points: Point[] }[] = [];
  collect(root, origin[0], origin[1], [], found);
  const drawn = found.filter(({ points }) => points.length > 0);
  const told = drawn.map(({ box, points }, at) => {
    const own = drawn.length === isNamed.length ? isNamed[at] : isNamed.every(Boolean);
    return { box, ...withDots(points, findingOf(points, own ?? false)) };
  });
  const plots = told.map(({ box, find, points }) => ({ box, find, ...sameLength(points) }));
  return { plots, tips: told.flatMap(({ points }) => points.map(({ tip }) => tip)) };
}

function collect(mark: SceneItem, x: number, y: number, into: Point[], found: { box: Plot['box']; points: Point[] }[]) {
  const { marktype, role = '', items = [] } = mark;
  if (marktype === 'group') {
    if (/^(axis|legend|title)/.test(role)) return;
    for (const group of items) {
      const [left, top] = [x + (group.x ?? 0), y + (group.y ?? 0)];
      const points: Point[] = [];
      found.push({ box: [round(left), round(top), round(group.width ?? 0), round(group.height ?? 0)], points });
      for (const part of group.items ?? []) collect(part, left, top, points, found);
    }
    return;
  }
  if (role !== 'mark') return;
  const placeOfTip = new Map(into.map(({ said }, place) => [said, place]));
  for (const item of items) {
    const tip = tipOf(item.tooltip);
    if (tip === undefined) continue;
    const at = placeOf(item, marktype).map((place, index) => round(place + (index % 2 === 0 ? x : y)));
    if (!at.every(Number.isFinite)) continue;
    const point = { tip, said: tip.join('\n'), at };
    const same = placeOfTip.get(point.said);
    if (same !== undefined && isNear(itemAt(into, same).at, at)) into[same] = point;
    else into.push(point);
  }
}

function isNear(one: readonly number[], other: readonly number[]): boolean {
  return Math.abs((one[1] ?? 0) - (other[1] ?? 0)) < 1 || Math.abs((one[0] ?? 0) - (other[0] ?? 0)) < 1;
}

function tipOf(tooltip: unknown): Tip | undefined {
  if (typeof tooltip === 'string' && tooltip !== '') return [['', tooltip]];
  if (typeof tooltip !== 'object' || tooltip === null) return undefined;
  return Object.entries(tooltip).map(([label, value]) => [label, String(value)] as const);
}

/** The box of a bar, or the place of another mark, within its group. */
function placeOf(item: SceneItem, marktype = ''): number[] {
  const { x = 0, y = 0, width = 0, height = 0, bounds } = item;
  if (marktype === 'rect' || marktype === 'image') return [x, y, x + width, y + height];
  if (['symbol', 'line', 'area', 'trail'].includes(marktype) || bounds === undefined) return [x, y];
  return [(bounds.x1 + bounds.x2) / 2, (bounds.y1 + bounds.y2) / 2];
}

/** The places of all points, as boxes if one of them has a box. */
function sameLength(points: readonly Point[]): Pick<Plot, 'size' | 'at'> {
  const size = points.some(({ at }) => at.length === 4) ? 4 : 2;
  return { size, at: points.flatMap(({ at }) => (at.length < size ? [...at, ...at] : at)) };
}

/** The most lines of which a pointer looks along x first. */
const MOST_LINES = 30;

function findingOf(points: readonly Point[], isNamed: boolean): Finding {
  const boxes = points.flatMap(({ at }) => (at.length === 4 ? [at] : []));
  if (boxes.length > 0) {
    if (isNamed && isApart(boxes, 1)) return 'row';
    return isApart(boxes, 0) ? 'column' : isApart(boxes, 1) ? 'row' : 'cell';
  }
  if (isNamed) return 'row';
  const turns = points.filter(({ at }, place) => place > 0 && Number(at[0]) < Number(points[place - 1]?.at[0])).length;
  if (turns === 0) return 'x';
  return turns < MOST_LINES && points.length / (turns + 1) >= 2 ? 'lines' : 'xy';
}

/** The most dots that a bar tells of. */
const MOST_DOTS = 3;

/**
 * Lets bars tell of the dots of another chart that stand in their columns or rows, which nothing else could reach. If
 * these are too many for a tip, bars and dots are found alike, as the nearest.
 */
function withDots(points: readonly Point[], find: Finding): { find: Finding; points: readonly Point[] } {
  const axis = find === 'column' ? 0 : 1;
  const boxes = points.filter(({ at }) => at.length === 4);
  if ((find !== 'column' && find !== 'row') || boxes.length === 0 || boxes.length === points.length)
    return { find, points };
  const dotsOf = new Map(boxes.map((box) => [box, [] as Point[]]));
  const free = points.filter((point) => {
    const place = Number(point.at[axis]);
    const over = point.at.length === 4 ? undefined : boxes.find(({ at }) => isWithin(place, at[axis], at[axis + 2]));
    if (over) dotsOf.get(over)?.push(point);
    return over === undefined;
  });
  if ([...dotsOf.values()].some(({ length }) => length > MOST_DOTS)) {
    return { find: 'lines', points: points.map((point) => ({ ...point, at: endOf(point.at) })) };
  }
  const joined = (point: Point) => (dotsOf.get(point) ?? []).reduce((tip, dot) => withNews(tip, dot.tip), point.tip);
  return { find, points: free.map((point) => ({ ...point, tip: joined(point) })) };
}

function isWithin(place: number, from = 0, to = from): boolean {
  return place >= Math.min(from, to) - 0.6 && place <= Math.max(from, to) + 0.6;
}

/** The place of a dot, or the middle of a bar's upper end. */
function endOf([left = 0, top = 0, right = left, bottom = top]: readonly number[]): number[] {
  return [round((left + right) / 2), Math.min(top, bottom)];
}

/** A tip with the lines of another one that it does not have, such as the same date. */
function withNews(tip: Tip, other: Tip): Tip {
  return [...tip, ...other.filter(([label, value]) => !tip.some(([own, said]) => own === label && said === value))];
}

/** Whether boxes do not overlap along x (0) or y (1). */
function isApart(boxes: readonly (readonly number[])[], axis: 0 | 1): boolean {
  const spans = boxes.map((box) => [Number(box[axis]), Number(box[axis + 2])].sort((a, b) => a - b));
  spans.sort((a, b) => Number(a[0]) - Number(b[0]));
  return spans.every((span, at) => at === 0 || Number(span[0]) >= Number(spans[at - 1]?.[1]) - 0.6);
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
