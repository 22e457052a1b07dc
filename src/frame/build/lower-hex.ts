const HEX = /^0x[\da-f]+$/i;

/** A text of hexadecimal digits behind `0x` in lower case; any other text as it is. */
export function lowerHex(text: string): string {
  return HEX.test(text) ? text.toLowerCase() : text;
}
