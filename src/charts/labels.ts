/** Vega expressions and formats that all charts label their axes and tips with. */
export const LABELS = {
  /** Dollars of an axis, short: $250, $1.5k, $20M, $3B. */
  usd: "replace(replace(format(datum.value, '$~s'), 'G', 'B'), '−', '-')",
  /** Dollars of a tip, to the cent. */
  usdTip: '$,.2f',
  /** A fraction as a percentage of an axis. */
  percent: '~%',
  /** The same of one that may be negative, with a hyphen as all amounts have it. */
  signedPercent: "replace(format(datum.value, '~%'), '−', '-')",
  /** A fraction of a tip. */
  percentTip: '.1%',
  count: ',d',
  date: '%b %-d, %Y',
  /** A long id by its first and last digits, other long text by its beginning. */
  id:
    "test(/^0x[0-9a-f]{12,}$/i, datum.label) ? slice(datum.label, 0, 6) + '…' + slice(datum.label, -4) : " +
    "length(datum.label) > 44 ? slice(datum.label, 0, 43) + '…' : datum.label",
} as const;
