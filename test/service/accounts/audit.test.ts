import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { accountIdOf } from '../../../src/service/accounts/accounts.js';
import { listKeys } from '../../../src/service/accounts/api-keys.js';
import { AUDIT_EVENTS, leaveEvent, logLeftEvents, MOST_LEFT } from '../../../src/service/accounts/audit.js';
import { endOf, firstLineOf, runCommand, startCommand } from '../../support/run-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { ingestNext } from '../folder/numbered-version.js';
import { Browser } from '../web/browser.js';
import { type LogLine, startWorkers } from '../workers/start-workers.js';
import { startMailed, statusBy } from './mailed-service.js';

let folder: string;
let beside: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-audit-'));
  beside = await mkdtemp(join(tmpdir(), 'oddslab-audit-raw-'));
  await ingestNext(folder, beside, 1);
});
afterAll(async () => {
  for (const each of [folder, beside]) await rm(each, { recursive: true, force: true });
});

const KEYS = '/dashboard/keys';
const keyIn = (text: string) => /odl_[\w-]{43}/.exec(text)?.[0] ?? '';

/** The lines of what an operator answers for, without time, level, worker and request; those of two workers by time. */
function audited(lines: readonly LogLine[]) {
  return lines
    .filter(({ msg }) => msg in AUDIT_EVENTS)
    .sort((a, b) => String(a.time).localeCompare(String(b.time)))
    .map(({ time: _, level: _level, worker: _worker, id: _id, ...line }) => line);
}

it('tells all that an operator answers for, of pages and of commands, and no address, key or token in clear', async () => {
  const service = await startMailed(['--data', folder, '--operators', 'ops@example.org']);
  const secrets: string[] = ['@example.org'];
  const [ann, ops] = [accountIdOf('ann@example.org'), accountIdOf('ops@example.org')];
  const seen = () => audited(service.lines());
  const of = (account: string) => seen().filter((line) => line.account === account);
  const from = { Origin: service.url };

  const link = await service.link('ann@example.org');
  const annsBrowser = new Browser(service.url);
  await service.press(annsBrowser, link);
  await service.press(new Browser(service.url), link);
  secrets.push(link, keyIn((await annsBrowser.get(KEYS)).text), annsBrowser.cookies.get('oddslab-session') ?? 'none');
  await annsBrowser.post(KEYS, { name: 'second' }, KEYS, from);
  secrets.push(keyIn((await annsBrowser.get(KEYS)).text));
  const [first, second] = (await listKeys(folder)).map(({ id }) => id);
  await annsBrowser.post(`${KEYS}/revoke`, { id: second ?? '' }, KEYS, from);
  const client = expect.stringMatching(/^198\.51\.\d+\.\d+$/);
  await expect
    .poll(() => of(ann))
    .toEqual([
      { msg: 'account created', account: ann, client },
      { msg: 'sign-in', account: ann, client },
      { msg: 'key created', account: ann, key: first, role: 'reader', client },
      { msg: 'key created', account: ann, key: second, role: 'reader', client: '127.0.0.1' },
      { msg: 'key revoked', account: ann, key: second, client: '127.0.0.1' },
    ]);
  expect(seen()).toContainEqual({ msg: 'sign-in link sent', address: expect.stringMatching(/^[\w-]{16}$/), client });
  expect(seen()).toContainEqual({ msg: 'sign-in refused', reason: 'link over', client });

  // An operator's page.
  const operator = await service.signIn('ops@example.org');
  await operator.post('/dashboard/accounts/disable', { id: ann }, '/dashboard/accounts', from);
  await operator.post('/dashboard/accounts/enable', { id: ann }, '/dashboard/accounts', from);
  await operator.post('/dashboard/accounts/revoke', { id: first ?? '' }, '/dashboard/accounts', from);
  await expect
    .poll(() => of(ann).slice(5))
    .toEqual([
      { msg: 'account disabled', account: ann, by: ops, keys: 1, sessions: 1, client: '127.0.0.1' },
      { msg: 'account enabled', account: ann, by: ops, keys: 1, client: '127.0.0.1' },
      { msg: 'key revoked', account: ann, key: first, by: ops, client: '127.0.0.1' },
    ]);

  // Commands, beside the service; each event is logged once, though two workers look for it.
  const made = await runCommand(['keys', 'create', '--data', folder, '--name', 'metrics', '--role', 'operator']);
  secrets.push(made.out.trim());
  const id = /^Key (\w+)/.exec(made.err)?.[1] ?? '';
  for (const how of ['disable', 'enable', 'delete']) await runCommand(['accounts', how, ann, '--data', folder]);
  await runCommand(['keys', 'revoke', id, '--data', folder]);
  const by = { by: 'command', user: expect.any(String), at: expect.stringMatching(/^\d{4}-.*Z$/) };
  await expect
    .poll(() => seen().filter((line) => line.by === 'command'), { timeout: 10_000 })
    .toEqual([
      { msg: 'key created', key: id, role: 'operator', ...by },
      { msg: 'account disabled', account: ann, keys: 0, sessions: 0, ...by },
      { msg: 'account enabled', account: ann, keys: 0, sessions: 0, ...by },
      { msg: 'account deleted', account: ann, keys: 0, sessions: 0, ...by },
      { msg: 'key revoked', key: id, ...by },
    ]);
  await expect.poll(() => readdir(join(folder, 'events'))).toEqual([]);

  // Data.
  await ingestNext(folder, beside, 2);
  const data = () => seen().filter(({ msg }) => msg.startsWith('data '));
  const start = { msg: 'data served', served: '000001', current: '000001' };
  const switched = { msg: 'data served', was: '000001', served: '000002', current: '000002' };
  await expect.poll(data).toEqual([start, start, switched, switched]);
  await runCommand(['data', 'rollback', '--data', folder]);
  const back = { msg: 'data rolled back', was: '000002', served: '000001', current: '000001' };
  await expect.poll(() => data().slice(4)).toEqual([back, back]);

  const { err } = await service.stop();
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(err).not.toContain(secret);
  }
});

it('is in the log where this tells failures alone, and names clients by a hash where that is set', async () => {
  const service = await startMailed(['--data', folder, '--log-level', 'error', '--log-clients', 'hash']);
  await service.signIn('bob@example.org');
  await service.signIn('bob@example.org');
  const told = () => audited(service.lines()).filter(({ msg }) => msg === 'sign-in');
  const hashed = {
    msg: 'sign-in',
    account: accountIdOf('bob@example.org'),
    client: expect.stringMatching(/^[\w-]{16}$/),
  };
  await expect.poll(told).toEqual([hashed, hashed]);
  expect(new Set(told().map(({ client }) => client)).size).toBe(2);
  const { err } = await service.stop();
  expect(err).not.toMatch(/198\.51\.|127\.0\.0\.1/);
});

it('names the client of a query as that of a page: a proxy is believed that is trusted, and nobody else', async () => {
  for (const [words, client] of [
    [[], '198.51.100.7'],
    [['--trust-proxy', '10.0.0.0/8'], '127.0.0.1'],
    [['--log-clients', 'hash'], expect.stringMatching(/^[\w-]{16}$/)],
    [['--no-plain-requests'], '198.51.100.7'],
  ] as const) {
    const trusts = (words as readonly string[]).includes('--trust-proxy') ? [] : ['--trust-proxy', '127.0.0.1'];
    const service = await startWorkers(['--data', folder, ...trusts, ...words]);
    const [way] = await service.ways();
    if (!way) throw new Error('no worker');
    expect(await statusBy(way, 'wrong', { 'X-Forwarded-For': '1.1.1.1, 198.51.100.7' })).toBe(401);
    const line = await service.line(({ route }) => route === '/query');
    expect(line).toMatchObject({ status: 401, client });
    await service.stop();
  }
});

it('left by a command, an event waits for a service, and one that is damaged keeps no other back', async () => {
  const data = await temporaryFolder();
  await leaveEvent(data, 'key created', { key: 'one' });
  await leaveEvent(data, 'key revoked', { key: 'one' });
  await writeFile(join(data, 'events', '0-damaged.json'), '{"event":"nonsense"}');
  const told: string[] = [];
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const stops = [1, 2].map(() => logLeftEvents(data, (event, { key }) => void told.push(`${event} ${key}`)));
  await expect.poll(() => told.length, { timeout: 5000 }).toBe(2);
  await expect.poll(() => readdir(join(data, 'events'))).toEqual([]);
  for (const stop of stops) stop();
  expect(told.sort()).toEqual(['key created one', 'key revoked one']);
  expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/0-damaged\.json cannot be taken .*it is damaged/)]);
  warn.mockRestore();
});

it('left by a command, an event is there until it is logged, also where who took it has died', async () => {
  const data = await temporaryFolder();
  await leaveEvent(data, 'key created', { key: 'one' });
  const events = () => readdir(join(data, 'events'));
  let isWritten = (): void => {};
  const told: string[] = [];
  const audit = (_event: string, { key }: { key?: string | undefined }) => {
    told.push(String(key));
    return new Promise<void>((done) => {
      isWritten = done;
    });
  };
  const stops = [1, 2].map(() => logLeftEvents(data, audit));
  await expect.poll(() => told, { timeout: 5000 }).toEqual(['one']);
  await new Promise((done) => setTimeout(done, 1200));
  const [held = ''] = await events();
  expect([told, held]).toEqual([['one'], expect.stringMatching(/\.json\.taken-\d+$/)]);
  isWritten();
  await expect.poll(events).toEqual([]);
  // As a service leaves it that was killed a minute ago, and one that was killed just now.
  for (const [key, ago] of [
    ['old', 61_000],
    ['new', 1000],
  ] as const) {
    const text = JSON.stringify({ event: 'key revoked', key });
    await writeFile(join(data, 'events', `${key}.json.taken-${Date.now() - ago}`), text);
  }
  await expect.poll(() => told, { timeout: 5000 }).toEqual(['one', 'old']);
  isWritten();
  await expect.poll(events).toEqual([expect.stringMatching(/^new\./)]);
  for (const stop of stops) stop();
});

it.each(['1', '2'])(
  'of a command is on disk or in the log, whenever a service of %s workers is killed',
  async (workers) => {
    const data = await temporaryFolder();
    await ingestNext(data, beside, 1);
    const service = startCommand(['serve', '--port', '0', '--data', data, '--workers', workers]);
    onTestFinished(() => void service.kill('SIGKILL'));
    const ended = endOf(service);
    await firstLineOf(service);
    await leaveEvent(data, 'key created', { key: 'one' });
    while ((await readdir(join(data, 'events'))).length > 0);
    service.kill('SIGKILL');
    const { err } = await ended;
    expect(err).toMatch(/"key":"one".*"msg":"key created"/);
  },
);

it('of commands are kept where no service takes them, up to a thousand', async () => {
  const data = await temporaryFolder();
  await mkdir(join(data, 'events'));
  for (let n = 0; n < MOST_LEFT; n++) await writeFile(join(data, 'events', `0-${String(n).padStart(4, '0')}.json`), '');
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  await leaveEvent(data, 'key created', { key: 'one' });
  const left = (await readdir(join(data, 'events'))).sort();
  expect([left.length, left[0]]).toEqual([MOST_LEFT, '0-0001.json']);
  expect(await readFile(join(data, 'events', left.at(-1) ?? ''), 'utf8')).toContain('"key":"one"');
  expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/the oldest is dropped/)]);
  warn.mockRestore();
});

it('tells a fall back from damage as an error with its problem, and no rollback; the first version where errors alone are told', async () => {
  const data = join(await temporaryFolder(), 'data');
  for (const n of [1, 2]) await ingestNext(data, beside, n);
  const service = await startWorkers(['--data', data, '--open', '--log-level', 'error']);
  const seen = () => service.lines().filter(({ msg }) => msg.startsWith('data'));
  await expect
    .poll(() => seen().map(({ level, msg, was, served }) => [level, msg, was, served]))
    .toEqual([
      ['info', 'data served', undefined, '000002'],
      ['info', 'data served', undefined, '000002'],
    ]);
  // The bytes change under the open files, as on a failing disk.
  for (const file of ['lab.duckdb', 'wallet-days.bin']) {
    const path = join(data, 'versions', '000002', file);
    await chmod(path, 0o644);
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(7, 0, file === 'lab.duckdb' ? undefined : 40));
  }
  const ask = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"agent_id":574}' };
  for (let n = 0; n < 16; n++) expect((await fetch(`${service.url}/query`, ask)).status).toBe(200);
  const told = () => seen().filter(({ served, was }) => served === '000001' && was === '000002');
  await expect.poll(() => told().length, { timeout: 10_000 }).toBeGreaterThan(0);
  for (const { level, msg, current, problem } of told()) {
    expect([level, msg, current]).toEqual(['error', 'data served', '000002']);
    expect(problem).toMatch(/000002/);
  }
  await service.stop();
});
