/** Vega expressions and formats that all charts label their axes and tips with. */
export const LABELS = {
  /** Dollars of an axis, short: $0.25, $250, $1.5k, $20M, $3B. */
  usd: "replace(replace(format(datum.value, abs(datum.value) < 1 ? '$~f' : '$~s'), 'G', 'B'), '−', '-')",
  /** Dollars of a tip, to the cent. */
  usdTip: '$,.2f',
  /** A fraction as a percentage of an axis. */
  percent: '~%',
  /** The same of one that may be negative, with a hyphen as all amounts have it. */
  signedPercent: "replace(format(datum.value, '~%'), '−', '-')",
  /** A fraction of a tip. */
  percentTip: '.1%',
  /** A count of an axis, short. */
  amount: '~s',
  count: ',d',
  date: '%b %-d, %Y',
} as const;
