import { rm } from 'node:fs/promises';
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
  #opened: Promise<{ typescript: TypeScript; session: Api.API<true> }> | undefined;
  #snapshot: Api.Snapshot | undefined;

  constructor(server: LanguageServer) {
    this.#server = server;
    void server.ended.then(() => this.close());
  }

  /**
   * The program of the documents that the server has been told of; what it knows is forgotten with the next change.
   *
   * @param project The path of its tsconfig.json.
   * @throws {OddslabError} If the checker cannot be asked.
   */
  async program(project: string): Promise<Program> {
    this.#opened ??= this.#open();
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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const refuse = (): void => reject(new OddslabError('The language server does not answer about types.'));
      timer = setTimeout(refuse, ANSWERING_MS);
      void this.#server.ended.then(refuse);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the connection; the server goes on. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.session.close().catch(() => undefined);
  }

  async #open(): Promise<{ typescript: TypeScript; session: Api.API<true> }> {
    const answer = await this.#server.request('custom/initializeAPISession', {}, OPENING_MS);
    const pipe = fieldOf(answer, 'pipe');
    if (typeof pipe !== 'string') throw new OddslabError('The language server opens no session for questions.');
    // Loaded only when there is something to ask, so that the kernel starts without it.
    const [syntax, api] = await Promise.all([import('typescript/unstable/ast'), import('typescript/unstable/async')]);
    const session = await api.API.fromLSPConnection({ pipe });
    // A server that is killed would leave it behind.
    if (process.platform !== 'win32') await rm(pipe, { force: true });
    return { typescript: { syntax, api }, session };
  }
}
