import { type Channel, ContentFields, type Header, type Incoming } from '../protocol/message.js';
import { inNotedLanguage } from '../transform/cell-source.js';
import type { CellFault, CellOutcome } from '../wire/runner.js';
import { CellRun, faultContent, type SessionParts } from './cell-run.js';

interface Waiting {
  message: Incoming;
  channel: Channel;
  arrivedAtMs: number;
}

/** Publishes whether a request is being worked on. */
type StatusTeller = (state: 'busy' | 'idle', message: Incoming) => void;

/** Runs the cells that front ends send, one after another; an error aborts those sent before its reply. */
export class ExecuteQueue {
  readonly #parts: SessionParts;
  readonly #tell: StatusTeller;
  readonly #clocks: SenderClocks;
  #waiting: Waiting[] = [];
  #run: CellRun | undefined;
  /** The last cell that could show something. */
  #shown: CellRun | undefined;
  /** Resolves once no cell runs or waits; undefined if none does. */
  working: Promise<void> | undefined;
  /** Whether any cell has run. */
  hasRun = false;
  #current: Waiting | undefined;
  #failed: Failed | undefined;
  #executionCount = 0;

  constructor(parts: SessionParts, tell: StatusTeller, clocks: SenderClocks) {
    this.#parts = parts;
    this.#tell = tell;
    this.#clocks = clocks;
  }

  /** The request whose cell runs; undefined if none does. */
  get current(): Incoming | undefined {
    return this.#current?.message;
  }

  /** Shows under the previous cell that the process ended between two cells; front ends may no longer look there. */
  sayLoss(loss: CellFault): void {
    this.#shown?.showLoss(loss);
  }

  /** Takes an `execute_request`. */
  push(message: Incoming, channel: Channel): void {
    const waiting = { message, channel, arrivedAtMs: performance.now() };
    const isGoing = this.#clocks.hasGone(message.header.session);
    if (this.#failed && wasSentBefore(message.header, this.#failed, isGoing)) this.#abort(waiting);
    else {
      this.#waiting.push(waiting);
      this.working ??= this.#work();
    }
  }

  /** Interrupts the running cell, or else what an ended cell left running; without a request's header, by a signal. */
  interrupt(header?: Header): void {
    const isForEarlier = header !== undefined && this.#current !== undefined && wasOvertaken(header, this.#current);
    if (this.#run && !isForEarlier) this.#run.interrupt();
    else this.#parts.runner.interrupt({ isForEarlier });
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await this.#take(next);
    this.#current = undefined;
    this.working = undefined;
    this.#parts.types.rest();
  }

  async #take(next: Waiting): Promise<void> {
    this.#current = next;
    this.#tell('busy', next.message);
    const aborted = await this.#serve(next).catch((error: unknown) => this.#refuse(next, error));
    this.#tell('idle', next.message);
    for (const waiting of aborted) this.#abort(waiting);
  }

  /** Runs one cell and replies; resolves to the requests that its error aborts. */
  async #serve({ message, channel, arrivedAtMs }: Waiting): Promise<Waiting[]> {
    const fields = new ContentFields(message.content);
    const run = this.#begin(message, fields);
    const { code, executionCount, isSilent, isCounted } = run.request;
    const startedAt = new Date().toISOString();
    const outcome = await run.run();
    this.#run = undefined;
    if (isCounted) this.#parts.history.add(executionCount, code, run.output.resultText);
    const isAborting = outcome.status === 'error' && !isSilent && fields.flag('stop_on_error', true);
    // Requests that have arrived meanwhile were sent before the reply, so they are read first.
    if (isAborting) await new Promise(setImmediate);
    const aborted = isAborting ? this.#waiting.splice(0) : [];
    if (isAborting) this.#failed = { header: message.header, arrivedAtMs, repliedAtMs: performance.now() };
    const content = { ...outcomeContent(outcome), execution_count: executionCount, payload: run.output.payload };
    const metadata = { started: startedAt, status: outcome.status };
    this.#parts.outlet.send(channel, { type: 'execute_reply', content, metadata }, message);
    return aborted;
  }

  #begin(message: Incoming, fields: ContentFields): CellRun {
    const code = fields.text('code');
    const isSilent = fields.flag('silent', false);
    const isCounted = !isSilent && fields.flag('store_history', true) && code.trim() !== '';
    if (isCounted) this.#executionCount += 1;
    this.hasRun = true;
    const executionCount = this.#executionCount;
    if (!isSilent) {
      const content = { code, execution_count: executionCount };
      this.#parts.outlet.publish({ type: 'execute_input', content }, message);
    }
    const expressions = Object.entries(fields.object('user_expressions')).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    this.#run = new CellRun(this.#parts, message, {
      // JupyterLab sends a cell's own metadata with it.
      code: inNotedLanguage(code, message.metadata),
      name: isCounted ? `cell ${executionCount}` : 'cell',
      executionCount,
      isSilent,
      isCounted,
      allowsInput: fields.flag('allow_stdin', true),
      expressions: Object.fromEntries(expressions),
    });
    if (!isSilent) this.#shown = this.#run;
    return this.#run;
  }

  #refuse({ message, channel }: Waiting, error: unknown): Waiting[] {
    this.#run = undefined;
    const content = { ...refusalContent(error), execution_count: this.#executionCount };
    this.#parts.outlet.send(channel, { type: 'execute_reply', content }, message);
    return [];
  }

  /** The reply has no execution count: front ends would show and save it beside a cell that never ran. */
  #abort({ message, channel }: Waiting): void {
    this.#tell('busy', message);
    const aborted = { status: 'aborted' };
    this.#parts.outlet.send(channel, { type: 'execute_reply', content: aborted, metadata: aborted }, message);
    this.#tell('idle', message);
  }
}

/** The reply to a request that cannot be served. */
export function refusalContent(error: unknown): object {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  return { status: 'error', ename: name, evalue: message, traceback: [`${name}: ${message}`] };
}

function outcomeContent(outcome: CellOutcome): object {
  if (outcome.status === 'error') return { status: 'error', ...faultContent(outcome.fault), user_expressions: {} };
  const values = Object.entries(outcome.expressions ?? {}).map(([name, value]) => [
    name,
    value.status === 'ok' ? value : { status: 'error', ...faultContent(value.fault) },
  ]);
  return { status: 'ok', user_expressions: Object.fromEntries(values) };
}

/** How long a message may be under way: so long after a reply, one that was sent before it may still arrive. */
const WINDOW_MS = 2000;

/** A request whose cell failed. */
interface Failed {
  header: Header;
  /** When it arrived, by the kernel's clock. */
  arrivedAtMs: number;
  repliedAtMs: number;
}

/**
 * Whether a request that arrives now was certainly sent before its front end can have had the reply to the failed one:
 * on the sender's clock, less time lies between the two than the kernel took to answer.
 *
 * @param isGoing Whether the sender's clock advances; otherwise equal dates mean nothing.
 */
export function wasSentBefore(
  header: Header,
  { header: first, arrivedAtMs, repliedAtMs }: Failed,
  isGoing: boolean,
): boolean {
  if (!isGoing || header.session !== first.session || performance.now() - repliedAtMs > WINDOW_MS) return false;
  const sentAfterMs = timeOf(header) - timeOf(first) + granularityMs(header);
  return sentAfterMs >= 0 && sentAfterMs < repliedAtMs - arrivedAtMs;
}

/**
 * Whether an interrupt that arrives now was sent before the request whose cell runs, and so concerns what earlier cells
 * left running: the two come by different sockets, and a busy machine may deliver them in either order.
 */
export function wasOvertaken(
  interrupt: Header,
  { message: { header }, arrivedAtMs }: { message: { header: Header }; arrivedAtMs: number },
): boolean {
  // A clock that was put back must not keep a running cell from being interrupted for long.
  if (header.session !== interrupt.session || performance.now() - arrivedAtMs > WINDOW_MS) return false;
  return timeOf(interrupt) < timeOf(header);
}

function timeOf({ date }: Header): number {
  if (typeof date !== 'string') return Number.NaN;
  const micros = /\.\d{3}(\d{3})/.exec(date)?.[1] ?? '0';
  return Date.parse(date) + Number(micros) / 1000;
}

/** How far apart two equal dates may be: browsers send whole milliseconds, others perhaps whole seconds. */
function granularityMs({ date }: Header): number {
  const digits = /\.(\d+)/.exec(date)?.[1]?.length ?? 0;
  return digits > 3 ? 0 : 1000 / 10 ** digits;
}

/** The number of sessions beyond which the oldest are forgotten. */
const MOST_SESSIONS = 1000;

/** Which sessions' clocks advance: some senders put the same date into all their messages. */
export class SenderClocks {
  /** The first date of each session; undefined once another date was seen. */
  readonly #first = new Map<string, string | undefined>();

  /** Records the date of a message. */
  note({ session, date }: Header): void {
    if (this.#first.get(session) !== date && this.#first.has(session)) this.#first.set(session, undefined);
    else this.#first.set(session, date);
    const [oldest] = this.#first.keys();
    if (this.#first.size > MOST_SESSIONS && oldest !== undefined) this.#first.delete(oldest);
  }

  /** Whether two messages of a session had different dates. */
  hasGone(session: string): boolean {
    return this.#first.has(session) && this.#first.get(session) === undefined;
  }
}
