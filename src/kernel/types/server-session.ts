import { pathToFileURL } from 'node:url';
import { OddslabError } from '../../errors.js';
import { LanguageServer } from './language-server.js';
import { Workspace } from './workspace.js';

const STARTING_MS = 10_000;
const LOADING_MS = 30_000;
const SHORTEST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;

/** A language server that is ready, and its documents. */
export interface ReadyServer {
  server: LanguageServer;
  workspace: Workspace;
}

/** The language server of a notebook: started at once, and anew after it ended, at growing distances. */
export class ServerSession {
  readonly #folder: string;
  #ready: Promise<ReadyServer>;
  #current: LanguageServer | undefined;
  #failures = 0;
  #mayStartAt = 0;
  #isClosed = false;

  /** @param folder The notebook's. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#ready = this.#start();
    this.#ready.catch(() => undefined);
  }

  /** The process of the server that runs; undefined where none does. */
  get pid(): number | undefined {
    return this.#current?.hasEnded === false ? this.#current.pid : undefined;
  }

  /**
   * Does something with a server that runs.
   *
   * @throws What `work` throws; {@link OddslabError} while none runs and it is too early to start one.
   */
  async use<T>(work: (ready: ReadyServer) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new OddslabError('The type service is closed.');
    if (this.#current?.hasEnded !== false) {
      if (Date.now() < this.#mayStartAt) {
        // Where it could not start, this says why.
        await this.#ready;
        throw new OddslabError('The language server is down for the moment.');
      }
      this.#ready = this.#start();
    }
    const result = await work(await this.#ready);
    this.#failures = 0;
    return result;
  }

  /** Ends the server for good; resolves once its process is gone. */
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
      // The libraries are loaded while the first cell is still on its way.
      const textDocument = { uri: workspace.draft };
      server.request('textDocument/diagnostic', { textDocument }, LOADING_MS).catch(() => undefined);
      return { server, workspace };
    } catch (error) {
      // One that did not become ready is of no use; where none could even be made, nothing tells of its end.
      if (server) server.kill();
      else this.#delay();
      throw error;
    }
  }

  #delay(): void {
    // The first time at once: one crash is most often one cell's.
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
