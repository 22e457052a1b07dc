/** A value as JSON, cut short, for error messages. */
export function showValue(value: unknown): string {
  const text = (Array.isArray(value) && value.length > 80 ? undefined : JSON.stringify(value)) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
