import { UsageError } from '../../base/errors.js';
import { shownValue } from '../../base/option-types.js';
import { counted } from '../../base/texts.js';
import { shortId } from '../../frame/display/cell-formatter.js';
import { faultyRecords } from '../../frame/tabular/completeness.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { FONT_SIZES, THEME } from './theme.js';
import { BOLD, titleOf, wrappedText } from './title-text.js';

/**
 * A Vega-Lite specification as JSON; members that are not listed here are Vega-Lite's. For closer types use those of
 * the package `vega-lite`: `chart.spec as TopLevelSpec`, with `import type { TopLevelSpec } from 'vega-lite'`.
 */
export interface ChartSpec {
  /** What the chart shows, for readers who cannot see it. */
  readonly description?: string;
  readonly title?: unknown;
  readonly data?: unknown;
  readonly mark?: unknown;
  readonly [member: string]: unknown;
}

/** What a chart shows, in one line: its description, else its title. */
export function sentenceOf(spec: ChartSpec): string {
  return `Chart: ${saidOf(spec) ?? 'without a title'}`;
}

/** A chart's description, else its title; undefined if it has neither. */
export function saidOf(spec: ChartSpec): string | undefined {
  const { description } = spec;
  return typeof description === 'string' && description !== '' ? description : titleOf(spec);
}

/** What every chart has: a title, a subtitle that states the finding and what was left out, and a size. */
export interface ChartFrame {
  /** The frame that is drawn: a line says so if the records behind it are not complete. Undefined if its parts say it. */
  of: Tabular | undefined;
  title: string;
  /** Empty lines are left out. */
  subtitle: readonly string[];
  /** Width between the axes, in pixels. */
  width: number;
  height: number;
}

/** The part of a specification that {@link frameOfChart} makes. */
interface SpecFrame {
  title: { text: string[]; subtitle?: string[] };
  description: string;
  width: number;
  height: number;
  autosize: { type: 'pad' };
  /** A configuration of Vega-Lite. Its own type would make the package's users need vega-lite's declarations. */
  config: object;
  usermeta: { embedOptions: { renderer: 'svg' } };
}

/** Room for the title beyond the width between the axes, in pixels. */
const ASIDE = 60;

/** The part of a specification that all charts have: title, size, theme, and a description for screen readers. */
export function frameOfChart({ of, title, subtitle, width, height }: ChartFrame): SpecFrame {
  const room = Math.max(440, width + ASIDE);
  const all = [...subtitle, of === undefined ? '' : incompleteLine(of)];
  const lines = all.flatMap((line) => wrappedText(line, room, FONT_SIZES.subtitle));
  const text = wrappedText(title, room / BOLD, FONT_SIZES.title);
  return {
    title: { text, ...(lines.length === 0 ? {} : { subtitle: lines }) },
    description: [text.join(' '), ...all.filter(Boolean)].join('. '),
    width,
    height,
    autosize: { type: 'pad' },
    config: THEME,
    // On a canvas, the ink would not follow the page's text colour.
    usermeta: { embedOptions: { renderer: 'svg' } },
  };
}

/** The most wallets whose incomplete records a chart names. */
const MOST_NAMED = 3;

/** What the records behind a frame lack; empty if they lack nothing that is known. */
function incompleteLine(frame: Tabular): string {
  const faulty = faultyRecords(frame);
  const [first] = faulty;
  if (first === undefined) return '';
  if (faulty.length === 1) return `Incomplete record of ${shortId(first.wallet)}: ${first.faults.join('; ')}`;
  const named = faulty.slice(0, MOST_NAMED).map(({ wallet }) => shortId(wallet));
  const others = faulty.length > MOST_NAMED ? ' …' : '';
  return `Incomplete records of ${counted(faulty.length, 'wallet')}: ${named.join(', ')}${others}`;
}

/** The number of charts that share the picture being made. */
let chartsInPicture = 1;

/** Makes a chart that shares its picture with others, so that together they draw no more points than one chart. */
export function inParts<Made>(count: number, make: () => Made): Made {
  const before = chartsInPicture;
  chartsInPicture = before * Math.max(1, count);
  try {
    return make();
  } finally {
    chartsInPicture = before;
  }
}

/** The most points that a chart may draw, given the most for a chart that stands alone. */
export function shareOfPoints(most: number): number {
  return Math.max(1, Math.floor(most / chartsInPicture));
}

/** The most bars that a chart shows. */
const MOST_BARS = 100;

/**
 * Checks the option `top`, the number of bars to show.
 *
 * @param otherwise The default.
 * @throws {UsageError} If it is not a whole number from 1 to 100.
 */
export function checkedTop(top: number | undefined, otherwise: number): number {
  const asked = top === undefined ? otherwise : top;
  if (Number.isInteger(asked) && asked >= 1 && asked <= MOST_BARS) return asked;
  throw new UsageError(`top must be a whole number from 1 to ${MOST_BARS}; got ${shownValue(asked)}.`);
}
