import { MICRO } from '../../base/decimal.js';
import type { DatasetRecord } from '../../contract/dataset.js';
import type { MARKETS } from '../../contract/markets.js';
import type { MarketRow } from '../store/store.js';

/** A market as it goes on the wire. */
export function marketRecord(row: MarketRow): DatasetRecord<typeof MARKETS> {
  return {
    condition_id: row.condition_id,
    question: row.question,
    slug: row.slug,
    event_slug: row.event_slug,
    closed: row.closed,
    volume_total: Number(row.volume) / MICRO,
    start_date: iso(row.start_ms),
    end_date: iso(row.end_ms),
    close_date: iso(row.close_ms),
    side_a_token_id: row.token_a,
    side_b_token_id: row.token_b,
    side_a_outcome: row.outcome_a,
    side_b_outcome: row.outcome_b,
    winning_outcome: row.winner === 0 ? row.outcome_a : row.winner === 1 ? row.outcome_b : null,
  };
}

/** ISO 8601, with milliseconds only if they are not zero. */
function iso(millis: bigint | null): string | null {
  return millis === null ? null : new Date(Number(millis)).toISOString().replace('.000Z', 'Z');
}
