/** Made when first used: the two cost more than all else of the package's import. */
let formats: { cents: Intl.NumberFormat; whole: Intl.NumberFormat } | undefined;

/**
 * An amount in USD as text: with cents below 1,000 dollars, in whole dollars from there on.
 *
 * @returns The text; `–` for NaN.
 * @example formatUsd(-1234.5); // '-$1,235'
 */
export function formatUsd(dollars: number): string {
  if (Number.isNaN(dollars)) return '–';
  formats ??= {
    cents: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }),
    whole: new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }),
  };
  return (Math.abs(dollars) < 1000 ? formats.cents : formats.whole).format(Math.abs(dollars) < 0.005 ? 0 : dollars);
}
