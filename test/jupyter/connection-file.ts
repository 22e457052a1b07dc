import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { freePort } from '../support/free-port.js';

type Port = 'shell_port' | 'iopub_port' | 'stdin_port' | 'control_port' | 'hb_port';

/** The content of a connection file: where the kernel listens, and the key of the signatures. */
export type Connection = Record<Port, number> & {
  transport: 'tcp';
  ip: string;
  key: string;
  signature_scheme: 'hmac-sha256';
  kernel_name: string;
};

/** A connection over free loopback ports, with a random key. */
export async function makeConnection(): Promise<Connection> {
  return {
    shell_port: await freePort(),
    iopub_port: await freePort(),
    stdin_port: await freePort(),
    control_port: await freePort(),
    hb_port: await freePort(),
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
