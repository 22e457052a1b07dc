/**
 * The nine months that a sample covers, in Unix seconds: from 2025-05-01 up to, but not including, 2026-02-01, both
 * UTC. The clock is never read, so that a sample is the same on every day.
 */
export const sampleWindow = { start: 1_746_057_600, end: 1_769_904_000 };
