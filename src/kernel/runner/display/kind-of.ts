const LONGEST = 30;

/**
 * Describes a value for an error that says what a call was given instead of what it takes.
 *
 * @example kindOf([1]); // 'an array'
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `the text ${JSON.stringify(shortened(value))}`;
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name: unknown = Reflect.get(Object(Reflect.get(value, 'constructor')), 'name');
  if (typeof name === 'string' && name !== 'Object') return `an instance of ${name}`;
  const keys = Object.keys(value).slice(0, 5).join(', ');
  return keys === '' ? 'an empty object' : `an object with the keys ${shortened(keys)}`;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
