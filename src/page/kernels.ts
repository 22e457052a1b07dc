import { randomUUID } from 'node:crypto';
import { type FileHandle, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { KERNEL_NAME } from '../kernel/install/kernel-spec.js';
import type { SavedCells } from './executions.js';
import { type KernelModel, PageKernel } from './page-kernel.js';
import { ReadyRunner } from './ready-runner.js';
import { PageRefusal } from './refusal.js';
import { PROTOCOL } from './socket-codec.js';

/** Largest message that a front end may send. */
const MOST_MESSAGE_BYTES = 256 * 1024 * 1024;
/** How often, at least, idle kernels are looked for. */
const LOOK_EVERY_MS = 60_000;

/** How long after a page a process for its cells starts: before that, the page's files are asked for. */
const AFTER_PAGE_MS = 300;
/** How much of a notebook's end is looked at for the kernel that it names. */
const LAST_BYTES = 4096;

/** What the kernels of a page need. */
export interface KernelsOptions {
  /** The full path of what the page calls so; refuses what lies outside its folder. */
  locate: (path: string) => Promise<string>;
  /** Opens a plain file within its folder to read it; refuses all others. */
  open: (path: string) => Promise<FileHandle>;
  /** The whole environment of the cells; a function is asked for it whenever a kernel starts. */
  env: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>);
  /**
   * After how many milliseconds without anything running or coming a kernel is ended. As in Jupyter, one to which a
   * page is connected stays. Default: never.
   */
  idleMs?: number | undefined;
  /** Gets lines for whoever runs the server; never a message's content. */
  log: (line: string) => void;
}

/** What ties a notebook, a console or a file to a kernel. */
interface Session {
  id: string;
  path: string;
  name: string;
  type: string;
  kernel: PageKernel;
}

/** A session as Jupyter's REST interface tells of it. */
export interface SessionModel extends Omit<Session, 'kernel'> {
  kernel: KernelModel;
  notebook?: { path: string; name: string };
}

/** What may be said of a session. */
export interface SessionChange {
  path?: string | undefined;
  name?: string | undefined;
  type?: string | undefined;
  kernelId?: string | undefined;
  kernelName?: string | undefined;
}

/** The kernels of the notebooks that a page has opened, and its sessions. */
export class Kernels {
  readonly #options: KernelsOptions;
  readonly #kernels = new Map<string, PageKernel>();
  readonly #sessions = new Map<string, Session>();
  readonly #ready = new ReadyRunner();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  readonly #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: KernelsOptions) {
    this.#options = options;
    const { idleMs } = options;
    if (idleMs === undefined) return;
    this.#timer = setInterval(() => this.#endIdle(idleMs), Math.min(LOOK_EVERY_MS, Math.ceil(idleMs / 4))).unref();
  }

  /** The kernels, in the order in which they started. */
  list(): KernelModel[] {
    return [...this.#kernels.values()].map(({ model }) => model);
  }

  /** The names of the notebooks whose cells run now. */
  computing(): string[] {
    return [...this.#kernels.values()].filter(({ isComputing }) => isComputing).map(({ file }) => basename(file));
  }

  /** @throws {PageRefusal} 404 if there is no such kernel. */
  kernel(id: string): PageKernel {
    const kernel = this.#kernels.get(id);
    if (!kernel) throw new PageRefusal(404, `Kernel does not exist: ${id}`);
    return kernel;
  }

  /**
   * Starts a kernel.
   *
   * @param path Of its notebook, as the page calls it, or of a folder. Default: the page's folder.
   * @throws {PageRefusal} 501 if the kernel has another name than ours.
   */
  async start(path = '', name = KERNEL_NAME): Promise<PageKernel> {
    if (name !== KERNEL_NAME) {
      const remedy = `Choose "${KERNEL_NAME}", or open the notebook in the Jupyter that has it: oddslab lab --jupyter`;
      throw new PageRefusal(501, `There is no kernel ${JSON.stringify(name)} here. ${remedy}`);
    }
    const env = await this.#environment();
    const file = await this.#fileOf(path);
    const runner = this.#ready.take(file);
    const { log } = this.#options;
    const kernel = new PageKernel({ file, env, log, runner, onEnd: (ended) => this.#forget(ended) });
    this.#kernels.set(kernel.id, kernel);
    // It may have been asked for just before the end.
    if (this.#isClosed) await kernel.close();
    return kernel;
  }

  /** Starts a process for the cells of a notebook that a page is about to open, unless it has a kernel or wants another. */
  async expect(path: string): Promise<void> {
    const file = await this.#fileOf(path);
    if ((await kernelNamedIn(await this.#options.open(path))) !== KERNEL_NAME) return;
    const env = await this.#environment();
    await pause(AFTER_PAGE_MS, undefined, { ref: false });
    const hasKernel = [...this.#kernels.values()].some((kernel) => kernel.file === file);
    if (!hasKernel && !this.#isClosed) this.#ready.prepare(file, env);
  }

  /** The sessions, in the order in which they began. */
  listSessions(): SessionModel[] {
    return [...this.#sessions.values()].map(modelOf);
  }

  /** @throws {PageRefusal} 404 if there is no such session. */
  session(id: string): SessionModel {
    return modelOf(this.#session(id));
  }

  /**
   * Begins a session, with a kernel of its own unless one is named; where the path has a session, that one goes on.
   *
   * @throws {PageRefusal} If there is no such kernel, or the path lies outside the folder.
   */
  async beginSession(path: string, type: string, { name, kernelId, kernelName }: SessionChange): Promise<SessionModel> {
    const known = this.#sessionAt(path);
    if (known) return modelOf(known);
    await this.#options.locate(path);
    const kernel = kernelId === undefined ? await this.start(path, kernelName) : this.kernel(kernelId);
    // Another request may have begun it meanwhile.
    const other = this.#sessionAt(path);
    if (other) {
      if (kernelId === undefined) await kernel.close();
      return modelOf(other);
    }
    const session: Session = { id: randomUUID(), path, name: name ?? '', type, kernel };
    this.#sessions.set(session.id, session);
    return modelOf(session);
  }

  /** Changes a session: its notebook was renamed, or it is to have another kernel; that of before is then ended. */
  async changeSession(id: string, change: SessionChange): Promise<SessionModel> {
    const session = this.#session(id);
    const { path, name, type, kernelId, kernelName } = change;
    // What may be refused comes first: then nothing has changed.
    const file = path === undefined || path === session.path ? undefined : await this.#fileOf(path);
    if (kernelId !== undefined) this.kernel(kernelId);
    const isNew = kernelId === undefined && kernelName !== undefined;
    const started = isNew ? await this.start(path ?? session.path, kernelName) : undefined;
    if (this.#sessions.get(id) !== session) {
      await started?.close();
      throw new PageRefusal(404, `Session not found: ${id}`);
    }
    const next = started ?? (kernelId === undefined ? session.kernel : this.kernel(kernelId));
    if (path !== undefined) session.path = path;
    if (file !== undefined && next === session.kernel) next.file = file;
    if (name !== undefined) session.name = name;
    if (type !== undefined) session.type = type;
    const before = session.kernel;
    session.kernel = next;
    const isUsed = [...this.#sessions.values()].some(({ kernel }) => kernel === before);
    if (!isUsed) await before.close();
    return modelOf(session);
  }

  /** Ends a session and its kernel. */
  async endSession(id: string): Promise<void> {
    await this.#session(id).kernel.close();
  }

  /** Notes with which cells, by their ids, a notebook was saved. */
  saved(path: string, cells: SavedCells): void {
    const plain = (each: string): string => each.split('/').filter(Boolean).join('/');
    for (const session of this.#sessions.values()) {
      if (plain(session.path) === plain(path)) session.kernel.executions.saved(cells);
    }
  }

  /** Takes a request to speak with a kernel; who may, is for the caller to check. */
  connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '', 'http://localhost');
    const id = /\/api\/kernels\/([\w-]+)\/channels$/.exec(url.pathname)?.[1] ?? '';
    const kernel = this.#kernels.get(id);
    if (!kernel) {
      socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      kernel.connect(opened, url.searchParams.get('session_id') || randomUUID(), opened.protocol !== PROTOCOL);
    });
  }

  /** Ends all kernels with all that their cells have started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([this.#ready.close(), ...[...this.#kernels.values()].map((kernel) => kernel.close())]);
    this.#sockets.close();
  }

  async #environment(): Promise<NodeJS.ProcessEnv> {
    const { env } = this.#options;
    return typeof env === 'function' ? env() : env;
  }

  #session(id: string): Session {
    const session = this.#sessions.get(id);
    if (!session) throw new PageRefusal(404, `Session not found: ${id}`);
    return session;
  }

  #sessionAt(path: string): Session | undefined {
    return [...this.#sessions.values()].find((session) => session.path === path);
  }

  /** The notebook's full path; within a folder, of one that has no name yet. */
  async #fileOf(path: string): Promise<string> {
    const full = await this.#options.locate(path);
    const isFolder = await stat(full).then(
      (info) => info.isDirectory(),
      () => false,
    );
    return isFolder ? join(full, 'notebook.ts') : full;
  }

  #forget(ended: PageKernel): void {
    this.#kernels.delete(ended.id);
    for (const { id, kernel } of this.#sessions.values()) if (kernel === ended) this.#sessions.delete(id);
  }

  #endIdle(idleMs: number): void {
    for (const kernel of this.#kernels.values()) {
      if (kernel.idleMs < idleMs) continue;
      this.#options.log(`The kernel of ${basename(kernel.file)} was idle and is ended.`);
      void kernel.close();
    }
  }
}

/** The name of the kernel that a notebook names in its last lines, where programs write it; undefined if it is not found there. Closes the file. */
async function kernelNamedIn(handle: FileHandle): Promise<string | undefined> {
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, LAST_BYTES);
    const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: size - length });
    return /"kernelspec":\s*\{[^{}]*"name":\s*"([^"]*)"/.exec(buffer.toString())?.[1];
  } finally {
    await handle.close();
  }
}

function modelOf({ kernel, ...session }: Session): SessionModel {
  const { path, name, type } = session;
  return { ...session, kernel: kernel.model, ...(type === 'notebook' ? { notebook: { path, name } } : {}) };
}
