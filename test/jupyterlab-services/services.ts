import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';

/** The installed package, which `npm run install:services` brings. */
export const SERVICES = fileURLToPath(new URL('node_modules/@jupyterlab/services', import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: the package has types only where it is installed
type Untyped = any;

/** JupyterLab's client of a server. */
export interface Services {
  ServerConnection: Untyped;
  ContentsManager: Untyped;
  KernelAPI: Untyped;
  KernelConnection: Untyped;
  KernelSpecAPI: Untyped;
  SessionAPI: Untyped;
}

/** Loads the package. */
export function loadServices(): Services {
  return createRequire(import.meta.url)(SERVICES) as Services;
}

/** The client's settings for a server that lets in who sends a token. */
export function settingsFor({ ServerConnection }: Services, url: string, token: string): object {
  const headers = { authorization: `token ${token}` };
  class Socket extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, { headers });
    }
  }
  const wsUrl = url.replace(/^http/, 'ws');
  return ServerConnection.makeSettings({
    baseUrl: `${url}/`,
    wsUrl: `${wsUrl}/`,
    token,
    appendToken: false,
    WebSocket: Socket,
  });
}
