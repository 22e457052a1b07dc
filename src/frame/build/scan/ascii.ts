/** Codes of the bytes that have a meaning in JSON. */
export const ASCII = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openList: 0x5b,
  escape: 0x5c,
  closeList: 0x5d,
  e: 0x65,
  n: 0x6e,
  openRecord: 0x7b,
  closeRecord: 0x7d,
} as const;

/** `null`, `true` and the last four letters of `false`, as little-endian words. */
export const NULL_WORD = 0x6c6c756e;
export const TRUE_WORD = 0x65757274;
export const ALSE_WORD = 0x65736c61;
