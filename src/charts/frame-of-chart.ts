import type { Config } from 'vega-lite';
import { BOLD } from './text-width.js';
import { FONT_SIZES, THEME } from './theme.js';
import { wrappedText } from './wrapped-text.js';

/** What every chart has: a title, a subtitle that states the finding and what was left out, and a size. */
export interface ChartFrame {
  title: string;
  /** Empty lines are left out. */
  subtitle: readonly string[];
  /** Width between the axes, in pixels. */
  width: number;
  height: number;
}

/** The part of a specification that {@link frameOfChart} makes. */
export interface SpecFrame {
  title: { text: string[]; subtitle?: string[] };
  description: string;
  width: number;
  height: number;
  autosize: { type: 'pad' };
  config: Config;
  usermeta: { embedOptions: { renderer: 'svg' } };
}

/** Room for the title beyond the width between the axes, in pixels. */
const ASIDE = 60;

/** The part of a specification that all charts have: title, size, theme, and a description for screen readers. */
export function frameOfChart({ title, subtitle, width, height }: ChartFrame): SpecFrame {
  const room = Math.max(440, width + ASIDE);
  const lines = subtitle.flatMap((line) => wrappedText(line, room, FONT_SIZES.subtitle));
  const text = wrappedText(title, room / BOLD, FONT_SIZES.title);
  return {
    title: { text, ...(lines.length === 0 ? {} : { subtitle: lines }) },
    description: [text.join(' '), ...subtitle.filter(Boolean)].join('. '),
    width,
    height,
    autosize: { type: 'pad' },
    config: THEME,
    // On a canvas, the ink would not follow the page's text colour.
    usermeta: { embedOptions: { renderer: 'svg' } },
  };
}
