import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createKey, revokeKey } from '../../../src/service/accounts/api-keys.js';
import { WorkerPeers } from '../../../src/service/workers/worker-peers.js';
import { freePort } from '../../support/free-port.js';
import { runCommand } from '../../support/run-command.js';
import { put } from '../../support/temporary-folder.js';
import { ingestNext } from '../folder/numbered-version.js';
import { keepAsking } from '../http/keep-asking.js';
import { startMailServer } from '../web/mail-server.js';
import { startWorkers, type Way } from './start-workers.js';

let folder: string;
let beside: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-workers-'));
  beside = await mkdtemp(join(tmpdir(), 'oddslab-workers-raw-'));
  await ingestNext(folder, beside, 1);
});
afterAll(async () => {
  for (const each of [folder, beside]) await rm(each, { recursive: true, force: true });
});

/** Sends a query for markets. */
const query = (way: Way, key?: string) =>
  way.send('/query', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    body: '{"agent_id":574}',
  });

/** The value of a metric, by its name with its labels. */
const metric = (text: string, name: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );

/** The values of metrics, as one worker tells them for all. */
const metricsBy = async (way: Way, ...names: string[]) => {
  const { text } = await way.send('/metrics');
  return names.map((name) => metric(text, name));
};

const ANSWERED = 'oddslab_requests_total{route="/query",dataset="574",status="200"}';

describe('two workers', () => {
  it('are one service: one rate, one count, one log, the same keys and data', async () => {
    const { key, stored } = await createKey(folder, 'workers');
    const service = await startWorkers(['--data', folder, '--rate-per-minute', '1', '--rate-burst', '6']);
    const [a, b] = (await service.ways()) as [Way, Way];
    const answers = [];
    for (const way of [a, b, a, a, b, b, a, b]) answers.push(await query(way, key));
    expect(answers.map(({ status, headers }) => [status, headers['ratelimit-remaining']])).toEqual([
      ...['5', '4', '3', '2', '1', '0'].map((left) => [200, left]),
      [429, '0'],
      [429, '0'],
    ]);
    // Of a worker that is too slow to tell what it has counted, the count before stands.
    for (const way of [a, b]) {
      await expect.poll(() => metricsBy(way, ANSWERED, 'oddslab_workers')).toEqual([6, 2]);
    }

    const { key: other, stored: revoked } = await createKey(folder, 'soon revoked');
    // From the first request on, and to the last.
    for (const way of [a, b]) expect((await query(way, other)).status).toBe(200);
    await revokeKey(folder, revoked.id);
    for (const way of [a, b]) expect((await query(way, other)).status).toBe(401);
    await ingestNext(folder, beside, 2);
    for (const way of [a, b]) {
      const ready = async () => JSON.parse((await way.send('/readyz')).text);
      await expect.poll(ready).toEqual({ status: 'ready', data_version: '000002' });
    }

    const { code } = await service.stop();
    const requests = service.lines().filter(({ msg, key: id }) => msg === 'request' && id === stored.id);
    // Lines of one worker keep their order, those of two may not.
    const workers = requests.map(({ worker }) => worker).sort();
    expect([code, workers]).toEqual([0, [1, 1, 1, 1, 2, 2, 2, 2]]);
  });

  it('tell their metrics where the version that they serve is damaged, and serve it on', async () => {
    const damaged = join(beside, 'damaged');
    await cp(folder, damaged, { recursive: true });
    const service = await startWorkers(['--data', damaged, '--open']);
    const ways = await service.ways();
    for (const name of await readdir(join(damaged, 'versions'))) {
      await rm(join(damaged, 'versions', name, 'manifest.json'), { force: true });
    }
    for (const way of ways) {
      await expect.poll(() => metricsBy(way, 'oddslab_workers')).toEqual([2]);
      expect((await query(way)).status).toBe(200);
    }
    expect((await service.stop()).code).toBe(0);
  });

  it('sign somebody in together, and know a new key at once', async () => {
    const mail = await startMailServer();
    onTestFinished(() => mail.close());
    const service = await startWorkers(['--data', folder, '--mail-from', 'odds@example.org'], {
      ODDSLAB_SERVE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    });
    const [a, b] = (await service.ways()) as [Way, Way];
    const cookies = new Map<string, string>();
    const open = async (way: Way, path: string, form?: Record<string, string>) => {
      const body = form && new URLSearchParams({ ...form, form_token: token }).toString();
      const type = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: service.url };
      const cookie = { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
      const headers = { ...cookie, ...(body === undefined ? {} : type) };
      const came = await way.send(path, body === undefined ? { headers } : { method: 'POST', headers, body });
      for (const line of came.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      token = /name="form_token" value="([^"]+)"/.exec(came.text)?.[1] ?? token;
      return came;
    };
    let token = '';
    await open(a, '/');
    expect((await open(b, '/dashboard/link', { email: 'ann@example.org' })).headers.location).toBe('/dashboard/link');
    while (mail.mails.length === 0) await sleep(10);
    const link = /link=([\w-]{43})/.exec(mail.mails[0]?.raw ?? '')?.[1] ?? '';
    await open(a, `/dashboard/sign-in?link=${link}`);
    expect((await open(b, '/dashboard/sign-in', { link })).headers.location).toBe('/dashboard/keys');
    const page = await open(a, '/dashboard/keys');
    const [key = ''] = /odl_[\w-]{43}/.exec(page.text) ?? [];
    expect([(await query(a, key)).status, (await query(b, key)).status]).toEqual([200, 200]);
    expect((await service.stop()).err).not.toContain(key);
  });
});

describe('a worker that dies', () => {
  it('is replaced at once, said in the log, and what it had counted stays counted, by SIGTERM all of it', async () => {
    const service = await startWorkers(['--data', folder, '--open']);
    const [a, b] = (await service.ways()) as [Way, Way];
    for (const way of [a, b]) expect((await query(way)).status).toBe(200);
    await expect.poll(() => metricsBy(b, ANSWERED)).toEqual([2]);
    // One that has been ready for a second has started well.
    await sleep(1000);
    const { pid } = await service.line(({ msg, worker }) => msg === 'worker ready' && worker === a.worker);
    process.kill(Number(pid), 'SIGKILL');
    const ended = await service.line(({ msg }) => msg === 'worker ended');
    expect(ended).toMatchObject({ level: 'error', worker: a.worker, pid, why: 'SIGKILL', replacedInMs: 0 });
    const [, c] = (await service.ways()) as [Way, Way];
    expect(c.worker).toBeGreaterThan(2);
    expect((await query(c)).status).toBe(200);
    const told = () => metricsBy(c, ANSWERED, 'oddslab_workers', 'oddslab_worker_deaths_total');
    await expect.poll(told).toEqual([3, 2, 1]);

    // By SIGTERM to it alone a worker tells all that it has counted, and that is no death.
    for (const way of [b, c, b]) expect((await query(way)).status).toBe(200);
    const stopped = await service.line(({ msg, worker }) => msg === 'worker ready' && worker === b.worker);
    process.kill(Number(stopped.pid), 'SIGTERM');
    const end = await service.line(({ msg, worker }) => msg === 'worker ended' && worker === b.worker);
    expect(end).toMatchObject({ pid: stopped.pid, why: 0 });
    await expect.poll(told).toEqual([6, 2, 1]);
    await service.stop();
  });

  it('at every start ends the service with a message that says what to do', async () => {
    const killer = await put(beside, 'die.cjs', `if (require('node:cluster').isWorker) process.kill(process.pid, 9);`);
    const run = await runCommand(['serve', '--workers', '2', '--port', '0', '--open', '--data', folder], {
      NODE_OPTIONS: `--require=${killer}`,
    });
    expect([run.code, run.out]).toEqual([1, '']);
    expect(run.err).toContain(
      'oddslab: Workers ended 5 times in a row as soon as they had started, and none is left. Of the last one: it ended ' +
        'with SIGKILL. The log tells more; --workers 1 serves without workers.',
    );
    expect(run.err.match(/"msg":"worker ended"/g)).toHaveLength(5);
  });

  it('leaves its last words in the log as a line of it', async () => {
    const words = `console.error('not JSON'); process.emitWarning('a part is damaged');`;
    const script = await put(beside, 'speak.cjs', `if (require('node:cluster').isWorker) { ${words} }`);
    const service = await startWorkers(['--data', folder, '--open'], { NODE_OPTIONS: `--require=${script}` });
    const said = () => service.lines().map(({ level, msg, text }) => [level, msg, text]);
    await expect
      .poll(() => said().filter(([, , text]) => text === 'not JSON'))
      .toEqual([
        ['error', 'worker wrote', 'not JSON'],
        ['error', 'worker wrote', 'not JSON'],
      ]);
    await service.stop();
  });
});

describe('the end', () => {
  it('drains all workers: what is under way is answered, and nobody is left', async () => {
    const service = await startWorkers(['--data', folder, '--open', '--drain-delay-seconds', '0.5']);
    const ways = (await service.ways()) as [Way, Way];
    const stopped = service.stop();
    for (const way of ways) {
      let status = 200;
      while (status === 200) ({ status } = await way.send('/readyz'));
      expect(status).toBe(503);
      expect((await query(way)).status).toBe(200);
    }
    expect((await stopped).code).toBe(0);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  });

  it.each([
    ['as they come', []],
    ['that answered the last of each connection for a while', ['--drain-delay-seconds', '0.2']],
  ])('resets none of the connections of clients that go on asking, %s', async (_, words) => {
    for (let turn = 0; turn < 3; turn++) {
      const service = await startWorkers(['--data', folder, '--open', '--log-level', 'error', ...words]);
      const clients = Array.from({ length: 16 }, () => keepAsking(service.url));
      await sleep(300);
      expect((await service.stop()).code).toBe(0);
      expect(new Set((await Promise.all(clients)).flat())).toEqual(new Set([200]));
    }
  });

  it('of the primary, however it came, ends the workers and frees the port', async () => {
    const service = await startWorkers(['--data', folder, '--open']);
    process.kill(service.pid, 'SIGKILL');
    await service.ended;
    // Each worker holds the socket on which all listen.
    await expect.poll(() => fetch(`${service.url}/healthz`).then(String, () => 'refused')).toBe('refused');
  });
});

it('what keeps a service from starting is told as by one process', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void taken.close());
  const cases = [
    ['--data', folder, '--port', String(port)],
    ['--data', join(beside, 'nowhere'), '--port', '0'],
    ['--data', folder, '--open', '--host', '0.0.0.0', '--port', '0'],
  ];
  for (const words of cases) {
    const [one, two] = await Promise.all([
      runCommand(['serve', '--log-level', 'silent', ...words]),
      runCommand(['serve', '--log-level', 'silent', '--workers', '2', ...words]),
    ]);
    expect(two).toEqual(one);
    expect(one.err).not.toBe('');
  }
});

it('a worker whose metrics cannot be read says so in a warning, and tells none', async () => {
  const said: unknown[] = [];
  const peers = new WorkerPeers((message) => said.push(message));
  peers.join({ metrics: () => Promise.reject(new Error('no library')) });
  const warning = once(process, 'warning');
  await peers.tellMetrics();
  expect([said, String((await warning)[0])]).toEqual([
    [],
    'Warning: The metrics of this process cannot be read: Error: no library',
  ]);
});
