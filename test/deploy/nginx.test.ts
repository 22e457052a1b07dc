import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { type Service, serve } from '../../src/service/serve-folder.js';
import { freePort } from '../support/free-port.js';
import { isAbsent } from '../support/is-absent.js';
import { ingestSmall } from '../support/small-market.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

const NGINX = '/usr/sbin/nginx';
const CERTIFICATE = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=odds.example -days 2 -keyout odds.key -out odds.pem';

/** Requests that come at once; each by another key, so that they meet both services. */
const CLIENTS = 16;

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'oddslab-nginx-'));
  await ingestSmall(data);
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** nginx as the page on deploying has it, but for its addresses and its certificate, before two ports. */
async function startNginx(): Promise<{ ask: (path: string) => Promise<number[]>; ports: [number, number] }> {
  const folder = await temporaryFolder();
  await promisify(execFile)('openssl', CERTIFICATE.split(' '), { cwd: folder });
  const ports: [number, number] = [await freePort(), await freePort()];
  const port = await freePort();
  const page = await readFile(join(packageRoot(), 'docs/deploying.md'), 'utf8');
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  const here = block
    .replace('10.0.0.11:8787', `127.0.0.1:${ports[0]}`)
    .replace('10.0.0.12:8787', `127.0.0.1:${ports[1]}`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/ssl', folder);
  const own = `daemon off; pid ${folder}/pid; error_log stderr crit; events {}`;
  const file = await put(folder, 'nginx.conf', `${own} http { access_log off;\n${here}}`);
  const nginx = spawn(NGINX, ['-p', folder, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  nginx.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(nginx, 'close');
  const agent = new Agent({
    keepAlive: true,
    ca: await readFile(join(folder, 'odds.pem')),
    servername: 'odds.example',
  });
  onTestFinished(async () => {
    agent.destroy();
    nginx.kill('SIGTERM');
    await ended;
  });
  const ask = (path: string) =>
    Promise.all(Array.from({ length: CLIENTS }, (_, key) => askOnce(agent, `https://127.0.0.1:${port}${path}`, key)));
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx does not start: ${said}`);
    // What nginx itself answers: neither service has been asked yet.
    if (await ask('/metrics').catch(() => false)) return { ask, ports };
    await sleep(20);
  }
}

/** The status of a query, or of a page where it is none. */
function askOnce(agent: Agent, url: string, key: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
    const method = url.endsWith('/query') ? 'POST' : 'GET';
    const sent = request(url, { agent, method, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject).end(method === 'POST' ? '{"agent_id":574}' : '');
  });
}

async function start(folder: string, port: number): Promise<Service> {
  const service = await serve({ folder, port, open: true });
  onTestFinished(() => service.close());
  return service;
}

const isLeftOut = isAbsent(NGINX, 'nginx as the page on deploying has it');
describe.skipIf(isLeftOut)('nginx as the page on deploying has it', () => {
  it('loses no request while services are restarted in turn, or while one is gone', async () => {
    const { ask, ports } = await startNginx();
    const services = await Promise.all(ports.map((port) => start(data, port)));
    const answers: number[] = [];
    let isOver = false;
    const load = (async () => {
      while (!isOver) answers.push(...(await ask('/query')), ...(await ask('/healthz')));
    })();
    for (const [place, port] of ports.entries()) {
      await sleep(200);
      await services[place]?.close();
      await sleep(100);
      services[place] = await start(data, port);
    }
    await services[0]?.close();
    const before = answers.length;
    while (answers.length < before + CLIENTS * 4) await sleep(20);
    isOver = true;
    await load;
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  it('asks the next service where one refuses a query, and leaves neither out where both do', async () => {
    const { ask, ports } = await startNginx();
    const empty = await temporaryFolder();
    await start(empty, ports[0]);
    const other = await start(empty, ports[1]);
    for (let n = 0; n < 3; n++) {
      expect(new Set(await ask('/query'))).toEqual(new Set([503]));
      expect(new Set(await ask('/healthz'))).toEqual(new Set([200]));
    }
    await other.close();
    await start(data, ports[1]);
    expect(new Set(await ask('/query'))).toEqual(new Set([200]));
  });
});
