import type { Header } from '../protocol/message.js';

/** How long after a reply a message that was sent before it may arrive at most. */
const WINDOW_MS = 2000;

/** A request that failed. */
export interface Failed {
  header: Header;
  /** When it arrived, by the kernel's clock. */
  arrivedAtMs: number;
  repliedAtMs: number;
}

/**
 * Whether a request that arrives now was certainly sent before its front end can have had the reply to one that
 * failed: fewer milliseconds lie between the two on the sender's clock than the kernel took for its answer.
 *
 * @param isGoing Whether the sender's clock goes: else equal dates say nothing.
 */
export function wasSentBefore(
  header: Header,
  { header: first, arrivedAtMs, repliedAtMs }: Failed,
  isGoing: boolean,
): boolean {
  if (!isGoing || header.session !== first.session || performance.now() - repliedAtMs > WINDOW_MS) return false;
  const sentAfterMs = timeOf(header) - timeOf(first) + granularityMs(header);
  return sentAfterMs >= 0 && sentAfterMs < repliedAtMs - arrivedAtMs;
}

function timeOf({ date }: Header): number {
  if (typeof date !== 'string') return Number.NaN;
  const micros = /\.\d{3}(\d{3})/.exec(date)?.[1] ?? '0';
  return Date.parse(date) + Number(micros) / 1000;
}

/** How far apart two dates may lie that look alike: browsers' show whole milliseconds, others' perhaps whole seconds. */
function granularityMs({ date }: Header): number {
  const digits = /\.(\d+)/.exec(date)?.[1]?.length ?? 0;
  return digits > 3 ? 0 : 1000 / 10 ** digits;
}
