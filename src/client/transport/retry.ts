import { systemErrorCode } from '../../base/whole-file.js';

const LONGEST_STEP_MS = 15_000;

/** Statuses after which another try may succeed; every query is safe to repeat. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];

/** Codes of permanent faults: an untrusted certificate, a wrong proxy address, headers that are too long. */
const LASTING =
  /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|UND_ERR_(INVALID|HEADERS_OVERFLOW|CLOSED|DESTROYED|PRX_TLS))/;

/** Whether a refusal may be temporary. */
export function isPassing(status: number): boolean {
  return PASSING.includes(status);
}

/**
 * Whether a fault of a connection may be temporary: not if a certificate is untrusted, or the other side does not speak
 * HTTP.
 */
export function isPassingFault(fault: unknown): boolean {
  const { name, message } = fault instanceof Error ? fault : { name: '', message: '' };
  // An answer that ends within its headers was cut, too.
  if (name === 'HTTPParserError') return /\bEOF\b/.test(message);
  return !LASTING.test(systemErrorCode(fault) ?? '');
}

/**
 * How long to wait before the next try if the service does not say: a random time up to a bound that doubles, so that
 * clients that failed together do not retry together.
 *
 * @param failures How often the request has failed, from 1.
 * @param firstMs The bound after the first failure, in milliseconds.
 * @returns Milliseconds, never more than 15,000.
 */
export function backOffMs(failures: number, firstMs: number): number {
  return Math.random() * Math.min(LONGEST_STEP_MS, firstMs * 2 ** (failures - 1));
}
