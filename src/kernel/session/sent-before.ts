import type { Header } from '../protocol/message.js';

/** How long a message may be under way: so long after a reply, one that was sent before it may still arrive. */
const WINDOW_MS = 2000;

/** A request whose cell failed. */
export interface Failed {
  header: Header;
  /** When it arrived, by the kernel's clock. */
  arrivedAtMs: number;
  repliedAtMs: number;
}

/**
 * Whether a request that arrives now was certainly sent before its front end can have had the reply to the failed one:
 * on the sender's clock, less time lies between the two than the kernel took to answer.
 *
 * @param isGoing Whether the sender's clock advances; otherwise equal dates mean nothing.
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

/**
 * Whether an interrupt that arrives now was sent before the request whose cell runs, and so concerns what earlier cells
 * left running: the two come by different sockets, and a busy machine may deliver them in either order.
 */
export function wasOvertaken(
  interrupt: Header,
  { message: { header }, arrivedAtMs }: { message: { header: Header }; arrivedAtMs: number },
): boolean {
  // A clock that was put back must not keep a running cell from being interrupted for long.
  if (header.session !== interrupt.session || performance.now() - arrivedAtMs > WINDOW_MS) return false;
  return timeOf(interrupt) < timeOf(header);
}

function timeOf({ date }: Header): number {
  if (typeof date !== 'string') return Number.NaN;
  const micros = /\.\d{3}(\d{3})/.exec(date)?.[1] ?? '0';
  return Date.parse(date) + Number(micros) / 1000;
}

/** How far apart two equal dates may be: browsers send whole milliseconds, others perhaps whole seconds. */
function granularityMs({ date }: Header): number {
  const digits = /\.(\d+)/.exec(date)?.[1]?.length ?? 0;
  return digits > 3 ? 0 : 1000 / 10 ** digits;
}
