import { PageError } from './page-error.js';

/** Refuses a request beyond a rate limit. @param waitMs The result of `RateLimit.take`; 0 lets the request pass. */
export function refuseTooOften(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  throw new PageError(429, 'Too often', `Wait ${wait}, then try once more.`, { 'Retry-After': String(seconds) });
}
