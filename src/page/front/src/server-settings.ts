import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import {
  IServerSettings,
  IUserManager,
  ServerConnection,
  type ServiceManagerPlugin,
  UserManager,
} from '@jupyterlab/services';

const settings: ServiceManagerPlugin<ServerConnection.ISettings> = {
  id: 'oddslab:server-settings',
  description: 'Reaches the server by sockets that pass on each message once.',
  autoStart: true,
  provides: IServerSettings,
  activate: () => ServerConnection.makeSettings({ WebSocket: OnceSocket, fetch: tellingFetch, init: INIT }),
};

/** With a name for this page, so that it does not save over what another one has saved. */
const INIT: RequestInit = {
  ...{ cache: 'no-store', credentials: 'same-origin' },
  headers: { 'x-oddslab-page': Math.random().toString(36).slice(2) },
};

/** How the page reaches its server. */
export const serverSettings = settings as unknown as JupyterFrontEndPlugin<ServerConnection.ISettings>;

/** A page has one user, of whom nothing is shown: JupyterLab would ask the server and wait for the browser's storage. */
class OneUser extends UserManager {
  override async requestUser(): Promise<void> {}
}

/** Who uses the page. */
export const user = {
  id: 'oddslab:user',
  description: 'Knows the one user of the page.',
  autoStart: true,
  requires: [IServerSettings],
  provides: IUserManager,
  activate: (_: null, serverSettings: ServerConnection.ISettings) => new OneUser({ serverSettings }),
} as unknown as JupyterFrontEndPlugin<UserManager>;

/** The event of the window where the server did not let the page in, or a connection broke. */
export const CUT = 'oddslab:cut';

async function tellingFetch(...asked: Parameters<typeof fetch>): Promise<Response> {
  const answer = startAnswer(asked[0]) ?? (await fetch(...asked));
  if (answer.status === 403) window.dispatchEvent(new Event(CUT));
  return answer;
}

/** How long what came with the page counts as new. */
const FRESH_MS = 3000;

interface Answer {
  readonly text: string;
  /** Whether nothing that the page does changes it. */
  readonly isLasting: boolean;
}

/** What the server has sent along with the page, by the addresses of requests. Later elements are none of the server's. */
const answers = new Map<string, Answer>();
for (const element of document.querySelectorAll<HTMLElement>('script[data-answer]')) {
  const { answer = '', lasting } = element.dataset;
  answers.set(answer, { text: element.textContent ?? '', isLasting: lasting !== undefined });
  element.remove();
}
const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];

/**
 * Gives the answer to a request that the server has sent along with the page. Once the page has changed anything, it asks
 * the server for all that may have changed with that.
 *
 * @returns Undefined for all other requests.
 */
function startAnswer(asked: RequestInfo | URL): Response | undefined {
  if (!(asked instanceof Request)) return undefined;
  if (asked.method !== 'GET') {
    for (const [address, { isLasting }] of answers) if (!isLasting) answers.delete(address);
    return undefined;
  }
  const { pathname, search } = new URL(asked.url);
  // From when the server made them: over a slow line, the page's own files may take long.
  if (performance.now() - (opened?.responseStart ?? 0) > FRESH_MS) answers.clear();
  // JupyterLab puts the time behind each address, against caches.
  const answer = answers.get(`${pathname}${search.replace(/[?&]\d+$/, '')}`);
  return answer && new Response(answer.text, { headers: { 'content-type': 'application/json' } });
}

/** The code of a connection that ended without a word. */
const BROKEN = 1006;

/** Of how many messages of a connection it is known that they came. */
const MOST_KNOWN = 20_000;

/** The codes of a connection's end that a page has asked for. */
const CLOSED_HERE: readonly number[] = [1000, 1005];

/** The messages that came, by the kernel connection (the `session_id` of its sockets): several get the same ones. */
const known = new Map<string, Set<string>>();

/**
 * A WebSocket that passes on each message of a kernel connection once. Where it breaks, the server cannot know which of
 * the last messages came, and sends those again.
 */
class OnceSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols);
    this.addEventListener('close', ({ code }) => {
      if (code === BROKEN) window.dispatchEvent(new Event(CUT));
    });
    const connection = new URL(address, location.href).searchParams.get('session_id');
    if (connection === null) return;
    const ids = known.get(connection) ?? new Set();
    known.set(connection, ids);
    // Before any other listener, since it is the first.
    this.addEventListener('message', (event) => {
      const id = event.data instanceof ArrayBuffer ? idIn(event.data) : undefined;
      if (id === undefined) return;
      if (ids.has(id)) event.stopImmediatePropagation();
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > MOST_KNOWN && oldest !== undefined) ids.delete(oldest);
    });
    // What the page has closed itself, it does not open again.
    this.addEventListener('close', ({ code }) => CLOSED_HERE.includes(code) && known.delete(connection));
  }
}

const OFFSET_BYTES = 8;

/** The id of a kernel's message, out of its header, the second part; undefined for anything else. */
function idIn(data: ArrayBuffer): string | undefined {
  if (data.byteLength < 4 * OFFSET_BYTES) return undefined;
  const view = new DataView(data);
  const [from, to] = [2, 3].map((index) => Number(view.getBigUint64(OFFSET_BYTES * index, true)));
  if (from === undefined || to === undefined || from > to || to > data.byteLength) return undefined;
  const header = new TextDecoder().decode(new Uint8Array(data, from, to - from));
  return /"msg_id":"([^"]+)"/.exec(header)?.[1];
}
