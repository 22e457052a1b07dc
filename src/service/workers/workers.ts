import { OddslabError } from '../../base/errors.js';
import type { Log } from '../operation/log.js';
import type { Settings } from '../operation/settings/settings.js';
import { logLines } from './log-lines.js';
import { type Member, startMember } from './member.js';
import type { FromWorker } from './messages.js';
import { RestartRule } from './restart-rule.js';
import { receivedError } from './sent-error.js';
import { SharedCounts } from './shared-counts.js';
import { SharedMetrics } from './shared-metrics.js';

/** What the workers of a service need, and where they report. */
export interface WorkersOptions {
  readonly settings: Settings;
  readonly log: Log;
  /** Whether stderr is a terminal. */
  readonly isTerminal: boolean;
  /** Called with the address once all workers answer for the first time. */
  readonly onReady: (url: string) => void;
  /** Called if a worker cannot start at first, or later if workers end as soon as they start and none is left. */
  readonly onFailure: (error: Error) => void;
}

/** How long a worker may take to end, beyond the time to drain, before it is killed. */
const END_MS = 5000;

/** The worker processes of a service: as many as were asked for, each replaced when it ends. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #members = new Map<number, Member>();
  readonly #counts = new SharedCounts();
  readonly #metrics = new SharedMetrics(this.#members, this.#counts);
  readonly #rule = new RestartRule();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #hasStarted = false;
  #isStopping = false;
  #onAllEnded = () => {};

  constructor(options: WorkersOptions) {
    this.#options = options;
    for (let n = 0; n < options.settings.workers; n++) this.#start();
  }

  /** Lets all workers finish what is under way and end; those that do not end in time are killed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    if (this.#members.size === 0) return;
    const ended = new Promise<void>((resolve) => {
      this.#onAllEnded = resolve;
    });
    for (const { worker, readyAtMs, tell } of this.#members.values()) {
      if (readyAtMs === undefined) worker.process.kill('SIGKILL');
      else tell({ type: 'stop' });
    }
    const { drainDelaySeconds, drainSeconds } = this.#options.settings;
    const late = setTimeout(
      () => {
        for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL');
      },
      (drainDelaySeconds + drainSeconds) * 1000 + END_MS,
    );
    await ended;
    clearTimeout(late);
  }

  #start(): void {
    const { log, isTerminal } = this.#options;
    let lines: ReturnType<typeof logLines> | undefined;
    const member = startMember({
      onMessage: (from, message) => this.#hear(from, message),
      onText: ({ worker }, text) => {
        lines ??= logLines(log, worker.id, isTerminal);
        lines(text);
      },
      onEnd: (ended, why) => this.#ended(ended, why),
    });
    this.#members.set(member.worker.id, member);
  }

  #hear(member: Member, message: FromWorker): void {
    const { settings, isTerminal } = this.#options;
    switch (message.type) {
      case 'awake':
        member.tell({ type: 'start', start: { settings, isTerminal } });
        break;
      case 'ready':
        this.#ready(member, message.url);
        break;
      case 'failed':
        member.failure = message.error;
        break;
      case 'take': {
        const taken = this.#counts.take(message.sort, message.allowance, message.names);
        member.tell({ type: 'taken', id: message.id, taken });
        break;
      }
      case 'keysChanged':
        for (const other of this.#members.values()) if (other !== member) other.tell({ type: 'keysChanged' });
        break;
      case 'metricsWanted':
        void this.#tellMetrics(member);
        break;
      case 'metrics':
        member.snapshot = message.snapshot;
        this.#metrics.settled(member.worker.id);
        break;
    }
  }

  /** Sends a worker the metrics of all, or none if they cannot be added up, so that it does not wait for ever. */
  async #tellMetrics(member: Member): Promise<void> {
    const snapshots = await this.#metrics.collect().catch((error: unknown) => {
      process.emitWarning(`The metrics of the workers cannot be added up: ${error}`);
      return [];
    });
    member.tell({ type: 'metricsOfAll', snapshots });
  }

  #ready(member: Member, url: string): void {
    member.readyAtMs = performance.now();
    const { worker } = member;
    this.#options.log.worker('worker ready', { worker: worker.id, pid: worker.process.pid });
    if (this.#hasStarted || this.#readyCount < this.#options.settings.workers) return;
    this.#hasStarted = true;
    this.#options.onReady(url);
  }

  get #readyCount(): number {
    return [...this.#members.values()].filter(({ readyAtMs }) => readyAtMs !== undefined).length;
  }

  #ended(member: Member, why: number | string): void {
    const { worker, readyAtMs, failure, snapshot } = member;
    this.#members.delete(worker.id);
    this.#counts.workerEnded(snapshot, why !== 0);
    this.#metrics.settled(worker.id);
    if (this.#isStopping) {
      if (this.#members.size === 0) this.#onAllEnded();
      return;
    }
    if (failure && !this.#hasStarted) {
      this.#options.onFailure(receivedError(failure));
      return;
    }
    const readyMs = readyAtMs === undefined ? undefined : performance.now() - readyAtMs;
    const waitMs = this.#rule.afterEnd(readyMs, this.#readyCount > 0);
    const told = { worker: worker.id, pid: worker.process.pid, why, error: failure?.message, replacedInMs: waitMs };
    this.#options.log.worker('worker ended', told, why !== 0 || failure !== undefined);
    if (waitMs === undefined) this.#giveUp(why, failure?.message);
    else this.#startIn(waitMs);
  }

  #startIn(waitMs: number): void {
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#start();
    }, waitMs);
    this.#restarts.add(restart);
  }

  #giveUp(why: number | string, reason = `it ended with ${why}.`): void {
    const often = `Workers ended ${this.#rule.badStarts} times in a row as soon as they had started, and none is left`;
    const remedy = 'The log tells more; --workers 1 serves without workers.';
    this.#options.onFailure(new OddslabError(`${often}. Of the last one: ${reason} ${remedy}`));
  }
}
