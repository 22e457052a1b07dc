/** Milliseconds for a statement that changes a table's place or a line of the log; a removal waits for its readers. */
export const SHORT_MS = 60_000;

/** Milliseconds for a checksum over all rows of a table. */
export const LONG_MS = 3_600_000;
