import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { messageOf } from '../base/errors.js';
import { KERNEL_NAME } from '../kernel/install/kernel-spec.js';
import { notebookSession } from '../kernel/notebook-session.js';
import {
  type Channel,
  type Incoming,
  MessageWriter,
  type Outgoing,
  type Outlet,
  type Parent,
} from '../kernel/protocol/message.js';
import type { KernelSession } from '../kernel/session/kernel-session.js';
import { INTERRUPT_GRACE_MS, type Runner } from '../kernel/wire/runner.js';
import { Executions } from './executions.js';
import { FrontEndLink } from './front-end-link.js';
import { KeptMessages } from './kept-messages.js';
import { decodePacket, type Packet, type SentChannel } from './socket-codec.js';

/** While a page has more than this to read, the cells wait as soon as they show more; with less than the other, no more. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;
const FEW_UNREAD_BYTES = 1024 * 1024;
/** How long the processes of a kernel may take to end. */
const CLOSE_MS = 2000;
/** How long after its start a kernel reads types, unless it needs them before: its page is starting, too. */
const TYPES_AFTER_MS = 1500;
/** Front ends that are not connected and may come back; of more, the one that was first known is forgotten. */
const MOST_AWAY = 8;
/** Most that is kept for all of them together, in bytes; beyond it, the first is forgotten, too. */
const MOST_KEPT_BYTES = 96 * 1024 * 1024;

/** What a kernel needs. */
export interface PageKernelOptions {
  /** Full path of its notebook. */
  file: string;
  /** The whole environment of its cells. */
  env: NodeJS.ProcessEnv;
  /** Gets lines for whoever runs the server; never a message's content. */
  log: (line: string) => void;
  /** The first process for its cells, if one was started before. */
  runner?: Runner | undefined;
  /** Called once the kernel has ended, or is about to. */
  onEnd: (kernel: PageKernel) => void;
}

/** A kernel as Jupyter's REST interface tells of it. */
export interface KernelModel {
  id: string;
  name: string;
  /** ISO 8601. */
  last_activity: string;
  execution_state: string;
  connections: number;
}

/** One notebook's kernel within the server's process; its cells run in a process of their own. */
export class PageKernel implements Outlet {
  readonly id = randomUUID();
  /** Full path of its notebook. Processes that start later have this path and, after a restart, its folder. */
  file: string;
  readonly executions = new Executions();
  readonly #options: Omit<PageKernelOptions, 'runner'>;
  readonly #links = new Map<string, FrontEndLink>();
  /** What was published before the first front end came. */
  #unheard: KeptMessages | undefined = new KeptMessages();
  #writer = new MessageWriter();
  #session: KernelSession;
  #state = 'starting';
  #lastActivity = new Date();
  #lastActivityMs = performance.now();
  /** The front ends that have taken over cells of others, by the request that runs. */
  readonly #heirs = new Map<string, Set<FrontEndLink>>();
  /** Requests to run cells that have not ended. */
  readonly #running = new Map<string, Incoming>();
  #isHeld = false;
  #unheldUntilMs = 0;
  /** The restart that is under way, in which all share who ask for one meanwhile. */
  #restarting: Promise<void> | undefined;
  /** What came during it, for the new processes. */
  #early: (() => void)[] = [];
  #isClosed = false;

  constructor({ runner, ...options }: PageKernelOptions) {
    this.#options = options;
    this.file = options.file;
    this.#session = this.#begin(runner);
  }

  get model(): KernelModel {
    const connections = [...this.#links.values()].filter(({ isConnected }) => isConnected).length;
    const last_activity = this.#lastActivity.toISOString();
    return { id: this.id, name: KERNEL_NAME, last_activity, execution_state: this.#state, connections };
  }

  /** Whether a cell runs or waits. */
  get isComputing(): boolean {
    return this.#running.size > 0;
  }

  /** For how many milliseconds nothing has run or come; 0 while a front end is connected or a cell runs. */
  get idleMs(): number {
    if (this.model.connections > 0 || this.#running.size > 0) return 0;
    return performance.now() - this.#lastActivityMs;
  }

  /**
   * Takes a front end's connection.
   *
   * @param id By which the front end is known when it connects again.
   * @param isPlain Whether it asked for no protocol.
   */
  connect(socket: WebSocket, id: string, isPlain: boolean): void {
    const link = this.#links.get(id) ?? this.#newLink(id);
    // Those that left have no use for what they miss, now that another has come.
    for (const other of this.#links.values()) if (other.isLeft && other !== link) this.#links.delete(other.id);
    link.connect(socket, isPlain, (parentHeader, text) => this.#textPacket(parentHeader, text));
    for (const packet of this.#unheard?.take((header, text) => this.#textPacket(header, text)) ?? []) link.send(packet);
    this.#unheard = undefined;
    socket.on('message', (data: Buffer, isBinary) => {
      const message = decodePacket(data, isBinary, isPlain);
      if ('refused' in message) socket.close(message.code, message.refused);
      else this.#take(link, message.channel, { ...message, identities: [Buffer.from(id)] });
    });
  }

  publish(message: Outgoing, parent?: Parent): void {
    const id = parent?.header.msg_id;
    if (message.type === 'status') this.#state = String(Reflect.get(message.content, 'execution_state'));
    if (id !== undefined) {
      if (message.type === 'status' && this.#state === 'idle') this.#running.delete(id);
      this.executions.publish(id, message);
    }
    this.#noteActivity();
    const packet = this.#packet('iopub', this.#writer.nextId(), message, parent);
    this.#unheard?.push(packet);
    for (const link of this.#links.values()) link.send(packet);
    this.#forgetAway();
    this.#holdOrRelease();
  }

  send(channel: Channel, message: Outgoing, parent: Parent): string {
    const id = this.#writer.nextId();
    const asker = parent.header.msg_id;
    const packet = this.#packet(channel, id, message, parent);
    if (channel === 'stdin')
      this.executions.ask(asker, { header: JSON.parse(packet.parts[0]), content: message.content });
    else this.executions.reply(asker, message);
    const link = this.#links.get(String(parent.identities[0]));
    link?.send(packet);
    // A question must not be asked twice.
    const isTaken = channel === 'stdin' && link?.isConnected;
    if (!isTaken) for (const heir of this.#heirs.get(asker) ?? []) heir.send(packet);
    if (channel !== 'stdin') this.#heirs.delete(asker);
    return id;
  }

  /** Interrupts the running cell. */
  interrupt(): void {
    this.#letGo();
    this.#session.interrupt();
  }

  /** Ends the processes and starts new ones; front ends stay connected. Says nothing of it on iopub: pages take that for a death. */
  restart(): Promise<void> {
    this.#restarting ??= this.#startAnew().finally(() => {
      this.#restarting = undefined;
      for (const take of this.#early.splice(0)) take();
    });
    return this.#restarting;
  }

  async #startAnew(): Promise<void> {
    this.#state = 'restarting';
    const old = this.#session;
    await Promise.race([old.close(), pause(CLOSE_MS, undefined, { ref: false })]);
    if (this.#isClosed) return;
    for (const link of this.#links.values()) link.forget();
    // Whoever has sent them may not know of the restart, and would wait for ever.
    for (const request of [...this.#running.values()]) {
      this.send('shell', { type: 'execute_reply', content: { status: 'aborted' } }, request);
      this.publish({ type: 'status', content: { execution_state: 'idle' } }, request);
    }
    this.executions.endAll();
    this.#running.clear();
    this.#heirs.clear();
    this.#isHeld = false;
    this.#writer = new MessageWriter();
    this.#state = 'restarting';
    this.#session = this.#begin();
  }

  /** Ends the kernel; resolves once its processes have ended. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#state = 'dead';
    this.#options.onEnd(this);
    await Promise.race([this.#session.close(), pause(CLOSE_MS, undefined, { ref: false })]);
    for (const link of this.#links.values()) link.disconnect(ENDED, 'The kernel has ended.');
    this.#links.clear();
  }

  #begin(runner?: Runner): KernelSession {
    const folder = dirname(this.file);
    const session: KernelSession = notebookSession({
      folder,
      file: () => this.file,
      env: this.#options.env,
      ...(runner && { runner }),
      outlet: {
        // What an earlier session still says after a restart reaches nobody.
        publish: (message, parent) => {
          if (this.#session === session) this.publish(message, parent);
        },
        send: (channel, message, parent) => (this.#session === session ? this.send(channel, message, parent) : ''),
      },
      ports: {},
      log: this.#options.log,
      onShutdown: () => void this.close(),
    });
    queueMicrotask(() => session.begin(TYPES_AFTER_MS));
    return session;
  }

  #take(link: FrontEndLink, channel: Channel, message: Incoming): void {
    const { msg_type, msg_id } = message.header;
    this.#noteActivity();
    if (channel === 'control' && this.#takeOwn(link, message)) return;
    if (this.#restarting) {
      // An answer is to a question of the processes that end.
      if (channel !== 'stdin') this.#early.push(() => this.#take(link, channel, message));
      return;
    }
    if (msg_type === 'execute_request' && channel !== 'stdin') {
      this.#running.set(msg_id, message);
      this.executions.begin(message);
    } else if (msg_type === 'interrupt_request') this.#letGo();
    else if (msg_type === 'input_reply') this.#answered(message);
    try {
      this.#session.handle(channel, message);
    } catch (error) {
      this.#options.log(`A message on ${channel} could not be handled: ${messageOf(error)}`);
    }
  }

  /** Takes a message that is none of Jupyter's, but of the page about the runs of its notebook's cells. */
  #takeOwn(link: FrontEndLink, message: Incoming): boolean {
    const { header, content } = message;
    // A page opens the notebook and asks for them; has sent a run, and tells where its cell stands; begins to save.
    if (header.msg_type === 'executions_request') this.#tellExecutions(link, message);
    else if (header.msg_type === 'execution_place') this.executions.place(String(content.msg_id), content.above);
    else if (header.msg_type === 'notebook_saving') this.executions.saving(header.session);
    else return false;
    return true;
  }

  /** Tells a page that has opened the notebook anew what its cells have shown, are showing or wait for. */
  #tellExecutions(link: FrontEndLink, message: Incoming): void {
    const executions = this.executions.list();
    for (const { msg_id, session, state } of executions) {
      if (state === 'done' || session === message.header.session) continue;
      this.#heirs.set(msg_id, (this.#heirs.get(msg_id) ?? new Set()).add(link));
    }
    this.executions.toldTo(message.header.session);
    const content = { status: 'ok', executions };
    link.send(this.#packet('control', this.#writer.nextId(), { type: 'executions_reply', content }, message));
  }

  #answered({ parentHeader }: Incoming): void {
    for (const { msg_id, question } of this.executions.list()) {
      const asked = question && Reflect.get(question.header, 'msg_id');
      if (asked !== undefined && (parentHeader.msg_id ?? asked) === asked) this.executions.ask(msg_id, undefined);
    }
  }

  #newLink(id: string): FrontEndLink {
    const link = new FrontEndLink(id, {
      onSent: () => this.#holdOrRelease(),
      onGone: () => this.#holdOrRelease(),
    });
    this.#links.set(id, link);
    const away = [...this.#links.values()].filter((other) => other !== link && !other.isConnected);
    for (const { id: oldest } of away.slice(0, Math.max(0, away.length - MOST_AWAY))) this.#links.delete(oldest);
    return link;
  }

  /** Forgets front ends that are away where too much is kept for them all; the last one stays. */
  #forgetAway(): void {
    let kept = 0;
    for (const link of [...this.#links.values()].reverse()) {
      if (link.isConnected) continue;
      kept += link.keptBytes;
      if (kept > MOST_KEPT_BYTES) this.#links.delete(link.id);
    }
  }

  #packet(channel: SentChannel, id: string, message: Outgoing, parent: Parent | undefined): Packet {
    const parts = this.#writer.write(id, message, parent);
    return { type: message.type, channel, parts, buffers: message.buffers ?? [] };
  }

  #textPacket(rawHeader: string, text: string): Packet {
    const message = { type: 'stream', content: { name: 'stderr', text } };
    const [header, , ...rest] = this.#writer.write(this.#writer.nextId(), message);
    return { type: message.type, channel: 'iopub', parts: [header, rawHeader, ...rest], buffers: [] };
  }

  #noteActivity(): void {
    this.#lastActivity = new Date();
    this.#lastActivityMs = performance.now();
  }

  /** Holds the cells' output back while a page does not read what it has got, rather than to fill the memory with it. */
  #holdOrRelease(): void {
    const unread = [...this.#links.values()].reduce((most, link) => Math.max(most, link.unreadBytes), 0);
    const mayHold = performance.now() > this.#unheldUntilMs;
    const isHeld = mayHold && unread > (this.#isHeld ? FEW_UNREAD_BYTES : MOST_UNREAD_BYTES);
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#session.hold(isHeld);
  }

  /** Lets the cells show more although a page does not read: one that waits for that could not be interrupted. */
  #letGo(): void {
    this.#unheldUntilMs = performance.now() + INTERRUPT_GRACE_MS;
    this.#holdOrRelease();
  }
}

/** The code with which the sockets of an ended kernel end, on which pages do not try to connect again. */
const ENDED = 1001;
