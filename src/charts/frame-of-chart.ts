import type { Config } from 'vega-lite';
import { THEME } from './theme.js';

/** What every chart has: the theme, a title with a line below it, a description for those who cannot see it, a size. */
export interface ChartFrame {
  title: string;
  subtitle: string;
  description: string;
  width: number;
  height: number;
}

/** The part of a specification that {@link frameOfChart} makes. */
export interface SpecFrame {
  title: { text: string; subtitle?: string };
  description: string;
  width: number;
  height: number;
  autosize: { type: 'pad' };
  config: Config;
}

/** The part of a specification that is alike for all charts. */
export function frameOfChart({ title, subtitle, ...rest }: ChartFrame): SpecFrame {
  return {
    title: { text: title, ...(subtitle === '' ? {} : { subtitle }) },
    ...rest,
    autosize: { type: 'pad' },
    config: THEME,
  };
}
