/** Vega expressions and formats that all charts label their axes and tips with. */
export const LABELS = {
  /** Dollars of an axis, short: $250, $1.5k, $20M, $3B. */
  usd: "replace(replace(format(datum.value, '$~s'), 'G', 'B'), '−', '-')",
  /** Dollars of a tip, to the cent. */
  usdTip: '$,.2f',
  /** A fraction as a whole percentage. */
  percent: '.0%',
  /** A fraction of a tip. */
  percentTip: '.1%',
  count: ',d',
  date: '%b %-d, %Y',
  /** A wallet's first and last digits. */
  wallet: "length(datum.label) > 20 ? slice(datum.label, 0, 6) + '…' + slice(datum.label, -4) : datum.label",
} as const;
