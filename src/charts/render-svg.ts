import type { TopLevelSpec } from 'vega-lite';
import { OddslabError } from '../errors.js';
import { checkMarks } from './check-marks.js';
import { type ChartTheme, paintSvg } from './paint-svg.js';
import { sayTips } from './say-tips.js';
import { slimSvg } from './slim-svg.js';
import { stableIds } from './stable-ids.js';
import { BOLD, textWidth } from './text-width.js';
import { withoutTips } from './without-tips.js';

/** How a chart is drawn. */
export interface RenderOptions {
  theme: ChartTheme;
  /** Whether invisible points that have a tip are drawn too. Default false. */
  tips?: boolean;
}

/**
 * Draws a Vega-Lite chart as SVG text; equal specs give equal bytes. What Vega-Lite says of the spec goes to `onWarning`.
 *
 * @throws {OddslabError} If Vega-Lite or Vega cannot draw it, or data that it names by their address cannot be read.
 * @throws {UsageError} If it has a mark that there is not.
 */
export async function renderSvg(
  spec: object,
  { theme, tips = false }: RenderOptions,
  onWarning: (text: string) => void,
): Promise<string> {
  checkMarks(spec);
  // One after the other: Jest cannot load at once what shares dependencies.
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
    // Vega marks the rows that it reads, so it gets its own.
    const own = structuredClone(tips ? spec : withoutTips(spec)) as TopLevelSpec;
    const view = new vega.View(vega.parse(compile(own, { logger }).spec), { renderer: 'none', logger });
    try {
      await view.runAsync();
      if (unread[0]) throw unread[0];
      // Its types leave out the root.
      sayTips(Reflect.get(view.scenegraph(), 'root'), tips ? Number.POSITIVE_INFINITY : MOST_SAID);
      const { svg, name } = stableIds(slimSvg(await view.toSVG()));
      return paintSvg(svg, theme, name);
    } finally {
      view.finalize();
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OddslabError(`The chart cannot be drawn: ${reason}`, { cause });
  }
}

/** What Vega warns of where it goes on without data, whose address and fault it then names. */
const UNREAD = ['Loading failed', 'Data ingestion failed'];

function unreadData(address: unknown, cause: unknown): OddslabError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OddslabError(
    `the data at ${String(address)} cannot be read: ${reason}. Give the rows themselves: data: { values: recordsOf(frame) }.`,
    { cause },
  );
}

/** Marks of a kind that a still picture describes one by one at most: of more, its title and subtitle speak. */
const MOST_SAID = 50;

/** The part of Vega that lays out text; its types do not name it. */
interface TextMetrics {
  width: (item: object, text: unknown) => number;
  readonly estimateWidth: (item: object, text: unknown) => number;
}

/** Without a canvas Vega takes each character for as wide as a W, and leaves wide gaps; with one it measures. */
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
