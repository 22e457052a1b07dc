import type { Log } from '../operation/log.js';
import type { Peers } from '../operation/peers.js';
import type { Settings } from '../operation/settings/settings.js';
import { type Service, serve } from '../serve.js';

/** What a process that only serves needs besides its settings. */
export interface ServeLoggedOptions {
  readonly log: Log;
  /** Whether stderr is a terminal. Only there are sign-in links shown, as they let in whoever reads them. */
  readonly isTerminal: boolean;
  /** The other processes of the service, if there are any. */
  readonly peers?: Peers;
}

/**
 * Starts the service in this process and logs its events.
 *
 * @throws The errors of {@link serve}.
 */
export async function serveLogged(settings: Settings, options: ServeLoggedOptions): Promise<Service> {
  const { log, isTerminal, peers } = options;
  const { data, logLevel, workers, ...rest } = settings;
  return serve({
    ...rest,
    folder: data,
    peers,
    onError: log.failure,
    onRequest: log.request,
    onData: log.data,
    showLink: isTerminal ? showLink : undefined,
  });
}

function showLink(address: string, link: string): void {
  process.stderr.write(`Sign-in link for ${address}:\n  ${link}\n`);
}
