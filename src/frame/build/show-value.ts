/** A value as JSON for error messages, shortened; NaN, infinities and bigints as JavaScript writes them. */
export function showValue(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return `${value}n`;
  const text = (Array.isArray(value) && value.length > 80 ? undefined : JSON.stringify(value)) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
