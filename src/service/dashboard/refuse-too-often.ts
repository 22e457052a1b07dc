import { PageError } from './page-error.js';

/** Ends a request that a rate limit does not allow. @param waitMs What `RateLimit.take` gave; 0 lets it pass. */
export function refuseTooOften(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  throw new PageError(429, 'Too often', `Wait ${wait}, then try once more.`, { 'Retry-After': String(seconds) });
}
