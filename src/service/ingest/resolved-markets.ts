/**
 * SQL for what the chain says of markets: the side that won by the order of outcomes, 2 for a tie and null for other
 * payouts, and when it was resolved.
 */
export const RESOLVED_MARKETS = `(
  SELECT condition_id, resolved_ms, CASE WHEN abs(payout_a - payout_b - 1) < 1e-5 THEN 0 WHEN abs(payout_b - payout_a - 1) < 1e-5 THEN 1
    WHEN abs(payout_a - payout_b) < 1e-5 THEN 2 END::TINYINT AS winner
  FROM resolutions
  QUALIFY row_number() OVER (PARTITION BY condition_id ORDER BY resolved_ms DESC, payout_a, payout_b) = 1)`;
