import { createServer } from 'node:net';
import type { Log } from './operation/log.js';
import type { Service } from './serve-folder.js';
import type { Settings } from './settings/settings.js';
import { Workers } from './workers/workers.js';

/** A service of several processes. */
export interface WorkersService extends Service {
  /** Rejected if workers end as soon as they start and none is left, which ends the service. Never fulfilled. */
  readonly failure: Promise<never>;
}

/**
 * Starts the query service in several processes on one port. This process answers no requests: it replaces workers that
 * end, keeps rate limits and metrics for all of them, and writes the common log.
 *
 * @param options.isTerminal Whether stderr is a terminal.
 * @throws The error that kept a worker from starting, such as {@link UsageError} if the port is in use.
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
  // The caller gets it by the race below, or later by `failure`.
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

/** Finds a port that is free now, as all workers, also later ones, must use the same; 0 if there is none. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve) => {
    // The first worker reports what is wrong with the host.
    const server = createServer().once('error', () => resolve(0));
    server.listen({ port: 0, host }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
