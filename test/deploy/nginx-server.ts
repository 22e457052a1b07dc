import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { freePort } from '../support/free-port.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

/** Where Debian's package puts the proxy. */
export const NGINX = '/usr/sbin/nginx';

/** The header by which a test says which address it comes from. */
export const CLIENT_HEADER = 'X-Test-Client';

const CERTIFICATE =
  'req -x509 -newkey rsa:2048 -nodes -subj /CN=odds.example -days 2 -keyout odds.key -out odds.pem ' +
  '-addext subjectAltName=DNS:odds.example,IP:127.0.0.1';

/** Lets a test speak as a client of any address: it names that in a header. */
const CLIENTS = `set_real_ip_from 127.0.0.1; real_ip_header ${CLIENT_HEADER};`;

/** Whether this machine has the loopback address of IPv6. */
export const hasIPv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === '::1'),
);

/** An answer that came through the proxy, whole. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The proxy before two services. */
export interface Nginx {
  readonly url: string;
  /** The ports at which it looks for the services. */
  readonly ports: readonly [number, number];
  /** The file with its certificate. */
  readonly certificate: string;
  /** Posts a body, or reads a page where there is none. @throws {Error} If no whole answer comes. */
  ask(path: string, headers?: Readonly<Record<string, string>>, body?: string, by?: AskedBy): Promise<ProxyAnswer>;
}

/** How the proxy is reached. */
interface AskedBy {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Whether to ask without TLS. */
  readonly isPlain?: boolean;
}

/**
 * Starts nginx as the page on deploying has it, but for its addresses and its certificate, before two free ports. It
 * ends with the current test.
 *
 * @param rate The requests a second that it lets one address send. Default: more than the tests send.
 */
export async function startNginx(rate = 100_000): Promise<Nginx> {
  const folder = await temporaryFolder();
  await promisify(execFile)('openssl', CERTIFICATE.split(' '), { cwd: folder });
  const ports = [await freePort(), await freePort()] as const;
  const [port, plainPort] = [await freePort(), await freePort()];
  const own = `daemon off; pid ${folder}/pid; error_log stderr crit; events {}`;
  const site = (await siteOf(folder, ports, port, plainPort)).replace('rate=50r/s', `rate=${rate}r/s`);
  const file = await put(folder, 'nginx.conf', `${own} http { access_log off; ${CLIENTS}\n${site}}`);
  const nginx = spawn(NGINX, ['-p', folder, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  nginx.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(nginx, 'close');
  const certificate = join(folder, 'odds.pem');
  const agent = new Agent({ keepAlive: true, ca: await readFile(certificate), servername: 'odds.example' });
  onTestFinished(async () => {
    agent.destroy();
    nginx.kill('SIGTERM');
    await ended;
  });
  const url = `https://127.0.0.1:${port}`;
  const ask: Nginx['ask'] = (path, headers = {}, body, { host = '127.0.0.1', isPlain = false } = {}) => {
    const origin = isPlain ? `http://${host}:${plainPort}` : `https://${host}:${port}`;
    return askOnce(isPlain ? undefined : agent, origin + path, headers, body);
  };
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx does not start: ${said}`);
    // What nginx itself answers: neither service has been asked yet.
    if (await ask('/metrics').catch(() => undefined)) return { url, ports, certificate, ask };
    await sleep(20);
  }
}

async function siteOf(folder: string, ports: readonly [number, number], port: number, plainPort: number) {
  const page = await readFile(join(packageRoot(), 'docs/deploying.md'), 'utf8');
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  return block
    .replace('10.0.0.11:8787', `127.0.0.1:${ports[0]}`)
    .replace('10.0.0.12:8787', `127.0.0.1:${ports[1]}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen 80', `listen 127.0.0.1:${plainPort}`)
    .replace('listen [::]:443', hasIPv6 ? `listen [::1]:${port}` : `listen 127.0.0.2:${port}`)
    .replace('listen [::]:80', hasIPv6 ? `listen [::1]:${plainPort}` : `listen 127.0.0.2:${plainPort}`)
    .replaceAll('/etc/ssl', folder);
}

function askOnce(
  agent: Agent | undefined,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const asked = { ...(agent && { agent }), method, headers: { Host: 'odds.example', ...type, ...headers } };
    const sent = (agent ? request : plainRequest)(url, asked, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    sent.once('error', reject).end(body);
  });
}
