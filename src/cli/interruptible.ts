import { OddslabError } from '../errors.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that Ctrl-C ends in order: the first SIGINT, SIGTERM or SIGHUP aborts it, and once it has cleared up after itself
 * the process ends as the signal would have ended it. A second one ends it at once.
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
