/**
 * SQL for what the chain says of markets: the side that won by the order of outcomes, 2 for a tie and null for other
 * payouts, and when it was resolved.
 */
export const RESOLVED_MARKETS = `(
  SELECT condition_id, resolved_ms, CASE WHEN payout_a = 1 AND payout_b = 0 THEN 0 WHEN payout_a = 0 AND payout_b = 1 THEN 1
    WHEN payout_a = 0.5 AND payout_b = 0.5 THEN 2 END::TINYINT AS winner
  FROM resolutions
  QUALIFY row_number() OVER (PARTITION BY condition_id ORDER BY resolved_ms DESC, payout_a, payout_b) = 1)`;
