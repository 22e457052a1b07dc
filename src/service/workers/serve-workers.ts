import { createServer } from 'node:net';
import type { Log } from '../operation/log.js';
import type { Settings } from '../operation/settings/settings.js';
import type { Service } from '../serve.js';
import { Workers } from './workers.js';

/** A service of several processes. */
export interface WorkersService extends Service {
  /** Rejected when workers end as soon as they start and none is left: the service is over. Never fulfilled. */
  readonly failure: Promise<never>;
}

/**
 * Starts the query service in several processes over one port. This process answers nothing itself: it replaces workers
 * that end, counts rate limits and metrics for all of them, and writes their one log.
 *
 * @param options.isTerminal Whether stderr is a terminal.
 * @throws What a worker could not start for, such as {@link UsageError} if the port is in use.
 */
export async function serveWorkers(
  settings: Settings,
  { log, isTerminal }: { log: Log; isTerminal: boolean },
): Promise<WorkersService> {
  const port = settings.port === 0 ? await freePort(settings.host) : settings.port;
  let workers: Workers | undefined;
  let fail: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Who starts the service hears of it by the race below, or later by asking.
  failure.catch(() => {});
  const close = async () => workers?.stop();
  const ready = new Promise<string>((onReady) => {
    workers = new Workers({ settings: { ...settings, port }, log, isTerminal, onReady, onFailure: fail });
  });
  try {
    return { url: await Promise.race([ready, failure]), close, failure };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A port that is free at this moment: all workers, later ones too, must ask for the same. 0 where there is none. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve) => {
    // What is wrong with the host is told by the first worker.
    const server = createServer().once('error', () => resolve(0));
    server.listen({ port: 0, host }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
