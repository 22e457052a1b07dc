import type { Config } from 'vega-lite';

/** Colours of the charts: told apart by colour-blind readers, each at least 3:1 against the background. */
export const COLORS = {
  /** Of the chart's card, which is opaque so that it reads the same on light and dark pages and in print. */
  background: '#ffffff',
  text: '#1f2430',
  /** Axis labels and notes. */
  quiet: '#565d6d',
  grid: '#e6e8ee',
  /** The subject of a chart. */
  main: '#0072b2',
  /** Falls and losses. */
  loss: '#c44e00',
  /** What is shown for completeness. */
  rest: '#858b98',
} as const;

/** Colours of several lines, in order; {@link DASHES} tells them apart without colour. */
export const LINE_COLORS = ['#0072b2', '#c44e00', '#00805e', '#aa4499', '#332288', '#8c6d00', '#882255', '#4d4d4d'];

/** Dash patterns that go with {@link LINE_COLORS}. */
export const DASHES = [
  [1, 0],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
  [4, 2],
  [12, 3],
  [1, 3],
  [6, 2, 1, 2, 1, 2],
];

/** Faces whose widths are alike, so that what is laid out without a screen also fits on one. */
const FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';

/** The look of every chart. */
export const THEME: Config = {
  background: COLORS.background,
  padding: 16,
  font: FONT,
  view: { stroke: null },
  title: {
    anchor: 'start',
    frame: 'group',
    color: COLORS.text,
    fontSize: 15,
    fontWeight: 600,
    offset: 14,
    subtitleColor: COLORS.quiet,
    subtitleFontSize: 12,
    subtitlePadding: 5,
  },
  axis: {
    domain: false,
    ticks: false,
    gridColor: COLORS.grid,
    labelColor: COLORS.quiet,
    labelFontSize: 11,
    labelPadding: 6,
    labelLimit: 400,
    titleColor: COLORS.quiet,
    titleFontSize: 11,
    titleFontWeight: 400,
    titlePadding: 10,
  },
  axisX: { domain: true, domainColor: COLORS.quiet, ticks: true, tickColor: COLORS.quiet, tickSize: 4, grid: false },
  legend: {
    labelColor: COLORS.text,
    labelFontSize: 11,
    titleColor: COLORS.quiet,
    titleFontSize: 11,
    titleFontWeight: 400,
    symbolStrokeWidth: 2,
    symbolSize: 240,
  },
};
