import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.js';
import { endpointOf, readConnectionFile } from '../../../src/kernel/protocol/connection-file.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-connection-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PORTS = { shell_port: 1, control_port: 2, iopub_port: 3, stdin_port: 4, hb_port: 5 };
const WHOLE = {
  ...PORTS,
  transport: 'tcp',
  ip: '127.0.0.1',
  key: 'abc',
  signature_scheme: 'hmac-sha256',
  kernel_name: 'x',
};

function written(content: unknown): string {
  const path = join(folder, 'kernel.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

it('reads what Jupyter writes', () => {
  const connection = readConnectionFile(written(WHOLE));
  const ports = { shell: 1, control: 2, iopub: 3, stdin: 4, hb: 5 };
  expect(connection).toEqual({ transport: 'tcp', ip: '127.0.0.1', ports, key: 'abc' });
  expect(endpointOf(connection, 'iopub')).toBe('tcp://127.0.0.1:3');
  expect(endpointOf({ ...connection, ip: '::1' }, 'hb')).toBe('tcp://[::1]:5');
  expect(endpointOf({ ...connection, transport: 'ipc', ip: '/run/k' }, 'stdin')).toBe('ipc:///run/k-4');
});

it('says what is wrong with a connection file', () => {
  const faultOf = (content: unknown): string => {
    const path = written(content);
    try {
      readConnectionFile(path);
    } catch (error) {
      if (error instanceof InputError) return error.message.replace(path, 'FILE');
    }
    return 'none';
  };
  expect(faultOf('{')).toBe('The connection file FILE is no JSON: Jupyter writes one and passes its path.');
  expect(faultOf('3')).toBe('The connection file FILE holds no object.');
  expect(faultOf({ ...WHOLE, hb_port: 0 })).toBe('The connection file FILE has no port from 1 to 65535 as "hb_port".');
  expect(faultOf({ ...WHOLE, key: 3 })).toBe('The connection file FILE has no text as "key".');
  expect(faultOf({ ...WHOLE, transport: 'udp' })).toBe(
    'The connection file FILE asks for transport "udp": "tcp" and "ipc" are known.',
  );
  expect(faultOf({ ...WHOLE, signature_scheme: 'hmac-md5' })).toBe(
    'The connection file FILE asks for signature scheme "hmac-md5": "hmac-sha256" is known.',
  );
  expect(() => readConnectionFile(join(folder, 'none'))).toThrow('cannot be read');
});
