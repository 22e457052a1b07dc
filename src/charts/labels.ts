/** Vega expressions and formats for the labels of axes and tips in all charts. */
export const LABELS = {
  /** Dollars on an axis, short: $0.25, $250, $1.5k, $20M, $3B. */
  usd: "replace(replace(format(datum.value, abs(datum.value) < 1 ? '$~f' : '$~s'), 'G', 'B'), '−', '-')",
  /** Dollars in a tip, to the cent. */
  usdTip: '$,.2f',
  /** A fraction as a percentage on an axis. */
  percent: '~%',
  /** The same for one that may be negative, with a hyphen as in all amounts. */
  signedPercent: "replace(format(datum.value, '~%'), '−', '-')",
  /** A fraction as a percentage in a tip. */
  percentTip: '.1%',
  /** A count on an axis, short. */
  amount: '~s',
  count: ',d',
  date: '%b %-d, %Y',
} as const;
