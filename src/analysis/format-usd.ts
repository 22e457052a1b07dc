const CENTS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const WHOLE = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

/**
 * Dollars as text: with cents below 1,000, whole from there on.
 *
 * @returns `–` for NaN.
 * @example formatUsd(-1234.5); // '-$1,235'
 */
export function formatUsd(dollars: number): string {
  if (Number.isNaN(dollars)) return '–';
  return (Math.abs(dollars) < 1000 ? CENTS : WHOLE).format(dollars === 0 ? 0 : dollars);
}
