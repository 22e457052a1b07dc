import type { Config } from 'vega-lite';

/**
 * The colour of text, axes and rules: that of the text around the chart, so that one specification is legible on light
 * and dark pages. A picture that stands alone gets it from one of {@link SCHEMES}.
 */
export const INK = 'currentColor';

/**
 * Colours of marks: of medium lightness, with a contrast of at least 3:1 to white and to the dark greys of notebooks,
 * and distinct to colour-blind readers. Where two meet, shape, filling or place tells them apart too.
 */
export const COLORS = {
  /** The subject of a chart; gains. */
  main: '#1f83c4',
  /** Falls and losses. */
  loss: '#d4651a',
  /** Marks shown for completeness. */
  rest: '#7d8490',
} as const;

/** The opacity of axis labels and notes. */
export const QUIET = 0.78;

/** Ink and paper of a picture that stands alone. */
export const SCHEMES = {
  light: { ink: '#1f2430', paper: '#ffffff' },
  dark: { ink: '#e3e6ec', paper: '#16181d' },
} as const;

/** Colours of several lines, in order. */
export const LINE_COLORS = ['#1f83c4', '#d4651a', '#12956f', '#b65bc0', '#7d8490', '#8a7a14', '#e0558a', '#5b6fd8'];

/** Sizes of a chart's words, in pixels. */
export const FONT_SIZES = { title: 15, subtitle: 12, label: 11 } as const;

/** Faces of similar widths, so that a layout made without a screen also fits on one. */
const FONT = 'Helvetica, Arial, "Liberation Sans", sans-serif';

const WORDS = {
  labelColor: INK,
  labelFontSize: FONT_SIZES.label,
  titleColor: INK,
  titleFontSize: FONT_SIZES.label,
  titleFontWeight: 400,
} as const;

/** The look of every chart. */
export const THEME: Config = {
  background: 'transparent',
  padding: 16,
  font: FONT,
  view: { stroke: null, continuousWidth: 560, continuousHeight: 300, step: 24 },
  mark: { color: COLORS.main },
  range: { category: LINE_COLORS },
  title: {
    anchor: 'start',
    frame: 'group',
    color: INK,
    fontSize: FONT_SIZES.title,
    fontWeight: 600,
    offset: 14,
    subtitleColor: INK,
    subtitleFontSize: FONT_SIZES.subtitle,
    subtitleLineHeight: 16,
    subtitlePadding: 5,
  },
  header: WORDS,
  axis: {
    ...WORDS,
    labelOpacity: QUIET,
    titleOpacity: QUIET,
    domain: false,
    ticks: false,
    gridColor: INK,
    gridOpacity: 0.14,
    labelPadding: 6,
    labelLimit: 400,
    labelSeparation: 8,
    titlePadding: 10,
  },
  axisX: {
    domain: true,
    domainColor: INK,
    domainOpacity: QUIET,
    ticks: true,
    tickColor: INK,
    tickOpacity: QUIET,
    tickSize: 4,
    labelFlush: false,
    grid: false,
  },
  legend: { ...WORDS, labelOpacity: 1, titleOpacity: QUIET, labelLimit: 400, symbolStrokeWidth: 2, symbolSize: 240 },
  text: { color: INK, fontSize: FONT_SIZES.label },
  // What a tip says where nothing tells the unit: a sum of decimals ends in digits that nobody asked for.
  tooltipFormat: { numberFormat: ',.4~f' },
  // One minus sign in all charts, that of the amounts in their words.
  locale: { number: { decimal: '.', thousands: ',', grouping: [3], currency: ['$', ''], minus: '-' } },
};
