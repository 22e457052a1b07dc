/** How long answers wait for others, at most. */
const MOST_MS = 1;

let waiting: (() => void)[] = [];
let sinceMs = 0;

/**
 * Gathers the answers of one turn of the event loop, and writes them together at its end, or after a millisecond. Each
 * write may wake up its reader, which costs more than most queries; a reader that is awake finds all of them at once.
 *
 * @param write Must not throw.
 */
export function writeTogether(write: () => void): void {
  const nowMs = performance.now();
  if (waiting.length === 0) {
    setImmediate(writeAll);
    sinceMs = nowMs;
  }
  waiting.push(write);
  if (nowMs - sinceMs > MOST_MS) writeAll();
}

function writeAll(): void {
  const writes = waiting;
  waiting = [];
  for (const write of writes) write();
}
