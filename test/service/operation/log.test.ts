import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { QUERY_PATH } from '../../../src/contract/envelope.js';
import { createKey, type StoredKey } from '../../../src/service/accounts/api-keys.js';
import { openLog } from '../../../src/service/operation/log.js';
import { SETTING_NAMES, settingOf, variableOf } from '../../../src/service/settings/setting-names.js';
import { walletOf } from '../../support/raw-records.js';
import { endOf, firstLineOf, runCommand, startCommand } from '../../support/run-command.js';
import { ask } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { rawSocket } from '../http/raw-socket.js';

let folder: string;
let key: string;
let stored: StoredKey;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-log-'));
  await ingestSmall(folder);
  ({ key, stored } = await createKey(folder, 'log'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = startCommand(['serve', '--port', '0', ...words], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = endOf(child);
  const url = await firstLineOf(child);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      const { code, out, err } = await ended;
      expect(code).toBe(0);
      return {
        out,
        err,
        lines:
          err.trim() === ''
            ? []
            : err
                .trim()
                .split('\n')
                .map((line) => JSON.parse(line)),
      };
    },
  };
}

describe('the log of "oddslab serve"', () => {
  it('keeps no service from answering and ending where nobody reads it', async () => {
    const child = startCommand(['serve', '--port', '0', '--data', folder]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = await firstLineOf(child);
    child.stderr?.pause();
    const ended = once(child, 'exit');
    const headers = { 'X-Request-Id': 'i'.repeat(100) };
    // Their lines are more than the system keeps for a reader.
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 100 }, async () => (await fetch(`${url}/healthz?`, { headers })).status);
      expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    }
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('is a JSON line a request, and nowhere in it is a key, a filter or a body', async () => {
    const { url, stop } = await start(['--data', folder]);
    const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'first' };
    await ask(url, { agent_id: 569, params: { wallet: walletOf(1) } }, { headers });
    await ask(url, { agent_id: 574, params: { market_slug: 'hush-hush' } }, { headers });
    await ask(url, { agent_id: 574, params: { market_slug: ['hush-hush'] } }, { headers });
    await ask(url, `{"hush-hush": "${key}`, { headers });
    await ask(url, {}, { headers: { Authorization: `Bearer ${key}x` } });
    await ask(url, {}, { path: `/${key}` });
    await fetch(`${url}/dashboard/${key}?link=${key}`, { headers: { Cookie: `hush-hush=${key}` } });
    const { out, err, lines } = await stop();
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests.map(({ route, status, key: id }) => [route, status, id])).toEqual([
      [QUERY_PATH, 200, stored.id],
      [QUERY_PATH, 200, stored.id],
      [QUERY_PATH, 422, stored.id],
      [QUERY_PATH, 400, stored.id],
      [QUERY_PATH, 401, undefined],
      ['none', 404, undefined],
      ['/dashboard/*', expect.any(Number), undefined],
    ]);
    expect(requests[0]).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      id: 'first',
      method: 'POST',
      route: QUERY_PATH,
      dataset: 569,
      status: 200,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      key: stored.id,
      client: '127.0.0.1',
      msg: 'request',
    });
    for (const secret of [key, 'odl_', 'hush-hush', walletOf(1)]) expect(out + err).not.toContain(secret);
  });

  it('tells of style sheets and icons where every request is asked for', async () => {
    for (const level of ['info', 'debug']) {
      const { url, stop } = await start(['--data', folder, '--log-level', level]);
      for (const path of ['/dashboard/style.css', '/dashboard/icon.svg', '/dashboard/none.css'])
        await fetch(url + path);
      const requests = (await stop()).lines.filter(({ msg }) => msg === 'request');
      expect(requests.map(({ level: at, route, status }) => [at, route, status])).toEqual([
        ...(level === 'debug'
          ? [
              ['debug', '/dashboard/style.css', 200],
              ['debug', '/dashboard/icon.svg', 200],
            ]
          : []),
        ['info', '/dashboard/*', 404],
      ]);
    }
  });

  it('tells of a damaged part of a file as a line of its own, of one process and of workers', async () => {
    const damaged = await temporaryFolder();
    await cp(folder, damaged, { recursive: true });
    const path = join(damaged, 'versions/000001/wallet-days.bin');
    const bytes = await readFile(path);
    bytes.fill(0xff, 0, 40);
    await chmod(path, 0o644);
    await writeFile(path, bytes);
    for (const [workers, names] of [
      ['1', {}],
      ['2', { worker: expect.any(Number) }],
    ] as const) {
      const { url, stop } = await start(['--data', damaged, '--open', '--workers', workers, '--log-level', 'error']);
      expect((await ask(url, { agent_id: 569, params: { wallet: walletOf(1) } })).status).toBe(200);
      const { lines } = await stop();
      expect(lines.filter(({ msg }) => msg !== 'data served')).toEqual([
        {
          level: 'warn',
          time: expect.any(String),
          ...names,
          name: 'Warning',
          text: expect.stringMatching(/wallet-days\.bin.*Until then the database answers, slower\.$/),
          msg: 'warning',
        },
      ]);
    }
  });

  it('tells nothing but failures and which data are served, or nothing at all, where that is asked', async () => {
    for (const level of ['error', 'silent']) {
      const { url, stop } = await start(['--data', folder, '--open'], { ODDSLAB_SERVE_LOG_LEVEL: level });
      await ask(url, { agent_id: 574 });
      await ask(url, {});
      // What a stranger asks for and no service does is no failure of it.
      for (const head of ['POST /query HTTP/2.0\r\n', 'POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n']) {
        const { socket, until } = await rawSocket(url);
        socket.write(`${head}Host: localhost\r\n\r\n`);
        expect(await until(/\}$/)).toMatch(/^HTTP\/1.1 50[15] /);
      }
      const told = (await stop()).lines.map(({ msg, served }) => [msg, served]);
      expect(told).toEqual(level === 'silent' ? [] : [['data served', '000001']]);
    }
  });
});

it('a log that is over drops what is told to it, and fails nobody', async () => {
  const log = openLog({ level: 'error', isForReading: false });
  log.warning(new Error('the last line'));
  await log.end();
  log.failure(new Error('too late'), '');
  log.forward('too late\n');
  // Past the moment at which gathered lines are written.
  await new Promise((done) => setTimeout(done, 300));
});

describe('the settings of "oddslab serve"', () => {
  it('come from flags, the environment and a file', async () => {
    const config = await put(folder, 'service.json', { maxBodyBytes: 2000, rateBurst: 7, open: true });
    const env = { ODDSLAB_SERVE_MAX_BODY_BYTES: '3000', ODDSLAB_DATA: folder };
    const { url, stop } = await start(['--config', config, '--max-body-bytes', '4000', '--no-compress'], env);
    const of = (bytes: number) => ask(url, `{"agent_id":574}${' '.repeat(bytes - 16)}`);
    expect([(await of(4000)).status, (await of(4001)).status]).toEqual([200, 413]);
    await stop();
  });

  it('that are wrong are named, all at once, before anything starts', async () => {
    const config = await put(folder, 'service.json', { prot: 1 });
    const run = await runCommand(['serve', '--config', config, '--port', '-1', '--max-queued', 'many']);
    expect([run.code, run.out]).toEqual([64, '']);
    expect(run.err).toContain(`${config}, line 1: "prot" is no setting; did you mean "port"?`);
    expect(run.err).toContain('--port must be a whole number from 0 to 65535; got "-1".');
    expect(run.err).toContain('--max-queued must be a whole number from 0 to 100000; got "many".');
  });

  it('stand in its help, each with its variable', async () => {
    const { out } = await runCommand(['serve', '--help']);
    expect(out).toContain('--max-body-bytes <bytes>');
    expect(out).toContain('ODDSLAB_SERVE_MAX_BODY_BYTES');
    expect(out).toContain('--no-compress');
    expect(out).not.toMatch(/--smtp-url|--metrics-token/);
    // Secrets have no flag, so their variables are named by themselves.
    const secrets = SETTING_NAMES.filter((name) => settingOf(name).secret);
    expect(secrets).toHaveLength(3);
    for (const name of secrets) expect(out).toMatch(new RegExp(`^ +${variableOf(name)} `, 'm'));
  });
});
