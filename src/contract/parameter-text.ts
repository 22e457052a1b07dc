/**
 * The text of a filter's value, which the service reads and echoes. Text stays as it was sent, spaces included; a small
 * JSON number is written without an exponent.
 *
 * @param value Text, a boolean or a number.
 * @example parameterText(1e-7); // '0.0000001'
 */
export function parameterText(value: unknown): string {
  const text = String(value);
  return typeof value === 'number' && text.includes('e-') ? value.toFixed(20).replace(/(\.\d+?)0+$/, '$1') : text;
}
