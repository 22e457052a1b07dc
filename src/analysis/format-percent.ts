/**
 * A fraction as the text of a percentage.
 *
 * @param decimals Digits after the point. Default 1.
 * @returns The text; `–` for NaN.
 * @example formatPercent(0.4902); // '49.0%'
 */
export function formatPercent(fraction: number, decimals = 1): string {
  if (Number.isNaN(fraction)) return '–';
  const text = (100 * fraction).toFixed(decimals);
  return `${Number(text) === 0 ? text.replace('-', '') : text}%`;
}
