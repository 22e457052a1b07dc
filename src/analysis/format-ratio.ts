/**
 * A ratio as text, with two digits after the point.
 *
 * @returns `–` for NaN.
 * @example formatRatio(1.5); // '1.50'
 */
export function formatRatio(ratio: number): string {
  return Number.isNaN(ratio) ? '–' : ratio.toFixed(2);
}
