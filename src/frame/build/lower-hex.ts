const HEX = /^0x[\da-f]+$/i;

/** Converts `0x` and hexadecimal digits to lower case; returns any other text as it is. */
export function lowerHex(text: string): string {
  return HEX.test(text) ? text.toLowerCase() : text;
}
