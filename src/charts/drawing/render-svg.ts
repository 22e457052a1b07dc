import type { Loader } from 'vega';
import type { TopLevelSpec } from 'vega-lite';
import { messageOf, OddslabError, UsageError } from '../../base/errors.js';
import { greatestOf } from '../../base/many.js';
import { escapeHtml } from '../../base/texts.js';
import { cutToWidth } from '../../frame/display/terminal-width.js';
import { type ChartSpec, sentenceOf } from '../design/chart-spec.js';
import { checkMarks, withoutTips } from '../design/marks.js';
import { BOLD, textWidth } from '../design/title-text.js';
import { UNPLACED } from '../design/utc-expression.js';
import { unplacedTime } from '../design/utc-rows.js';
import { utcSpec } from '../design/utc-spec.js';
import { type ChartPoints, type Plot, pointsOf, type SceneItem } from './chart-points.js';
import { encodingsOf } from './shared-axes.js';
import { type ChartTheme, paintSvg, slimSvg, stableIds } from './svg-text.js';

/** How a chart is drawn. */
interface RenderOptions {
  theme: ChartTheme;
}

type OnWarning = (text: string) => void;

/**
 * Draws a Vega-Lite chart, as it is at the call, as SVG text; equal specs give equal bytes. Vega-Lite's warnings about
 * the spec go to `onWarning`, and so do links that are left out as unsafe.
 *
 * @throws {OddslabError} If Vega-Lite or Vega cannot draw it, or data that it loads from an address cannot be read.
 * @throws {UsageError} If it has an unknown mark, or a time that only the zone of the machine could place.
 */
export async function renderSvg(spec: object, { theme }: RenderOptions, onWarning: OnWarning): Promise<string> {
  // Invisible points, which only have tips, are no part of a still picture.
  const { svg, name } = stableIds(await drawn(withoutTips(spec), onWarning, (root) => sayTips(root, MOST_SAID)));
  return paintSvg(svg, theme, name);
}

/** A picture, and the points in it. */
export interface DrawnPoints extends ChartPoints {
  readonly svg: string;
  /** A class that no different picture has. */
  readonly name: string;
  readonly width: number;
}

/**
 * Draws a chart as {@link renderSvg} does, for a page that shows the points' tips itself: the picture describes no
 * marks, and the points come beside it.
 */
export async function renderWithPoints(
  spec: object,
  { theme, isNarrow = false }: RenderOptions & { isNarrow?: boolean },
  onWarning: OnWarning,
): Promise<DrawnPoints> {
  let read: ((origin: readonly [number, number]) => ChartPoints) | undefined;
  const text = await drawn(spec, onWarning, (root) => {
    read = (origin) => pointsOf(root, origin, namedPlots(spec));
    const points = read([0, 0]);
    read = ([left, top]) => ({ ...points, plots: points.plots.map((plot) => moved(plot, left, top)) });
    leaveUnseen(root, isNarrow);
  });
  const [, left, top] = /<g [^>]*\btransform="translate\(([-\d.]+),([-\d.]+)\)"/.exec(text) ?? [];
  const { svg, name } = stableIds(withoutRoles(text));
  const { plots = [], tips = [] } = read?.([Number(left ?? 0), Number(top ?? 0)]) ?? {};
  const width = Number(/^<svg [^>]*?\bwidth="([\d.]+)"/.exec(svg)?.[1]);
  return { svg: paintSvg(svg, theme, name), name, width, plots, tips };
}

/** Draws a chart and hands its scene over before it becomes text. */
async function drawn(spec: object, onWarning: OnWarning, change: (root: SceneItem) => void): Promise<string> {
  checkMarks(spec);
  // A copy, because Vega marks the rows that it reads.
  const own = utcSpec(specNow(spec)) as TopLevelSpec;
  // One after the other: Jest cannot load modules that share dependencies concurrently.
  const vega = await import('vega');
  const { compile } = await import('vega-lite');
  const logger = vega.logger(vega.Warn);
  const unread: OddslabError[] = [];
  logger.warn = (...words) => {
    if (words[1] === UNPLACED) unread.push(unplacedTime(words[2], 'An expression, or a row at an address, of a chart'));
    else if (UNREAD.includes(String(words[0]))) unread.push(unreadData(words[1], words[2]));
    else onWarning(words.join(' '));
    return logger;
  };
  measureText(vega);
  try {
    const loader = vega.loader();
    const unsafe = leaveUnsafeLinks(loader);
    const view = new vega.View(vega.parse(compile(own, { logger }).spec), { renderer: 'none', logger, loader });
    try {
      await view.runAsync();
      if (unread[0]) throw unread[0];
      // Vega's types lack the root.
      change(Reflect.get(view.scenegraph(), 'root'));
      const svg = described(slimSvg(await view.toSVG()), sentenceOf(own as unknown as ChartSpec));
      if (unsafe.size > 0) onWarning(linksLeftOut([...unsafe]));
      return svg;
    } finally {
      view.finalize();
    }
  } catch (cause) {
    throw undrawn(cause);
  }
}

/** Says what the whole picture shows, to readers who cannot see it. */
function described(svg: string, sentence: string): string {
  const text = escapeHtml(sentence.replace(/\s+/g, ' '));
  return svg.replace(/^<svg/, `<svg role="graphics-document" aria-label="${text}"`);
}

/** A picture that is one image to a screen reader, whose points a page tells otherwise. */
function withoutRoles(svg: string): string {
  const [head = ''] = /^<svg[^>]*>/.exec(svg) ?? [];
  const rest = svg
    .slice(head.length)
    .replace(/<[a-z]+ [^<>]*>/gi, (tag) => tag.replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, ''));
  return head.replace('role="graphics-document"', 'role="img"') + rest;
}

function moved({ box: [x, y, width, height], at, ...plot }: Plot, left: number, top: number): Plot {
  const by = (place: number, start: number) => Math.round((place + start) * 10) / 10;
  return {
    ...plot,
    box: [by(x, left), by(y, top), width, height],
    at: at.map((place, index) => by(place, index % 2 === 0 ? left : top)),
  };
}

/** For each view of a chart whether its y axis has names. */
function namedPlots(spec: object): boolean[] {
  const parts = ['concat', 'hconcat', 'vconcat'].flatMap((key) => Reflect.get(spec, key) ?? []) as object[];
  if (parts.length > 0) return parts.flatMap((part) => namedPlots(Object(part)));
  const inner: unknown = Reflect.get(spec, 'spec');
  const view = typeof inner === 'object' && inner !== null ? inner : spec;
  const types = encodingsOf(view, 'y').map((def) => String(Reflect.get(Object(def), 'type')));
  return [types.length > 0 && types.some((type) => type === 'nominal' || type === 'ordinal')];
}

/**
 * Leaves out of a scene what nobody sees: invisible points and, in a narrow picture, words that would lie over each
 * other.
 */
function leaveUnseen(mark: SceneItem, isNarrow: boolean): void {
  for (const part of mark.marktype === 'group' ? (mark.items ?? []) : []) {
    for (const inner of part.items ?? []) leaveUnseen(inner, isNarrow);
  }
  const { marktype, role, items = [] } = mark;
  if (role !== 'mark') return;
  const isUnseen = marktype === 'symbol' && items.length > 0 && items.every(({ opacity }) => opacity === 0);
  if (isUnseen || (isNarrow && marktype === 'text' && overlap(items))) mark.items = [];
}

/** Whether any two of these words lie over each other. */
function overlap(words: readonly SceneItem[]): boolean {
  const boxes = words.flatMap(({ bounds, text }) => (text === '' ? [] : (bounds ?? []))).sort((a, b) => a.x1 - b.x1);
  return boxes.some((box, at) => {
    for (let next = at + 1; next < boxes.length && Number(boxes[next]?.x1) < box.x2; next += 1) {
      const other = boxes[next];
      if (other && other.y1 < box.y2 - 2 && box.y1 < other.y2 - 2) return true;
    }
    return false;
  });
}

/** A copy of a spec with its data; fails if it holds what cannot be copied, such as a function. */
function specNow<Spec extends object>(spec: Spec): Spec {
  try {
    return structuredClone(spec);
  } catch (cause) {
    throw undrawn(cause);
  }
}

function undrawn(cause: unknown): OddslabError {
  if (cause instanceof UsageError) return cause;
  return new OddslabError(`The chart cannot be drawn: ${messageOf(cause)}`, { cause });
}

/** Vega's warnings when it goes on without data; the address and the cause follow. */
const UNREAD = ['Loading failed', 'Data ingestion failed'];

function unreadData(address: unknown, cause: unknown): OddslabError {
  return new OddslabError(
    `the data at ${String(address)} cannot be read: ${messageOf(cause)}. Give the rows themselves: data: { values: recordsOf(frame) }.`,
    { cause },
  );
}

/** Vega-Lite's text for the address of a row that has none. */
const NO_ADDRESS: readonly unknown[] = ['null', 'undefined', 'NaN'];

/**
 * Leaves out links without an address, and those that Vega refuses: nothing catches Vega's rejection, so it would end
 * the process.
 *
 * @returns The refused addresses, which fill in during drawing.
 */
function leaveUnsafeLinks(loader: Loader): Set<unknown> {
  const unsafe = new Set<unknown>();
  const sanitize = loader.sanitize.bind(loader);
  // Vega's types do not allow null for the attribute.
  const none = () => ({ href: null as unknown as string });
  loader.sanitize = async (address, options) => {
    if (options.context !== 'href') return sanitize(address, options);
    if (NO_ADDRESS.includes(address)) return none();
    return sanitize(address, options).catch(() => {
      unsafe.add(address);
      return none();
    });
  };
  return unsafe;
}

/** The most characters of an address in a warning: a data URL may hold a whole picture. */
const LONGEST_SHOWN = 80;

function linksLeftOut([first, ...others]: readonly unknown[]): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const shown = JSON.stringify(cutToWidth(String(first), LONGEST_SHOWN));
  return `The chart leaves out the link to ${shown}${more}: give addresses such as https://… or mailto:….`;
}

/** The most marks of a kind that a still picture describes one by one; beyond it, title and subtitle must do. */
const MOST_SAID = 50;

/** The part of Vega that measures text; its types lack it. */
interface TextMetrics {
  width: (item: object, text: unknown) => number;
  readonly estimateWidth: (item: object, text: unknown) => number;
}

/** Makes Vega measure text. Without a canvas it takes each character to be as wide as a W and leaves wide gaps. */
function measureText(vega: object): void {
  const metrics = Reflect.get(vega, 'textMetrics') as TextMetrics;
  if (metrics.width !== metrics.estimateWidth) return;
  metrics.width = (item, text) => {
    const lines = Array.isArray(text) ? text : [text ?? ''];
    const [size, weight]: unknown[] = [Reflect.get(item, 'fontSize'), Reflect.get(item, 'fontWeight')];
    const stretch = weight === 'bold' || Number(weight) >= 600 ? BOLD : 1;
    return stretch * greatestOf(lines.map((line) => textWidth(String(line), typeof size === 'number' ? size : 11)));
  };
}

/**
 * Makes the description of each drawn mark its tip, instead of the names of its fields.
 *
 * @param most The most marks of a kind that get a description; if there are more, none does.
 */
function sayTips(item: SceneItem, most: number): void {
  const { tooltip, items = [], marktype } = item;
  if (typeof tooltip === 'object' && tooltip !== null) {
    const lines = Object.entries(tooltip).map(([label, value]) => `${label}: ${String(value)}`);
    item.description = lines.join('; ');
  }
  const isSilent = marktype !== undefined && marktype !== 'group' && items.length > most && items.some(hasTip);
  if (isSilent) item.aria = false;
  for (const part of items) {
    sayTips(part, most);
    if (isSilent) part.description = undefined;
  }
}

function hasTip({ tooltip }: SceneItem): boolean {
  return typeof tooltip === 'object' && tooltip !== null;
}
