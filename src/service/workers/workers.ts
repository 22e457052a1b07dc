import { OddslabError } from '../../base/errors.js';
import type { Log } from '../operation/log.js';
import type { Settings } from '../settings/settings.js';
import { SharedCounts } from './shared-counts.js';
import { type FromWorker, receivedError } from './worker-messages.js';
import { type Member, startMember } from './worker-process.js';

/** What the workers of a service need, and where they report. */
interface WorkersOptions {
  readonly settings: Settings;
  readonly log: Log;
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
  readonly #counts = new SharedCounts(this.#members);
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
        member.tell({
          type: 'start',
          start: { settings, isTerminal, mustBeWhole: this.#hasStarted && this.#isAnyWhole },
        });
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
      case 'metricsWanted':
        void this.#tellMetrics(member);
        break;
      case 'metrics':
        member.snapshot = message.snapshot;
        this.#counts.settled(member.worker.id);
        break;
      case 'data':
        member.isWhole = message.isWhole;
        this.#tellLacks();
        break;
      case 'unbound':
        member.isUnbound = true;
        this.#tellUnbound();
        break;
    }
  }

  /** Tells all once none listens any longer: the socket that they share is closed by then in this process, too. */
  #tellUnbound(): void {
    const members = [...this.#members.values()];
    if (members.every(({ isUnbound }) => isUnbound)) for (const member of members) member.tell({ type: 'allUnbound' });
  }

  /** Tells each worker whether another one lacks data, so that all say the same of whether the service is ready. */
  #tellLacks(): void {
    const members = [...this.#members.values()];
    const lacking = members.filter(({ isWhole }) => !isWhole);
    for (const member of members) member.tell({ type: 'othersLack', isSo: lacking.some((other) => other !== member) });
  }

  /** Sends a worker the metrics of all, or none if they cannot be added up, so that it does not wait for ever. */
  async #tellMetrics(member: Member): Promise<void> {
    const snapshots = await this.#counts.metrics().catch((error: unknown) => {
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

  /** Whether a worker answers all queries, as far as it knows. */
  get #isAnyWhole(): boolean {
    return [...this.#members.values()].some(({ readyAtMs, isWhole }) => readyAtMs !== undefined && isWhole);
  }

  #ended(member: Member, why: number | string): void {
    const { worker, readyAtMs, failure, snapshot } = member;
    this.#members.delete(worker.id);
    this.#tellLacks();
    this.#counts.ended(worker.id, snapshot, why !== 0);
    if (this.#isStopping) {
      this.#tellUnbound();
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

/** How long a worker must have been ready for its start to count as a good one. */
const GOOD_START_MS = 1000;

/** How many bad starts in a row are too many if no worker is left that answers. */
const MOST_BAD_STARTS = 5;

/** The wait after the first bad start in a row; each further one doubles it. */
const FIRST_WAIT_MS = 100;

const LONGEST_WAIT_MS = 10_000;

/** Decides when a worker that has ended is replaced: at once, unless workers end as soon as they start. */
class RestartRule {
  badStarts = 0;

  /**
   * Notes that a worker has ended.
   *
   * @param readyMs How long it had been ready, in milliseconds; undefined if it never was.
   * @returns Milliseconds to wait before the next start; undefined if there should be none.
   */
  afterEnd(readyMs: number | undefined, areOthersReady: boolean): number | undefined {
    this.badStarts = readyMs !== undefined && readyMs >= GOOD_START_MS ? 0 : this.badStarts + 1;
    if (this.badStarts === 0) return 0;
    if (this.badStarts >= MOST_BAD_STARTS && !areOthersReady) return undefined;
    return Math.min(FIRST_WAIT_MS * 2 ** (this.badStarts - 1), LONGEST_WAIT_MS);
  }
}

/** The beginning of every line of a worker's own log. */
const LOG_LINE_START = '{"level":';

/** How many letters of an unfinished line are kept at most; a longer one is cut in two. */
const LONGEST_LINE = 1 << 20;

/**
 * Puts what a worker writes to stderr into the common log, in whole lines. Those of the worker's log stay as they are;
 * anything else, such as the last output of a process that runs out of memory, becomes a line that names the worker.
 *
 * @param isTerminal Whether lines are for people: then all stay as they are.
 * @returns A function that takes the text; called without any, it passes on what is left.
 */
function logLines(log: Log, worker: number, isTerminal: boolean): (text?: string) => void {
  let rest = '';
  return (text) => {
    rest += text ?? '';
    const isOver = text === undefined || rest.length > LONGEST_LINE;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (isOver && rest !== '') lines.push(rest);
    if (isOver) rest = '';
    for (const line of lines) {
      if (isTerminal || line.startsWith(LOG_LINE_START)) log.forward(`${line}\n`);
      else if (line.trim() !== '') log.worker('worker wrote', { worker, text: line }, true);
    }
  };
}
