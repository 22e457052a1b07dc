import type { Provenance } from '../../../src/frame/tabular/provenance.js';

/** The provenance of a frame of many wallets, with one query each. */
export function someQueries(count: number): Provenance[] {
  return Array.from({ length: count }, (_, at) => ({
    service: 'http://localhost:8321',
    dataset: 569,
    params: { wallet: `0x${at.toString(16).padStart(40, '0')}`, granularity: '1d' },
    queriedAt: new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString(),
    records: at,
    dataVersion: 'v1',
  }));
}
