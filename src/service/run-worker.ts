import cluster from 'node:cluster';
import { logWarnings, openLog } from './operation/log.js';
import { serveLogged } from './serve-folder.js';
import type { SheetMaker } from './web/sheets.js';
import { type FromWorker, sentError, type ToWorker, type WorkerStart } from './workers/worker-messages.js';
import { WorkerPeers } from './workers/worker-peers.js';

/**
 * Runs this process as a worker of {@link serveWorkers}: waits for its settings, serves, and ends when told to. If the
 * primary has gone, it ends at once.
 *
 * @param sheets Makes the wallets' pages of the dashboard.
 */
export async function runWorker(sheets?: SheetMaker): Promise<void> {
  const peers = new WorkerPeers(say);
  let start: (start: WorkerStart) => void = () => {};
  let stop = () => {};
  const started = new Promise<WorkerStart>((resolve) => {
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
  // A terminal sends these to all processes; the primary decides what to do.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  process.once('SIGTERM', () => stop());
  // Runs before the cluster's own listener, whose process.exit() may hang while the database is being opened.
  process.prependListener('disconnect', () => {
    if (!cluster.worker?.exitedAfterDisconnect) process.kill(process.pid, 'SIGKILL');
  });
  say({ type: 'awake' });
  await serveUntil(stopped, await started, peers, sheets);
  // Once the channel is closed nothing keeps this process alive: it ends by itself, after what is still under way.
  cluster.worker?.disconnect();
}

async function serveUntil(
  stopped: Promise<void>,
  { settings, isTerminal, mustBeWhole }: WorkerStart,
  peers: WorkerPeers,
  sheets: SheetMaker | undefined,
): Promise<void> {
  const number = cluster.worker?.id ?? 0;
  const log = openLog({ level: settings.logLevel, worker: number, isForReading: isTerminal });
  logWarnings(log);
  try {
    const service = await serveLogged(settings, { log, isTerminal, mustBeWhole, peers, sheets });
    say({ type: 'ready', url: service.url });
    await stopped;
    await service.close();
    await peers.tellMetrics();
  } catch (error) {
    say({ type: 'failed', error: sentError(error) });
  }
  await log.end();
}

/** Sends a message to the primary; errors are ignored, as the primary may have gone. */
function say(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => {});
}
