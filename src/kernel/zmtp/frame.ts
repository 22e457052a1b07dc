/** One of the parts of which a ZeroMQ message consists. Strings travel as UTF-8. */
export type Frame = string | Uint8Array;

/** The bits of a frame's first byte. */
export const FLAGS = { more: 1, long: 2, command: 4 } as const;

/** Longest body whose length fits into one byte; longer ones take eight. */
export const SHORT_BYTES = 255;
