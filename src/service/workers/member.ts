import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.js';
import type { MetricsSnapshot } from '../operation/sum-metrics.js';
import type { FromWorker, SentError, ToWorker } from './messages.js';

/** A worker as the primary knows it. */
export interface Member {
  readonly worker: Worker;
  /** Since when it answers, of `performance.now()`; undefined before. */
  readyAtMs: number | undefined;
  /** What it had counted when it was last asked, or ended. */
  snapshot: MetricsSnapshot | undefined;
  /** Why it could not start, as it said itself. */
  failure: SentError | undefined;
  /** Tells it something; nothing happens where it has gone. */
  tell(message: ToWorker): void;
}

/** Who is told of a worker. */
export interface MemberEvents {
  readonly onMessage: (member: Member, message: FromWorker) => void;
  /** Gets what it writes to stderr; called without any text at the end. */
  readonly onText: (member: Member, text?: string) => void;
  /** @param why Its exit code, or the signal that ended it. */
  readonly onEnd: (member: Member, why: number | string) => void;
}

/**
 * Starts a worker: this command once more, which finds out by itself that it is one.
 *
 * All listen on one socket of the system. Under the other plan of `node:cluster` the primary accepts and hands on: that
 * costs it about a sixth of the work of each new connection, and a connection that was on its way to a worker that is
 * killed stays open for ever without an answer.
 */
export function startMember({ onMessage, onText, onEnd }: MemberEvents): Member {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const exec = join(packageRoot(), 'dist', 'cli', 'main.js');
  cluster.setupPrimary({ exec, args: ['serve'], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  // With it libuv takes one connection at a time, so that a burst of them spreads over the workers.
  const worker = cluster.fork({ UV_TCP_SINGLE_ACCEPT: '1' });
  const member: Member = {
    worker,
    readyAtMs: undefined,
    snapshot: undefined,
    failure: undefined,
    tell(message) {
      if (worker.isConnected()) worker.send(message, () => {});
    },
  };
  const { stderr } = worker.process;
  stderr?.setEncoding('utf8').on('data', (text: string) => onText(member, text));
  worker.on('message', (message: FromWorker) => onMessage(member, message));
  // A message that could not be sent any more: its end is told by 'exit'.
  worker.on('error', () => {});
  // Only then has all that it wrote been read.
  worker.process.once('close', (code: number | null, signal: string | null) => {
    onText(member);
    onEnd(member, signal ?? code ?? 'unknown');
  });
  return member;
}
