import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type * as Syntax from 'typescript/unstable/ast';
import type * as Api from 'typescript/unstable/async';
import { OddslabError } from '../../base/errors.js';
import { fieldOf } from '../../base/texts.js';
import type { LanguageServer } from './language-server.js';

const OPENING_MS = 5000;
const ANSWERING_MS = 10_000;

/** TypeScript's syntax, types and symbols, as its package describes them. */
export interface TypeScript {
  syntax: typeof Syntax;
  api: typeof Api;
}

/** The documents of a language server as they are now, with what its checker knows of them. */
export interface Program {
  typescript: TypeScript;
  checker: Api.Checker;
  source(path: string): Promise<Syntax.SourceFile | undefined>;
}

/**
 * The checker of a running language server, which tells types and symbols where diagnostics tell only texts. It is opened
 * by the first question: most cells raise none. TypeScript calls this entry of its package unstable, which is why
 * package.json names one version of it.
 */
export class CheckerAccess {
  readonly #server: LanguageServer;
  /** Give up what is being asked. */
  readonly #refusals = new Set<() => void>();
  #opened: Promise<{ typescript: TypeScript; session: Api.API<true> }> | undefined;
  #snapshot: Api.Snapshot | undefined;

  constructor(server: LanguageServer) {
    this.#server = server;
    void server.ended.then(() => {
      for (const refuse of this.#refusals) refuse();
      return this.close();
    });
  }

  /**
   * The program of the documents that the server has been told of; what it knows is forgotten with the next change.
   *
   * @param project The path of its tsconfig.json.
   * @throws {OddslabError} If the checker cannot be asked.
   */
  async program(project: string): Promise<Program> {
    this.#opened ??= this.#open();
    // What failed once, as on a busy machine, is tried again.
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    const { typescript, session } = await this.answer(this.#opened);
    const before = this.#snapshot;
    this.#snapshot = await this.answer(session.updateSnapshot());
    await before?.dispose();
    const found = this.#snapshot.getProject(project) ?? this.#snapshot.getProjects()[0];
    if (!found) throw new OddslabError('The language server has no project.');
    return { typescript, checker: found.checker, source: (path) => found.program.getSourceFile(path) };
  }

  /**
   * What the checker answers.
   *
   * @throws {OddslabError} If the server ends before, or has not answered in time.
   */
  async answer<T>(answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = withRejection();
    const refuse = (): void => reject(new OddslabError('The language server does not answer about types.'));
    const timer = setTimeout(refuse, ANSWERING_MS);
    this.#refusals.add(refuse);
    if (this.#server.hasEnded) refuse();
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      this.#refusals.delete(refuse);
    }
  }

  /** Ends the connection; the server goes on. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    // Not the session, which would ask the server to forget what it knows.
    if (opened) await clientOf(opened.session)?.close();
  }

  async #open(): Promise<{ typescript: TypeScript; session: Api.API<true> }> {
    const answer = await this.#server.request('custom/initializeAPISession', {}, OPENING_MS);
    const pipe = fieldOf(answer, 'pipe');
    if (typeof pipe !== 'string') throw new OddslabError('The language server opens no session for questions.');
    // Loaded only when there is something to ask, so that the kernel starts without it.
    const [syntax, api] = await Promise.all([import('typescript/unstable/ast'), import('typescript/unstable/async')]);
    const session = await api.API.fromLSPConnection({ pipe });
    const socket = clientOf(session)?.socket;
    if (socket) writeWithoutErrors(socket.on('error', () => undefined));
    // A server that is killed would leave it behind.
    if (process.platform !== 'win32') await rm(pipe, { force: true });
    return { typescript: { syntax, api }, session };
  }
}

function withRejection(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

/** The connection within a session. */
interface Client {
  socket?: Socket;
  close(): Promise<void>;
}

function clientOf(session: object): Client | undefined {
  return Reflect.get(session, 'client') as Client | undefined;
}

/**
 * Makes writing to a server that has ended fail in silence: a request is then never answered, for which
 * {@link CheckerAccess.answer} waits no longer than the server lives. By an error, the package's connection would reject
 * a promise that nobody holds, which ends the process.
 */
function writeWithoutErrors(socket: Socket): void {
  const write = socket.write.bind(socket);
  const silent = (data: string | Uint8Array, encoding: unknown, done?: unknown): boolean => {
    const after = typeof encoding === 'function' ? encoding : done;
    const settle = (): void => {
      if (typeof after === 'function') after();
    };
    if (socket.destroyed || socket.readableEnded) {
      queueMicrotask(settle);
      return false;
    }
    return write(data, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8', settle);
  };
  // Node.js puts another function there once the other end has closed.
  Object.defineProperty(socket, 'write', { get: () => silent, set: () => undefined });
}
