/**
 * Which of the two 32-bit halves of a 64-bit number is the more significant in memory on this machine: 1 where bytes
 * are little-endian, else 0.
 */
export const HIGH_HALF = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;
