const SURROGATE = /[\ud800-\udbff][\udc00-\udfff]/;

/**
 * Converts an offset in code points, as Jupyter counts, to UTF-16 units, as JavaScript counts; limited to the text.
 *
 * @example utf16Offset('😀a', 1); // 2
 */
export function utf16Offset(text: string, codePoints: number): number {
  const wanted = Math.max(0, codePoints);
  if (!SURROGATE.test(text)) return Math.min(wanted, text.length);
  let offset = 0;
  for (let count = 0; count < wanted && offset < text.length; count++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/**
 * Converts an offset in UTF-16 units to code points, as Jupyter counts.
 *
 * @example codePointOffset('😀a', 2); // 1
 */
export function codePointOffset(text: string, utf16: number): number {
  const before = text.slice(0, Math.max(0, utf16));
  if (!SURROGATE.test(before)) return before.length;
  let count = 0;
  for (const _ of before) count += 1;
  return count;
}
