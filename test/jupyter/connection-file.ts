import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';

const PORTS = ['shell_port', 'iopub_port', 'stdin_port', 'control_port', 'hb_port'] as const;

/** The content of a connection file: where the kernel listens, and the key of the signatures. */
export type Connection = Record<(typeof PORTS)[number], number> & {
  transport: 'tcp';
  ip: string;
  key: string;
  signature_scheme: 'hmac-sha256';
  kernel_name: string;
};

/** A connection over free loopback ports, with a random key. */
export async function makeConnection(): Promise<Connection> {
  const servers = PORTS.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  const [shell_port = 0, iopub_port = 0, stdin_port = 0, control_port = 0, hb_port = 0] = ports;
  return {
    ...{ shell_port, iopub_port, stdin_port, control_port, hb_port },
    transport: 'tcp',
    ip: '127.0.0.1',
    key: randomBytes(16).toString('hex'),
    signature_scheme: 'hmac-sha256',
    kernel_name: 'test',
  };
}

/** Writes a connection file. */
export async function writeConnection(path: string, connection: Connection): Promise<void> {
  await writeFile(path, JSON.stringify(connection), { mode: 0o600 });
}
