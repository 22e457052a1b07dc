import { pathToFileURL } from 'node:url';
import { OddslabError } from '../../base/errors.js';
import { LanguageServer } from './language-server.js';
import { Workspace } from './workspace.js';

const STARTING_MS = 10_000;
const LOADING_MS = 30_000;
const SHORTEST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;

/** A language server that is ready, with its documents. */
export interface ReadyServer {
  server: LanguageServer;
  workspace: Workspace;
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

  /**
   * Does something with a running server.
   *
   * @throws What `work` throws; {@link OddslabError} while none runs and it is too early to start one.
   */
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
      return { server, workspace };
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
