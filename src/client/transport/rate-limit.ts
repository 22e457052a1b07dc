import type { IncomingHttpHeaders } from 'node:http';
import { isPassing } from './retry.js';

/** The rate limit that all requests of one client share. */
export class RateLimit {
  #openAt = 0;
  /** Number of requests that the service answered successfully. */
  passed = 0;

  /** Milliseconds that the next request must wait; 0 if it may go at once. */
  waitMs(): number {
    const left = this.#openAt - performance.now();
    // A timer may fire a millisecond early.
    return left < 2 ? 0 : Math.ceil(left);
  }

  /** Holds back all requests for this many milliseconds. */
  hold(milliseconds: number): void {
    this.#openAt = Math.max(this.#openAt, performance.now() + milliseconds);
  }
}

/**
 * How long a service asks its clients to wait, by `Retry-After` or, if no request remains, by the rate limit's reset.
 *
 * @returns Milliseconds; undefined if it asks for nothing that can be understood.
 */
export function toldWaitMs(status: number | undefined, headers: IncomingHttpHeaders): number | undefined {
  if (status !== undefined && isPassing(status)) {
    const told = retryAfterMs(headers['retry-after'], headers.date);
    if (told !== undefined) return told;
  }
  const { remaining, reset } = limitOf(headers);
  if (remaining === undefined ? status !== 429 : remaining > 0) return undefined;
  return resetMs(reset, headers.date);
}

/** Reads the limit from two separate headers, or from the single one of newer drafts. */
function limitOf(headers: IncomingHttpHeaders): { remaining: number | undefined; reset: number | undefined } {
  const both = headers.ratelimit === undefined ? '' : String(headers.ratelimit);
  const [, remaining] = (both && /\b(?:r|remaining)\s*=\s*(\d+)/i.exec(both)) || [];
  const [, reset] = (both && /\b(?:t|reset)\s*=\s*(\d+)/i.exec(both)) || [];
  return {
    remaining: numberOf(remaining ?? headers['ratelimit-remaining'] ?? headers['x-ratelimit-remaining']),
    reset: numberOf(reset ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-reset']),
  };
}

/** The present time by the service's clock, which may differ from this machine's. */
function nowOf(date: string | undefined): number {
  return momentOf(date) ?? Date.now();
}

function retryAfterMs(text: string | undefined, date: string | undefined): number | undefined {
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1000;
  const moment = momentOf(text);
  return moment === undefined ? undefined : Math.max(0, moment - nowOf(date));
}

/** Reads a reset: seconds from now, seconds since 1970 or milliseconds since 1970, told apart by their size. */
function resetMs(reset: number | undefined, date: string | undefined): number | undefined {
  if (reset === undefined) return undefined;
  if (reset > 1e11) return Math.max(0, reset - nowOf(date));
  return reset > 1e9 ? Math.max(0, reset * 1000 - nowOf(date)) : reset * 1000;
}

function numberOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header).trim();
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function momentOf(header: string | undefined): number | undefined {
  const moment = header !== undefined && /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
