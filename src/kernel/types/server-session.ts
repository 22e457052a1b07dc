import { pathToFileURL } from 'node:url';
import { OddslabError } from '../../base/errors.js';
import { appendAll } from '../../base/many.js';
import { DRAFT } from './cell-program.js';
import { type Binding, cellFile, KEEPER, type KnownCell, keeperText } from './cell-scope.js';
import { CheckerAccess } from './checker.js';
import { LanguageServer } from './language-server.js';
import { PROJECT_FILE, projectText } from './project-files.js';

const STARTING_MS = 10_000;
const LOADING_MS = 30_000;
const SHORTEST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;

/** A language server that is ready, with its documents. */
export interface ReadyServer {
  server: LanguageServer;
  workspace: Workspace;
  checker: CheckerAccess;
}

/** The language server of a notebook: started at once, and again after it has ended, with growing delays. */
export class ServerSession {
  readonly #folder: string;
  #ready: Promise<ReadyServer>;
  #current: LanguageServer | undefined;
  #failures = 0;
  #mayStartAt = 0;
  #isClosed = false;

  /** @param folder The notebook's folder. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#ready = this.#start();
    this.#ready.catch(() => undefined);
  }

  /** The process id of the running server; undefined if none runs. */
  get pid(): number | undefined {
    return this.#current?.hasEnded === false ? this.#current.pid : undefined;
  }

  /** @throws What `work` throws; {@link OddslabError} while no server runs and it is too early to start one. */
  async use<T>(work: (ready: ReadyServer) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new OddslabError('The type service is closed.');
    if (this.#current?.hasEnded !== false) {
      if (Date.now() < this.#mayStartAt) {
        // If the server could not start, this throws the reason.
        await this.#ready;
        throw new OddslabError('The language server is down for the moment.');
      }
      this.#ready = this.#start();
    }
    const result = await work(await this.#ready);
    this.#failures = 0;
    return result;
  }

  /** Ends the server for good; resolves once its process has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#current?.close();
  }

  async #start(): Promise<ReadyServer> {
    let server: LanguageServer | undefined;
    try {
      server = new LanguageServer(this.#folder);
      this.#current = server;
      void server.ended.then(() => this.#delay());
      const folderUrl = `${pathToFileURL(this.#folder).href.replace(/\/$/, '')}/`;
      await server.request('initialize', initializeParams(folderUrl), STARTING_MS);
      server.notify('initialized', {});
      const workspace = new Workspace(server, this.#folder, folderUrl);
      // Loads the libraries before the first cell comes.
      const textDocument = { uri: workspace.draft };
      server.request('textDocument/diagnostic', { textDocument }, LOADING_MS).catch(() => undefined);
      return { server, workspace, checker: new CheckerAccess(server) };
    } catch (error) {
      // A server that did not become ready is useless. If none could be made, no end of it triggers the delay.
      if (server) server.kill();
      else this.#delay();
      throw error;
    }
  }

  #delay(): void {
    // The first restart is at once: a single crash is usually one cell's fault.
    const delay = this.#failures === 0 ? 0 : SHORTEST_DELAY_MS * 2 ** this.#failures;
    this.#mayStartAt = Date.now() + Math.min(LONGEST_DELAY_MS, delay);
    this.#failures++;
  }
}

function initializeParams(folderUrl: string): object {
  return {
    processId: process.pid,
    rootUri: folderUrl,
    capabilities: {
      textDocument: {
        diagnostic: { relatedInformation: true },
        hover: { contentFormat: ['markdown'] },
        signatureHelp: { signatureInformation: { documentationFormat: ['markdown'], activeParameterSupport: true } },
        completion: { completionItem: { resolveSupport: { properties: ['detail'] } } },
      },
    },
    initializationOptions: {
      disablePushDiagnostics: true,
      userPreferences: {
        suggest: { autoImports: false },
        tsserver: { automaticTypeAcquisition: { enabled: false } },
      },
    },
  };
}

/** What a text is looked at with. */
interface ShowOptions {
  directives?: string[];
  hasJsx?: boolean;
  isLoose?: boolean;
  textOf?: (cell: KnownCell) => string;
}

/** At least so many cells stay open: opening one costs some milliseconds, as much as a hundred open ones. */
const KEPT_OPEN = 200;
const UNTYPED = '.oddslab-untyped.d.ts';

/**
 * The documents of one language server: one for the cell being looked at, one for each recently needed earlier cell,
 * and the keeper, which passes on the names of these and keeps them and all imported packages in the program.
 */
class Workspace {
  /** URL of the document of the cell being looked at. */
  readonly draft: string;
  readonly #server: LanguageServer;
  readonly #folder: string;
  readonly #folderUrl: string;
  /** Open cells, least recently used first. */
  #open = new Set<KnownCell>();
  #keptOpen = KEPT_OPEN;
  readonly #packages = new Set<string>();
  readonly #references = new Set<string>();
  /** Modules without types that something imports. */
  readonly #untyped = new Set<string>();
  readonly #texts = new Map<string, string>();
  /** The documents that hold JSX. */
  readonly #withJsx = new Set<string>();
  #version = 1;

  /** @param folderUrl URL of the same folder, with a slash at its end. */
  constructor(server: LanguageServer, folder: string, folderUrl: string) {
    this.#server = server;
    this.#folder = folder;
    this.#folderUrl = folderUrl;
    this.draft = folderUrl + DRAFT;
    this.#writeProject();
    this.#writeUntyped();
    this.#write(KEEPER, this.#keeperText([]));
    this.#write(DRAFT, `import {} from './${KEEPER}';`);
  }

  /**
   * Makes a text, which needs these cells, the document being looked at; `names` are all known names.
   *
   * @param options.directives Make TypeScript read more types, but only until another text is looked at.
   * @param options.isLoose Whether null counts as a value of every type, for this text only.
   * @param options.hasJsx Whether the text holds JSX, which makes `<T>` something else.
   * @param options.textOf The texts of earlier cells, for this text only, if they are not their own.
   */
  show(
    text: string,
    needs: KnownCell[],
    names: Binding[],
    { directives = [], hasJsx = false, isLoose = false, textOf = ({ text: own }) => own }: ShowOptions = {},
  ): void {
    this.#writeProject(isLoose);
    const needed = withAllNeeds(needs);
    const opened = needed.filter((cell) => !this.#open.has(cell));
    for (const cell of needed) {
      this.#open.delete(cell);
      this.#open.add(cell);
    }
    // Room for twice as many: otherwise a cell outside a long chain of cells would close what the chain needs next.
    this.#keptOpen = Math.max(this.#keptOpen, 2 * needed.length);
    const closed = [...this.#open].slice(0, -this.#keptOpen);
    for (const cell of closed) this.#open.delete(cell);
    this.#write(DRAFT, text, hasJsx);
    this.#write(KEEPER, this.#keeperText(names, directives));
    // Importing cells first: a document that nothing imports would become a project of its own.
    opened.sort((a, b) => b.id - a.id);
    for (const cell of new Set([...opened, ...this.#open]))
      this.#write(cellFile(cell.id), textOf(cell), cell.names.hasJsx);
    for (const cell of closed) this.#close(cellFile(cell.id));
  }

  /** Adds directives that make TypeScript read more types, for this cell and all later ones. */
  refer(directives: string[]): void {
    for (const each of directives) this.#references.add(each);
  }

  /** Opens a cell before another needs it, while nobody waits; keeps what it imports in the program. */
  keep(cell: KnownCell, names: Binding[]): void {
    for (const source of cell.names.sources) if (!/^[./]|^\w+:\/\//.test(source)) this.#packages.add(source);
    this.show(this.#texts.get(DRAFT) ?? '', [cell], names, { hasJsx: this.#withJsx.has(DRAFT) });
  }

  /** Tells the server which files on disk have appeared, changed or disappeared. */
  changed(files: { uri: string; type: number }[]): void {
    if (files.length > 0) this.#server.notify('workspace/didChangeWatchedFiles', { changes: files });
  }

  /** Makes the server look for all packages again, because it remembers which were missing. */
  reload(): void {
    const text = this.#texts.get(PROJECT_FILE) ?? '';
    this.#write(PROJECT_FILE, `${text}\n`);
    this.#write(PROJECT_FILE, text);
  }

  /**
   * Declares modules without types, so that all they export is any: what is merely not found is no class to extend.
   *
   * @returns Whether one of them was not declared so.
   */
  declareUntyped(modules: Iterable<string>): boolean {
    const before = this.#untyped.size;
    for (const each of modules) this.#untyped.add(each);
    this.#writeUntyped();
    return this.#untyped.size > before;
  }

  /** Takes back what is declared of modules that may have types by now. */
  forgetUntyped(mayHaveTypes: (module: string) => boolean): void {
    for (const each of this.#untyped) if (mayHaveTypes(each)) this.#untyped.delete(each);
    this.#writeUntyped();
  }

  #writeUntyped(): void {
    this.#write(UNTYPED, [...this.#untyped].map((each) => `declare module ${JSON.stringify(each)};\n`).join(''));
  }

  /** Writes the project again, since declaration files may have come or gone. */
  #writeProject(isLoose = false): void {
    this.#write(PROJECT_FILE, projectText(this.#folder, [DRAFT, KEEPER, UNTYPED], isLoose));
  }

  #keeperText(names: Binding[], directives: string[] = []): string {
    const isOpen = ({ cell, evolvedBy, types }: Binding) =>
      [cell, evolvedBy, types].every((each) => !each || this.#open.has(each));
    const cells = [...this.#open].map(({ id }) => `./${cellFile(id)}`);
    const references = new Set([...this.#references, ...directives]);
    return [...references, keeperText(names.filter(isOpen), [...this.#packages, ...cells].sort())].join('\n');
  }

  #write(name: string, text: string, hasJsx = false): void {
    // The language of a document is what it was opened as.
    if (this.#texts.has(name) && this.#withJsx.has(name) !== hasJsx) this.#close(name);
    const before = this.#texts.get(name);
    if (before === text) return;
    this.#texts.set(name, text);
    const document = { uri: this.#folderUrl + name, version: ++this.#version };
    if (before !== undefined) {
      this.#server.notify('textDocument/didChange', { textDocument: document, contentChanges: [{ text }] });
      return;
    }
    if (hasJsx) this.#withJsx.add(name);
    const languageId = name === PROJECT_FILE ? 'json' : hasJsx ? 'typescriptreact' : 'typescript';
    this.#server.notify('textDocument/didOpen', { textDocument: { ...document, languageId, text } });
  }

  #close(name: string): void {
    this.#texts.delete(name);
    this.#withJsx.delete(name);
    this.#server.notify('textDocument/didClose', { textDocument: { uri: this.#folderUrl + name } });
  }
}

function withAllNeeds(cells: KnownCell[]): KnownCell[] {
  const found = new Set<KnownCell>();
  const waiting = [...cells];
  for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
    if (found.has(cell)) continue;
    found.add(cell);
    appendAll(waiting, cell.needs);
  }
  // Newest first, so that a cell always counts as more recently used than those that need it.
  return [...found].sort((a, b) => b.id - a.id);
}

/** Runs tasks one after another, because a server whose documents change must be asked one thing at a time. */
export class TaskQueue {
  readonly #urgent: (() => Promise<void>)[] = [];
  readonly #others: (() => Promise<void>)[] = [];
  readonly #yielding: (() => Promise<void>)[] = [];
  /** Stops the yielding task that runs now. */
  #giveWay: (() => void) | undefined;
  #isRunning = false;

  /** Queues a task, an urgent one before all that are not. Resolves to its result; to `otherwise` if it throws. */
  run<T>(task: () => Promise<T>, { otherwise, isUrgent }: { otherwise: T; isUrgent?: boolean }): Promise<T> {
    return new Promise((resolve) => {
      const run = () => task().then(resolve, () => resolve(otherwise));
      (isUrgent ? this.#urgent : this.#others).push(run);
      this.#giveWay?.();
      if (!this.#isRunning) void this.#drain();
    });
  }

  /**
   * Queues a task that waits for all others. If another comes while it runs, the task's signal is aborted, and it runs
   * again after that one. Resolves to its result; to `otherwise` if it throws, or once nobody waits for it any more.
   */
  runLast<T>(task: (signal: AbortSignal) => Promise<T>, otherwise: T, unwanted: AbortSignal): Promise<T> {
    if (unwanted.aborted) return Promise.resolve(otherwise);
    return new Promise((resolve) => {
      unwanted.addEventListener('abort', () => resolve(otherwise), { once: true });
      const run = async (): Promise<void> => {
        if (unwanted.aborted) return;
        const way = new AbortController();
        this.#giveWay = () => way.abort();
        try {
          resolve(await task(AbortSignal.any([unwanted, way.signal])));
        } catch {
          if (way.signal.aborted) this.#yielding.unshift(run);
          else resolve(otherwise);
        }
        this.#giveWay = undefined;
      };
      this.#yielding.push(run);
      if (!this.#isRunning) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    const next = () => this.#urgent.shift() ?? this.#others.shift() ?? this.#yielding.shift();
    for (let run = next(); run; run = next()) await run();
    this.#isRunning = false;
  }
}
