import type { Loader } from 'vega';
import type { TopLevelSpec } from 'vega-lite';
import { messageOf, OddslabError } from '../../base/errors.js';
import { cutToWidth } from '../../frame/display/terminal-width.js';
import { BOLD, textWidth } from '../design/chart-text.js';
import { checkMarks, withoutTips } from '../design/marks.js';
import { type ChartTheme, paintSvg, slimSvg, stableIds } from './svg-text.js';

/** How a chart is drawn. */
interface RenderOptions {
  theme: ChartTheme;
  /** Whether invisible points that carry tips are drawn too. Default false. */
  tips?: boolean;
}

/**
 * Draws a Vega-Lite chart, as it is at the call, as SVG text; equal specs give equal bytes. Vega-Lite's warnings about
 * the spec go to `onWarning`, and so do links that are left out as unsafe.
 *
 * @throws {OddslabError} If Vega-Lite or Vega cannot draw it, or data that it loads from an address cannot be read.
 * @throws {UsageError} If it has an unknown mark.
 */
export async function renderSvg(
  spec: object,
  { theme, tips = false }: RenderOptions,
  onWarning: (text: string) => void,
): Promise<string> {
  checkMarks(spec);
  // A copy, because Vega marks the rows that it reads.
  const own = specNow(tips ? spec : withoutTips(spec)) as TopLevelSpec;
  // One after the other: Jest cannot load modules that share dependencies concurrently.
  const vega = await import('vega');
  const { compile } = await import('vega-lite');
  const logger = vega.logger(vega.Warn);
  const unread: OddslabError[] = [];
  logger.warn = (...words) => {
    if (UNREAD.includes(String(words[0]))) unread.push(unreadData(words[1], words[2]));
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
      sayTips(Reflect.get(view.scenegraph(), 'root'), tips ? Number.POSITIVE_INFINITY : MOST_SAID);
      const { svg, name } = stableIds(slimSvg(await view.toSVG()));
      if (unsafe.size > 0) onWarning(linksLeftOut([...unsafe]));
      return paintSvg(svg, theme, name);
    } finally {
      view.finalize();
    }
  } catch (cause) {
    throw undrawn(cause);
  }
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
    return stretch * Math.max(...lines.map((line) => textWidth(String(line), typeof size === 'number' ? size : 11)));
  };
}

/** The part of Vega's scene that is read here: an item may have child items and a tip. */
interface SceneItem {
  readonly items?: readonly SceneItem[];
  readonly tooltip?: unknown;
  readonly marktype?: string;
  aria?: boolean;
  description?: string | undefined;
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
