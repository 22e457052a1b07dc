import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Connections } from '../../../src/service/http/connections.js';
import { clientReader } from '../../../src/service/http/hosts.js';
import { createServer, handleRequests } from '../../../src/service/http/node-server.js';
import type { Handling } from '../../../src/service/http/query-endpoint.js';
import { DEFAULT_SETTINGS } from '../../../src/service/settings/settings.js';

const BIG = Buffer.alloc(64 << 20, 'a');
const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

/** A server whose every answer is larger than what a connection takes that nobody reads. */
async function bigServer(): Promise<{ server: Server; connections: Connections }> {
  const settings = { ...DEFAULT_SETTINGS, stallSeconds: 0.5, headerSeconds: 1 };
  const server = createServer(settings);
  const connections = new Connections(server);
  const app = { fetch: async () => new Response(BIG), refusal: () => ({}), query: {} } as unknown as Handling['app'];
  handleRequests(server, { app, settings, clients: clientReader(undefined), connections, onEnd: () => {} });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { server, connections };
}

it.each([
  ['a request for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ['what is no request', '\x01garbage'],
  ['half a header', 'GET / HTTP/1.1\r\nX: '],
])(
  '%s holds no connection whose client takes nothing of the answer before it, whatever it sends on',
  async (_, more) => {
    const { server, connections } = await bigServer();
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).write(GET + more);
    const timer = setInterval(() => socket.write('x'), 100);
    onTestFinished(() => clearInterval(timer));
    await expect.poll(() => connections.inFlight).toBe(1);
    await expect.poll(() => connections.count).toBe(0);
    expect(connections.inFlight).toBe(0);
  },
);
