/** Milliseconds for a statement on the log, or that creates or drops a table; a drop waits for the table's readers. */
export const SHORT_MS = 60_000;

/** Milliseconds for a checksum over all rows of a table. */
export const LONG_MS = 3_600_000;
