/**
 * A duration as messages show it.
 *
 * @example shownDuration(1500); // '1.5 s'
 */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.ceil(milliseconds)} ms`;
  const seconds = milliseconds < 10_000 ? Math.round(milliseconds / 100) / 10 : Math.round(milliseconds / 1000);
  return `${seconds} s`;
}
