import { OddslabError } from '../base/errors.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that Ctrl-C can end cleanly: the first SIGINT, SIGTERM or SIGHUP aborts the work, and once it has cleaned
 * up, the process ends as if by that signal. A second signal ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    received = signal;
    controller.abort(new OddslabError(`Ended by ${signal}.`));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    if (received) {
      process.stderr.write(`oddslab: ended by ${received}; nothing half-made was left behind.\n`);
      process.kill(process.pid, received);
    }
  }
}
