import { type Channel, ContentFields, type Incoming, type Outlet } from '../protocol/message.js';
import type { TypesMode } from '../types/type-service.js';
import type { Runner } from '../wire/runner.js';
import { inputDesk } from './cell-io.js';
import type { SessionParts } from './cell-run.js';
import { CellTypes, type TypeSource } from './cell-types.js';
import { commDesk } from './comm-desk.js';
import { DraftAnswers } from './draft-answers.js';
import { ExecuteQueue, refusalContent, SenderClocks } from './execute-queue.js';
import { History } from './history.js';
import { isComplete } from './is-complete.js';
import { type Obstacle, RunnerKeeper } from './runner-keeper.js';
import { answerComplete, answerInspect } from './type-answers.js';
import { answerDebug, answerTable } from './variable-answers.js';

/** What a session needs. */
export interface SessionOptions {
  outlet: Outlet;
  /** Starts a process for the cells; called at once and again whenever one has ended. */
  startRunner: () => Runner;
  /** Says why no such process could run; asked before each start but the first. Default: it always can. */
  obstacle?: Obstacle;
  types: { mode: TypesMode; open: () => Promise<TypeSource> };
  /** File that keeps cells from one kernel to the next; without it, none are kept. */
  historyPath?: string | undefined;
  /** Content of `kernel_info_reply`. */
  info: () => object;
  /** Content of `connect_reply`. */
  ports: object;
  /** Gets lines for whoever runs the kernel; never a message's content. */
  log: (line: string) => void;
  /** Called after a front end's shutdown request has been answered. */
  onShutdown: () => void;
}

/** One kernel's conversation with its front ends: answers their requests by Jupyter's protocol. */
export class KernelSession {
  readonly #options: SessionOptions;
  readonly #parts: SessionParts;
  readonly #queue: ExecuteQueue;
  readonly #clocks = new SenderClocks();
  readonly #drafts: DraftAnswers;
  readonly #unknown = new Set<string>();

  constructor(options: SessionOptions) {
    const { outlet, log, types } = options;
    this.#options = options;
    const runner = new RunnerKeeper(options.startRunner, options.obstacle ?? (() => undefined), (between) => {
      this.#parts.types.reset();
      this.#parts.comms.closeAll();
      this.#parts.input.forgetAll();
      if (between) this.#queue.sayLoss(between);
    });
    const input = inputDesk(outlet);
    this.#parts = {
      outlet,
      runner,
      types: new CellTypes(types.mode, types.open, log),
      history: new History(options.historyPath, log),
      input,
      comms: commDesk(outlet, input, (comm, listener) => runner.sendComm(comm, listener)),
    };
    this.#drafts = new DraftAnswers(this.#parts.types);
    this.#queue = new ExecuteQueue(this.#parts, (state, message) => this.#tell(state, message), this.#clocks);
  }

  /**
   * Announces that the kernel is starting, the first message on iopub, and starts the type service.
   *
   * @param typesAfterMs How long that service may wait, where something else is starting, too. It then starts once a cell
   *   has run, or somebody asks it. Default: until the sockets are open, so that a front end can connect meanwhile.
   */
  begin(typesAfterMs = 0): void {
    this.#options.outlet.publish({ type: 'status', content: { execution_state: 'starting' } });
    const { types } = this.#parts;
    if (typesAfterMs === 0) setImmediate(() => types.warmUp());
    else setTimeout(() => types.warmUp(), typesAfterMs).unref();
  }

  /** Takes a message. Cells run one after another; everything else is answered at once, even while a cell runs. */
  handle(channel: Channel, message: Incoming): void {
    const type = message.header.msg_type;
    this.#clocks.note(message.header);
    if (channel === 'stdin') {
      if (type === 'input_reply') this.#parts.input.take(message);
      else this.#sayUnknown(channel, type);
    } else if (type === 'execute_request') this.#queue.push(message, channel);
    else void this.#answer(channel, message);
  }

  /** Interrupts the running cell; without one, what an ended cell left running. For signals, which say no more. */
  interrupt(): void {
    this.#queue.interrupt();
  }

  /** Holds back what the cells show, or lets it come again: see {@link Runner.hold}. */
  hold(isHeld: boolean): void {
    this.#parts.runner.hold(isHeld);
  }

  /** Ends the processes that the session has started; resolves once they have ended. */
  async close(): Promise<void> {
    const { runner, types, history } = this.#parts;
    await Promise.all([runner.close(), types.close()]);
    // Only after these, so that the cell that was running is kept as well.
    await history.saved();
  }

  async #answer(channel: Channel, message: Incoming): Promise<void> {
    const type = message.header.msg_type;
    this.#tell('busy', message);
    try {
      const content = await this.#contentFor(channel, type, message);
      if (content) this.#reply(channel, message, { status: 'ok', ...content });
    } catch (error) {
      if (type.endsWith('_request')) this.#reply(channel, message, refusalContent(error));
      else this.#options.log(`A message of type ${JSON.stringify(type)} on ${channel} was malformed.`);
    }
    this.#tell('idle', message);
    this.#stayBusy();
    if (type === 'shutdown_request') this.#options.onShutdown();
  }

  #reply(channel: Channel, message: Incoming, content: object): void {
    const type = message.header.msg_type.replace(/_request$/, '_reply');
    this.#options.outlet.send(channel, { type, content }, message);
    // All front ends must learn of the shutdown, not only the one that asked for it.
    if (type === 'shutdown_reply') this.#options.outlet.publish({ type, content }, message);
  }

  /** The content of a reply; undefined if the message has none. */
  async #contentFor(channel: Channel, type: string, message: Incoming): Promise<object | undefined> {
    const fields = new ContentFields(message.content);
    const { types, history, comms } = this.#parts;
    switch (type) {
      case 'kernel_info_request':
        return this.#options.info();
      case 'connect_request':
        return this.#options.ports;
      case 'complete_request':
        return answerComplete(fields, types);
      case 'inspect_request':
        return answerInspect(fields, types);
      case 'diagnostics_request':
        return this.#drafts.diagnostics(message);
      case 'signature_request':
        return this.#drafts.signatures(message);
      case 'is_complete_request':
        return isComplete(fields.text('code'));
      case 'history_request':
        return { history: await history.answer(fields) };
      case 'comm_info_request':
        return { comms: comms.list(fields.value('target_name')) };
      case 'interrupt_request':
        this.#queue.interrupt(message.header);
        return {};
      case 'shutdown_request':
        return { restart: fields.flag('restart', false) };
      case 'debug_request':
        return answerDebug(fields, (question) => this.#parts.runner.ask(question));
      case 'table_request':
        return answerTable(fields, (question) => this.#parts.runner.ask(question));
      case 'comm_open':
      case 'comm_msg':
      case 'comm_close':
        await comms.take(COMM_KINDS[type], message, this.#queue);
        return undefined;
      default:
        this.#sayUnknown(channel, type);
        return undefined;
    }
  }

  #tell(state: 'busy' | 'idle', message: Incoming): void {
    this.#options.outlet.publish({ type: 'status', content: { execution_state: state } }, message);
  }

  /** Repeats the busy status of a running cell: front ends show the last status, here the idle of another answer. */
  #stayBusy(): void {
    if (this.#queue.current) this.#tell('busy', this.#queue.current);
  }

  #sayUnknown(channel: Channel, type: string): void {
    const name = JSON.stringify(type.slice(0, 60));
    if (this.#unknown.size > 100 || this.#unknown.has(name)) return;
    this.#unknown.add(name);
    this.#options.log(`Messages of type ${name} on ${channel} are ignored: the kernel does not know them.`);
  }
}

const COMM_KINDS = { comm_open: 'open', comm_msg: 'msg', comm_close: 'close' } as const;
