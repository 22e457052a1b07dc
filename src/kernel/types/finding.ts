/** A finding of the type checker, with offsets in the cell (UTF-16 units). */
export interface Finding {
  code: number;
  message: string;
  start: number;
  end: number;
}

/** `var` twice, with another type. */
export const OTHER_TYPE = 2403;
/** Values that may be null or undefined. */
export const NULLISH = new Set([2531, 2532, 2533, 18047, 18048, 18049, 2721, 2722, 2723]);
export const NO_MEMBER = new Set([2339, 2551, 2812]);
export const ARITHMETIC = new Set([2356, 2362, 2363, 2365]);
export const BY_KEY = 7053;
/** What a class extends has no constructor, as far as the types tell. */
export const NO_BASE = 2507;

/** The kind of a primitive value's type; undefined for other types. */
export function primitiveOf(type: string): string | undefined {
  if (/^(string|number|bigint|boolean|Date|null|undefined|unknown|any|void)$/.test(type)) return type;
  if (/^"/.test(type)) return 'string';
  if (/^-?[\d.]+(e[+-]?\d+)?$/.test(type)) return 'number';
  if (/^-?\d+n$/.test(type)) return 'bigint';
  return type === 'true' || type === 'false' ? 'boolean' : undefined;
}
