import cluster from 'node:cluster';
import { openLog } from '../operation/log.js';
import { logWarnings } from '../operation/log-warnings.js';
import type { FromWorker, Start, ToWorker } from './messages.js';
import { sentError } from './sent-error.js';
import { serveLogged } from './serve-logged.js';
import { WorkerPeers } from './worker-peers.js';

/**
 * Runs this process as a worker of {@link serveWorkers}: waits for what to serve, serves it, and ends when it is told
 * to. Where the primary has gone, it ends at once.
 */
export async function runWorker(): Promise<void> {
  const peers = new WorkerPeers(say);
  let start: (start: Start) => void = () => {};
  let stop = () => {};
  const started = new Promise<Start>((resolve) => {
    start = resolve;
  });
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  process.on('message', (message: ToWorker) => {
    if (message.type === 'start') start(message.start);
    else if (message.type === 'stop') stop();
    else peers.hear(message);
  });
  // These come from a terminal to all processes: the primary says what is to be done.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.once('SIGTERM', () => stop());
  // Before the cluster's own listener, whose process.exit() may hang while the database is being opened.
  process.prependListener('disconnect', () => {
    if (!cluster.worker?.exitedAfterDisconnect) process.kill(process.pid, 'SIGKILL');
  });
  say({ type: 'awake' });
  await serveUntil(stopped, await started, peers);
  // With the channel closed nothing keeps this process alive: it ends by itself, after what is still under way.
  cluster.worker?.disconnect();
}

async function serveUntil(stopped: Promise<void>, { settings, isTerminal }: Start, peers: WorkerPeers): Promise<void> {
  const number = cluster.worker?.id ?? 0;
  const log = openLog({ level: settings.logLevel, worker: number, isForReading: isTerminal });
  logWarnings(log);
  try {
    const service = await serveLogged(settings, { log, isTerminal, peers });
    say({ type: 'ready', url: service.url });
    await stopped;
    await service.close();
    await peers.tellMetrics();
  } catch (error) {
    say({ type: 'failed', error: sentError(error) });
  }
  await log.end();
}

/** Once the primary has gone, there is nobody to tell. */
function say(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => {});
}
