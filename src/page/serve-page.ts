import { chmod, opendir, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { DataError, messageOf, UsageError } from '../base/errors.js';
import { makeFolder, systemErrorCode, writeFailure } from '../base/whole-file.js';
import { Access } from './access.js';
import type { Starter } from './data-routes.js';
import { letIn } from './let-in.js';
import { ownKey } from './own-key.js';
import type { PageApp } from './page-app.js';
import { PageRefusal, problem, refusalOf } from './refusal.js';
import { isSameUser } from './same-user.js';

/** How to serve a page. */
export interface PageOptions {
  /** The folder that the page shows; its files may be read and changed. */
  readonly folder: string;
  /** The folder of the built front end. */
  readonly frontEnd: string;
  /** 0 for a free one. */
  readonly port: number;
  /** The environment of the cells; a function is asked for it whenever a kernel starts. */
  readonly env: NodeJS.ProcessEnv | (() => Promise<NodeJS.ProcessEnv>);
  /** This user's folder for settings, workspaces and trust. It is made, and no other user can read it. */
  readonly state: string;
  /** What programs send as `Authorization: token …`, of 16 or more characters; none are let in without. */
  readonly token?: string | undefined;
  /** After this time without a cell or a page a kernel ends; they stay by default. */
  readonly idleMs?: number | undefined;
  /** What the launcher offers to begin with, asked anew each time; nothing by default. */
  readonly starters?: (() => Promise<readonly Starter[]>) | undefined;
  /** Called with what an operator should know, a line each. It never holds a token or a code. */
  readonly log: (line: string) => void;
  /** Called with the next address once the last one was used: each opens the page in one browser. */
  readonly onAddress?: ((address: string) => void) | undefined;
}

/** A page that is being served. */
export interface Page {
  /** Its base address, such as `http://127.0.0.1:8899`, without a slash at the end. It lets nobody in. */
  readonly url: string;
  readonly port: number;
  /** What a browser opens to be let in, once; there is another after that. It may name a file of the folder to show. */
  address(shown?: string): string;
  /** Marks a notebook of the folder as one whose outputs may run scripts. */
  trustNotebook(path: string): Promise<void>;
  /** The names of the notebooks whose cells run now. */
  computing(): Promise<string[]>;
  /** Ends the kernels, closes all connections and stops listening. */
  close(): Promise<void>;
}

/** Headers of every answer: no page of others may frame it, learn addresses from it, or guess types. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
  'cache-control': 'no-store',
};

/**
 * Serves the notebook page on this machine alone.
 *
 * @throws {DataError} If the folder is missing or is a file, or the state's folder cannot be made.
 * @throws {UsageError} If the port is in use, or the token is one that could be guessed.
 */
export async function servePage(options: PageOptions): Promise<Page> {
  const root = await realFolder(options.folder);
  await makeOwn(options.state);
  const access = new Access(root, await cookieKey(options.state), options.token);
  let loading: Promise<PageApp> | undefined;
  const app = () => {
    loading ??= import('./page-app.js').then(({ PageApp }) => new PageApp({ ...options, root }));
    return loading;
  };
  const server = createServer();
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = (shown?: string) => {
    const place = shown === undefined ? '' : `/tree/${shown.split('/').map(encodeURIComponent).join('/')}`;
    return `${url()}/lab${place}?code=${access.code}`;
  };
  const onLetIn = () => options.onAddress?.(address());
  handleRequests(server, { app, access, onLetIn });
  server.on('upgrade', (request, socket, head) => {
    void upgrade({ request, socket, head }, { access, app });
  });
  await listening(server, options.port);
  // What a browser will ask for is loaded once the address was told; until then a request waits for it.
  const soon = setImmediate(
    () => void app().catch((error) => options.log(`The page cannot be served: ${error.stack}`)),
  );
  return {
    url: url(),
    port: (server.address() as AddressInfo).port,
    address,
    trustNotebook: async (path) => (await app()).trustNotebook(path),
    computing: async () => (await loading?.catch(() => undefined))?.computing() ?? [],
    async close() {
      clearImmediate(soon);
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      // The server knows nothing of WebSockets any more, yet waits for them.
      await (await loading?.catch(() => undefined))?.close();
      await closed;
    },
  };
}

function handleRequests(
  server: Server,
  { app, access, onLetIn }: { app: () => Promise<PageApp>; access: Access; onLetIn: () => void },
): void {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      await requireSameUser(request);
      access.requireHost(request.headers.host);
      if (letIn(request, response, access)) onLetIn();
      if (response.writableEnded) return;
      access.require(request);
    } catch (error) {
      return refuse(request, response, refusalOf(error) ?? new PageRefusal(400, 'The request is malformed.'));
    }
    await (await app()).answer(request, response);
  };
  server.on('connection', (socket) => void isOwn(socket));
  server.on('request', (request, response) => void answer(request, response).catch(() => response.destroy()));
}

/** Whether each connection comes from this user. */
const owners = new WeakMap<Socket, Promise<boolean>>();

/** Whether a connection comes from this user; asked once, as soon as it is there, since its program may reset it. */
function isOwn(socket: Socket): Promise<boolean> {
  const asked = owners.get(socket) ?? isSameUser(socket);
  owners.set(socket, asked);
  return asked;
}

/** @throws {PageRefusal} 403 for another user of this machine, whatever they know. */
async function requireSameUser({ socket }: IncomingMessage): Promise<void> {
  if (!(await isOwn(socket))) throw new PageRefusal(403, 'This page belongs to another user of this machine.');
}

/** Refuses before any route: in words for people, in JSON for programs. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: PageRefusal): void {
  const isPage = /\btext\/html\b/.test(request.headers.accept ?? '');
  // What is still being sent is not read to its end.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': isPage ? 'text/plain; charset=utf-8' : 'application/json' });
  response.end(isPage ? `${message}\n` : JSON.stringify(problem(message)));
}

/** Opens a WebSocket, or refuses it. */
async function upgrade(
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  { access, app }: { access: Access; app: () => Promise<PageApp> },
): Promise<void> {
  socket.on('error', () => socket.destroy());
  try {
    await requireSameUser(request);
    access.require(request, 'upgrade');
    (await app()).upgrade(request, socket, head);
  } catch (error) {
    const status = refusalOf(error)?.status ?? 400;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  }
}

/** @throws {DataError} If it is no folder that can be read. */
async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) {
      // Its names, and what they stand for, are two rights.
      await (await opendir(real)).close();
      await stat(`${real}/.`);
      return real;
    }
  } catch (cause) {
    const isMissing = systemErrorCode(cause) === 'ENOENT';
    const why = isMissing ? 'it does not exist; make it first' : 'this user may not read it';
    throw new DataError(`Cannot open the folder ${folder}: ${why}.`, { cause });
  }
  throw new DataError(`Cannot open ${folder}: it is a file; name the folder that it lies in.`);
}

/** Makes a folder that no other user can look into. */
async function makeOwn(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await chmod(folder, 0o700);
  } catch (cause) {
    throw new DataError(`Cannot keep settings in ${folder}: ${writeFailure(cause)}.`, { cause });
  }
}

async function cookieKey(state: string): Promise<Buffer> {
  return ownKey(join(state, 'cookie.key')).catch((cause) => {
    throw new DataError(`Cannot keep settings in ${state}: ${writeFailure(cause)}.`, { cause });
  });
}

const LISTEN_FAILURES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use',
  EACCES: 'this user may not use it, as most below 1024',
};

function listening(server: Server, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (cause) => {
      const why = LISTEN_FAILURES[systemErrorCode(cause) ?? ''] ?? messageOf(cause);
      const what = `Cannot listen on port ${port} of 127.0.0.1: ${why}`;
      fail(new UsageError(`${what}: take another with --port (0 picks a free one).`, { cause }));
    });
    server.listen(port, '127.0.0.1', () => done());
  });
}
