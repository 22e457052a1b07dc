/** The progress of counted work. */
export interface ProgressState {
  /** Empty if there is none. */
  label: string;
  count: number;
  /** Undefined if unknown. */
  total: number | undefined;
  elapsedMs: number;
}

/**
 * Progress, speed and time left in words, without the label.
 *
 * @example progressText({ label: '', count: 30, total: 120, elapsedMs: 2000 }); // '30 of 120, 15/s, 6 s left'
 */
export function progressText({ count, total, elapsedMs }: ProgressState): string {
  const perSecond = elapsedMs > 0 ? (count / elapsedMs) * 1000 : 0;
  const left = total !== undefined && perSecond > 0 ? (total - count) / perSecond : undefined;
  const parts = [counted(count, total)];
  if (count > 0 && perSecond > 0) parts.push(rateText(perSecond));
  if (left !== undefined && left > 0) parts.push(`${durationText(left)} left`);
  return parts.join(', ');
}

/**
 * How the work ended, in words without the label. No times, so that a notebook gives the same output when run again.
 *
 * @example endText({ label: '', count: 30, total: 120, elapsedMs: 2000 }); // 'stopped at 30 of 120'
 */
export function endText({ count, total }: ProgressState): string {
  if (total === undefined) return `${number(count)} done`;
  return count >= total ? `${number(count)} done` : `stopped at ${counted(count, total)}`;
}

function counted(count: number, total: number | undefined): string {
  return total === undefined ? number(count) : `${number(count)} of ${number(total)}`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

function rateText(perSecond: number): string {
  if (perSecond < 1) return `${(1 / perSecond).toPrecision(2)} s each`;
  return `${perSecond.toLocaleString('en-US', { maximumSignificantDigits: perSecond < 100 ? 2 : 3 })}/s`;
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
