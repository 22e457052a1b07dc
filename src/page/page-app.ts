import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { WebSocketServer } from 'ws';
import { addAppRoutes } from './app-routes.js';
import { Contents } from './contents.js';
import { addContentsRoutes } from './contents-routes.js';
import { addDataRoutes, type Starter } from './data-routes.js';
import { addExportRoutes } from './export-routes.js';
import { kernelRoutes } from './kernel-routes.js';
import { Kernels } from './kernels.js';
import { addLabRoutes } from './lab-routes.js';
import { LabState } from './lab-state.js';
import { ownKernel } from './notebook-text.js';
import { problem, refusalOf } from './refusal.js';
import { shownPath } from './request-parts.js';
import { StaticFiles } from './static-files.js';
import { Trust } from './trust.js';

/** What a page's application is made of; see `PageOptions`. */
export interface PageAppOptions {
  /** Full path of the folder that the page shows, without links. */
  readonly root: string;
  readonly frontEnd: string;
  readonly env: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>);
  readonly state: string;
  readonly idleMs?: number | undefined;
  readonly starters?: (() => Promise<readonly Starter[]>) | undefined;
  readonly log: (line: string) => void;
}

/** Everything behind a page's door: it answers whoever was let in. */
export class PageApp {
  readonly #contents: Contents;
  readonly #kernels: Kernels;
  readonly #listener: ReturnType<typeof getRequestListener>;
  readonly #events = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 64 * 1024 });

  constructor(options: PageAppOptions) {
    const { root, state, log } = options;
    const contents = new Contents(root, { trust: new Trust(state, log), kernel: ownKernel(), log });
    const kernels = new Kernels({
      ...options,
      locate: (path) => contents.locate(path),
      open: (path) => contents.open(path),
    });
    const statics = new StaticFiles(options.frontEnd);
    // The path as it was sent: each route decodes it once.
    const app = new Hono({ getPath: ({ url: sent }) => new URL(sent).pathname });
    kernelRoutes(app, kernels);
    addContentsRoutes(app, contents);
    addDataRoutes(app, options.starters ?? (async () => []));
    addExportRoutes(app, contents);
    addLabRoutes(app, { state: new LabState(state), statics });
    addAppRoutes(app, { root, statics, contents, kernels });
    answerFaults(app, log);
    this.#contents = contents;
    this.#kernels = kernels;
    this.#listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#listener(request, response);
  }

  /**
   * Opens a WebSocket to a kernel, or the one of the server's own events, of which there are none.
   *
   * @throws {PageRefusal} If it cannot be opened.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/api/events/subscribe') this.#events.handleUpgrade(request, socket, head, () => {});
    else this.#kernels.connect(request, socket, head);
  }

  /** Marks a notebook of the folder as one whose outputs may run scripts. */
  trustNotebook(path: string): Promise<void> {
    return this.#contents.trustNotebook(path);
  }

  /** The names of the notebooks whose cells run now. */
  computing(): string[] {
    return this.#kernels.computing();
  }

  /** Ends the kernels and closes all WebSockets. */
  async close(): Promise<void> {
    for (const client of this.#events.clients) client.terminate();
    this.#events.close();
    await Promise.all([this.#kernels.close(), this.#contents.close()]);
  }
}

/** Answers errors of the routes as Jupyter does; what is our fault goes into the log. */
function answerFaults(app: Hono, log: (line: string) => void): void {
  app.notFound(({ json, req }) => json(problem(`There is nothing at ${new URL(req.url).pathname}.`), 404));
  app.onError((error, { json, req }) => {
    const refusal = refusalOf(error, shownPath(req.raw));
    if (refusal) return json(problem(refusal.message), refusal.status);
    log(`${req.method} ${new URL(req.url).pathname} failed: ${error.stack ?? error.message}`);
    return json(problem('The server failed at this; what it was stands where "oddslab lab" runs.'), 500);
  });
}
