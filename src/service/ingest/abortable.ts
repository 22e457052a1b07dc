/**
 * Waits for work until the signal is aborted. The work itself is not stopped: a statement of the engine runs to its
 * end.
 *
 * @throws The signal's reason as soon as it is aborted; else whatever the work throws.
 */
export async function abortable<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  work.catch(() => {});
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
