/** Lengths of time in days that have a name. */
const NAMES = [
  ...([
    [1 / 1440, '1 minute'],
    [5 / 1440, '5 minutes'],
    [1 / 24, '1 hour'],
    [0.25, '6 hours'],
    [1, '1 day'],
    [7, '1 week'],
    [30, '1 month'],
  ] as const),
  ...([
    [90, '3 months'],
    [365, '1 year'],
    [1460, '4 years'],
  ] as const),
] as const;

/** Ticks of a logarithmic axis of days, at the lengths that have a name. */
export const LIFETIME_TICKS: readonly number[] = NAMES.map(([days]) => days);

/** An axis of days that labels minutes, hours, weeks and months. */
export const LIFETIME_AXIS = {
  title: 'From opening to close',
  labelExpr: NAMES.reduceRight((rest, [days, name]) => `abs(datum.value - ${days}) < 1e-6 ? '${name}' : ${rest}`, "''"),
};
