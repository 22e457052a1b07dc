import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import type { MetricsSnapshot } from '../operation/metrics.js';
import type { FromWorker, SentError, ToWorker } from './worker-messages.js';

/** A worker, as the primary knows it. */
export interface Member {
  readonly worker: Worker;
  /** When it began to answer, by `performance.now()`; undefined before. */
  readyAtMs: number | undefined;
  /** What it had counted when it reported last: when asked, or at its end. */
  snapshot: MetricsSnapshot | undefined;
  /** Why it could not start, as it reported. */
  failure: SentError | undefined;
  /** Whether it listens no longer, since it stops. */
  isUnbound: boolean;
  /** Whether it can answer all queries, as far as it knows. */
  isWhole: boolean;
  /** Sends it a message; does nothing if it has gone. */
  tell(message: ToWorker): void;
}

/** What is called about a worker. */
interface MemberEvents {
  readonly onMessage: (member: Member, message: FromWorker) => void;
  /** Called with what it writes to stderr, and without text at the end. */
  readonly onText: (member: Member, text?: string) => void;
  /** @param why Its exit code, or the signal that ended it. */
  readonly onEnd: (member: Member, why: number | string) => void;
}

/**
 * Starts a worker: another process of this command, which finds out by itself that it is a worker.
 *
 * All workers listen on one socket of the system. Under the other scheduling policy of `node:cluster`, the primary
 * accepts connections and hands them on. That costs about a sixth of the work of each new connection, and if a worker
 * is killed, a connection that was on its way to it stays open for ever without an answer.
 */
export function startMember({ onMessage, onText, onEnd }: MemberEvents): Member {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const exec = join(packageRoot(), 'dist', 'cli', 'main.js');
  cluster.setupPrimary({ exec, args: ['serve'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  // Makes libuv accept one connection at a time, so that a burst spreads over the workers.
  const worker = cluster.fork({ UV_TCP_SINGLE_ACCEPT: '1' });
  const member: Member = {
    worker,
    readyAtMs: undefined,
    snapshot: undefined,
    failure: undefined,
    isUnbound: false,
    isWhole: true,
    tell(message) {
      if (worker.isConnected()) worker.send(message, () => {});
    },
  };
  const { stderr } = worker.process;
  stderr?.setEncoding('utf8').on('data', (text: string) => onText(member, text));
  worker.on('message', (message: FromWorker) => onMessage(member, message));
  // A message could not be sent any more: the worker's end is reported by 'close' below.
  worker.on('error', () => {});
  // Only at 'close' has all that it wrote been read.
  worker.process.once('close', (code: number | null, signal: string | null) => {
    onText(member);
    onEnd(member, signal ?? code ?? 'unknown');
  });
  return member;
}
