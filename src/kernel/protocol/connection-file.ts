import { readFileSync } from 'node:fs';
import { InputError } from '../../base/errors.js';
import { isObject } from '../../base/texts.js';
import { systemErrorCode } from '../../base/whole-file.js';
import type { ListenAddress } from '../zmtp/sockets.js';

/** Where a kernel listens, as chosen by a front end. */
export interface Connection {
  transport: 'tcp' | 'ipc';
  /** An address for tcp, the beginning of a path for ipc. */
  ip: string;
  /** The port of each channel; for ipc, the number appended to the path. */
  ports: Record<PortName, number>;
  /** The secret that signs messages; empty for none. */
  key: string;
}

const PORT_NAMES = ['shell', 'control', 'iopub', 'stdin', 'hb'] as const;

/** The name of a channel that has a port. */
export type PortName = (typeof PORT_NAMES)[number];

/**
 * Reads a connection file, which a front end writes for each kernel that it starts.
 *
 * @throws {InputError} If it is missing or its content cannot be used; EMFILE as it is, since it says more.
 */
export function readConnectionFile(path: string): Connection {
  const fields = parse(path);
  const text = (name: string, fallback: string): string => {
    const value = fields[name] ?? fallback;
    if (typeof value !== 'string') throw new InputError(`The connection file ${path} has no text as "${name}".`);
    return value;
  };
  const transport = text('transport', 'tcp');
  if (transport !== 'tcp' && transport !== 'ipc') {
    throw new InputError(`The connection file ${path} asks for transport "${transport}": "tcp" and "ipc" are known.`);
  }
  const scheme = text('signature_scheme', 'hmac-sha256');
  if (scheme !== 'hmac-sha256' && text('key', '') !== '') {
    throw new InputError(`The connection file ${path} asks for signature scheme "${scheme}": "hmac-sha256" is known.`);
  }
  const ports = Object.fromEntries(PORT_NAMES.map((name) => [name, portOf(fields, name, path)]));
  return { transport, ip: text('ip', '127.0.0.1'), ports: ports as Record<PortName, number>, key: text('key', '') };
}

/** The ZeroMQ address of a channel: 'tcp://127.0.0.1:53794'. */
export function endpointOf({ transport, ip, ports }: Connection, name: PortName): string {
  if (transport === 'ipc') return `ipc://${ip}-${ports[name]}`;
  return `tcp://${ip.includes(':') && !ip.startsWith('[') ? `[${ip}]` : ip}:${ports[name]}`;
}

/** Where the socket of a channel listens. */
export function placeOf({ transport, ip, ports }: Connection, name: PortName): ListenAddress {
  return transport === 'ipc' ? { path: `${ip}-${ports[name]}` } : { ip, port: ports[name] };
}

function parse(path: string): Record<string, unknown> {
  let fields: unknown;
  try {
    fields = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (systemErrorCode(cause) === 'EMFILE') throw cause;
    const why = cause instanceof SyntaxError ? 'is no JSON' : 'cannot be read';
    throw new InputError(`The connection file ${path} ${why}: Jupyter writes one and passes its path.`, { cause });
  }
  if (isObject(fields)) return fields;
  throw new InputError(`The connection file ${path} holds no object.`);
}

function portOf(fields: Record<string, unknown>, name: PortName, path: string): number {
  const port = fields[`${name}_port`];
  if (typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new InputError(`The connection file ${path} has no port from 1 to 65535 as "${name}_port".`);
}
