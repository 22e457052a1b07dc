import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIdOf, openAccount } from '../../../src/service/accounts/accounts.js';
import { createKey, listKeys, revokeKey } from '../../../src/service/accounts/api-keys.js';
import { runCommand } from '../../support/run-command.js';
import { serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { Browser, tokenIn } from '../web/browser.js';
import { startWorkers, type Way } from '../workers/start-workers.js';
import { startMailed, statusBy } from './mailed-service.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-governed-'));
  await ingestSmall(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const KEYS = '/dashboard/keys';
const keyIn = (text: string) => /odl_[\w-]{43}/.exec(text)?.[0] ?? '';

/** An account that is there already, and a key of it. */
async function settled(email: string) {
  await openAccount(folder, email, { nowMs: Date.now() });
  const owner = accountIdOf(email);
  return { id: owner, ...(await createKey(folder, email.split('@')[0] ?? '', { owner })) };
}

describe('who may sign up', () => {
  it('is nobody where others reach the service, and nobody can tell who has an account', async () => {
    await settled('ann@example.org');
    const gone = await settled('gone@example.org');
    expect((await runCommand(['accounts', 'disable', gone.id, '--data', folder])).code).toBe(0);
    const service = await startMailed(['--data', folder], 'https://odds.example');
    const asked = await Promise.all(
      ['ann@example.org', 'stranger@example.org', 'gone@example.org', 'ops@example.org'].map(async (email) => {
        const browser = new Browser(service.url);
        const from = { Origin: 'https://odds.example' };
        const { status, text, location, headers } = await browser.post('/dashboard/link', { email }, '/', from);
        const page = (await browser.get('/dashboard/link')).text;
        const names = [...headers.keys()].sort();
        return { status, text, location, names, page: page.replace(tokenIn(page), '') };
      }),
    );
    expect(asked[0]?.status).toBe(303);
    expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1);
    expect((await new Browser(service.url).get('/')).text).toContain('Not everybody can make an account here');
    // Of the four, the one with an account gets a link, which signs in.
    const reasons = () => service.lines().flatMap(({ msg, reason }) => (msg === 'sign-in refused' ? [reason] : []));
    await expect.poll(() => reasons().sort()).toEqual(['account disabled', 'sign-up closed', 'sign-up closed']);
    await expect.poll(() => service.mail.mails).toHaveLength(1);
    await service.signIn('ann@example.org');
    expect(service.mail.mails.map(({ to }) => to)).toEqual([['ann@example.org'], ['ann@example.org']]);
    expect((await service.stop()).err).not.toMatch(/@example\.org/);
  });

  it('is whom the operator lists: addresses, and domains without what is below or around them', async () => {
    const list = '@allowed.org, bob@example.com';
    const service = await startMailed(
      ['--data', folder, '--sign-up', list, '--operators', 'ops@example.net'],
      'https://odds.example',
    );
    const kept = [
      'a@sub.allowed.org',
      'a@allowed.org.evil.com',
      'a@notallowed.org',
      'bob+x@example.com',
      'bob@example.com.evil.com',
      'ann@example.net',
    ];
    const let_in = ['New+tag@Allowed.ORG', 'BOB@example.com', 'ops@example.net'];
    for (const email of [...kept, ...let_in]) expect(await service.ask(email)).toEqual([303, '/dashboard/link']);
    const unreadable = ['änn@allowed.org', 'ann@allowed.or\u212a', 'a@allowed.org, b@allowed.org'];
    for (const email of unreadable) expect((await service.ask(email))[0]).toBe(422);
    const arrived = () => service.mail.mails.flatMap(({ to }) => to).sort();
    await expect.poll(arrived).toEqual(['bob@example.com', 'new+tag@allowed.org', 'ops@example.net']);
    expect((await service.signIn('new+tag@allowed.org')).cookies.size).toBeGreaterThan(0);
    expect(arrived()).toHaveLength(4);
    expect(service.lines().filter(({ msg }) => msg === 'sign-in refused')).toHaveLength(kept.length);
    await service.stop();
  });

  it('is limited for each client: of ten thousand sign-ups from one address, twenty get a link', async () => {
    const links = () => readdir(join(folder, 'dashboard', 'links'));
    const before = (await links()).length;
    const service = await startMailed(['--data', folder]);
    const browser = new Browser(service.url);
    const form_token = tokenIn((await browser.get('/')).text);
    const ask = async (n: number, forwarded: string) => {
      const body = new URLSearchParams({ email: `many${n}@example.org`, form_token });
      const headers = { Origin: service.url, 'X-Forwarded-For': forwarded };
      return (await browser.send('/dashboard/link', body, headers)).status;
    };
    const statuses: number[] = [];
    // One IPv6 network, by another address each time, which puts forged ones before its own.
    const forwarded = (n: number) => `1.2.3.${n & 255}, 127.0.0.1, 2001:db8::${n.toString(16)}`;
    for (let start = 0; start < 10_000; start += 50) {
      const some = Array.from({ length: 50 }, (_, at) => ask(start + at, forwarded(start + at)));
      statuses.push(...(await Promise.all(some)));
    }
    const count = (status: number) => statuses.filter((each) => each === status).length;
    expect([count(303), count(429)]).toEqual([20, 9_980]);
    expect(await ask(10_000, '2001:db9::1')).toBe(303);
    await expect.poll(() => service.mail.mails.length).toBe(21);
    expect(await links()).toHaveLength(before + 21);
    await service.stop();
  }, 240_000);
});

describe('an account', () => {
  it('that is disabled is refused at once: its keys, sessions and open link, on every worker and another service', async () => {
    const { id, key } = await settled('dis@example.org');
    const service = await startMailed(['--data', folder]);
    const other = await serveFolder(folder, { open: false });
    const ways = await service.ways();
    const askOther = async () => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
      return (await fetch(`${other}/query`, { method: 'POST', headers, body: '{"agent_id":574}' })).status;
    };
    const browser = await service.signIn('dis@example.org');
    const statuses = async () => [...(await Promise.all(ways.map((way) => statusBy(way, key)))), await askOther()];
    expect(await statuses()).toEqual([200, 200, 200]);
    const open = await service.link('dis@example.org');
    // Its page is open, too, when the account is disabled.
    expect((await browser.get(`/dashboard/sign-in?link=${open}`)).status).toBe(200);
    const form_token = tokenIn((await browser.get(KEYS)).text);

    const disabled = await runCommand(['accounts', 'disable', 'DIS@example.org', '--data', folder]);
    expect(disabled).toEqual({
      code: 0,
      out: '',
      err: `Account ${id} is disabled: 1 key is refused, 1 session ended.\n`,
    });
    expect(await statuses()).toEqual([401, 401, 401]);
    for (let each = 0; each < 4; each++) expect((await browser.get(KEYS)).location).toBe('/');
    const form = new URLSearchParams({ name: 'one more', form_token });
    const made = await browser.send(KEYS, form, { Origin: service.url });
    expect([made.status, made.location]).toEqual([303, '/?after=over']);
    expect((await service.press(new Browser(service.url), open)).status).toBe(410);
    const mails = service.mail.mails.length;
    expect(await service.ask('dis@example.org')).toEqual([303, '/dashboard/link']);

    const again = await runCommand(['accounts', 'disable', id, '--data', folder]);
    expect([again.code, again.err]).toEqual([0, `Account ${id} is disabled already.\n`]);
    const enabled = await runCommand(['accounts', 'enable', id, '--data', folder]);
    expect([enabled.code, enabled.err]).toEqual([0, `Account ${id} is enabled: 1 key is accepted again.\n`]);
    expect(await statuses()).toEqual([200, 200, 200]);
    // The session that was ended stays so; the same person signs in anew.
    expect((await browser.get(KEYS)).location).toBe('/');
    expect((await (await service.signIn('dis@example.org')).get(KEYS)).status).toBe(200);
    expect(service.mail.mails).toHaveLength(mails + 1);
    await service.stop();
  });

  it('that is disabled between a link and its button cannot sign in, and is told no more than a stranger', async () => {
    const { id } = await settled('late@example.org');
    const service = await startMailed(['--data', folder]);
    const link = await service.link('late@example.org');
    // As by another process that has not come to the links yet.
    const path = (name: string) => join(folder, 'accounts', name);
    const { rename } = await import('node:fs/promises');
    await rename(path(`${id}.json`), path(`${id}.disabled.json`));
    const { status, text } = await service.press(new Browser(service.url), link);
    expect([status, text.includes('You cannot sign in here')]).toEqual([403, true]);
    expect(await readdir(join(folder, 'accounts'))).not.toContain(`${id}.json`);
    await service.stop();
  });

  it('that is deleted while its session is open leaves nothing behind, and its next one has no part of it', async () => {
    const { id, key } = await settled('del@example.org');
    const service = await startMailed(['--data', folder]);
    const ways = await service.ways();
    const browser = await service.signIn('del@example.org');
    const open = await service.link('del@example.org');
    await Promise.all(ways.map((way) => statusBy(way, key)));
    const deleted = await runCommand(['accounts', 'delete', id, '--data', folder]);
    expect([deleted.code, deleted.err]).toEqual([0, `Account ${id} is deleted: 1 key revoked, 1 session ended.\n`]);
    for (const way of ways) expect(await statusBy(way, key)).toBe(401);
    expect((await browser.get(KEYS)).location).toBe('/');
    expect((await service.press(new Browser(service.url), open)).status).toBe(410);
    const left = (await readdir(folder, { recursive: true })).filter((name) => name.includes(id));
    expect([left, (await listKeys(folder)).filter(({ owner }) => owner === id)]).toEqual([[], []]);
    const unknown = await runCommand(['accounts', 'delete', 'del@example.org', '--data', folder]);
    expect(unknown.code).toBe(64);
    expect(unknown.err).toMatch(/^oddslab: No account of this address in .*"oddslab accounts list"/);
    expect(unknown.err).not.toContain('del@example.org');
    // Signed up anew, the account has the same id, but neither old sessions nor old keys.
    const anew = await service.signIn('del@example.org');
    expect((await anew.get(KEYS)).status).toBe(200);
    expect((await browser.get(KEYS)).location).toBe('/');
    for (const way of ways) expect(await statusBy(way, key)).toBe(401);
    await service.stop();
  });

  it('whose file is damaged is listed as such, signs nobody in, and is disabled and deleted all the same', async () => {
    const { id, key } = await settled('torn@example.org');
    const service = await startMailed(['--data', folder, '--operators', 'boss@example.org']);
    const [way] = (await service.ways()) as [Way];
    const browser = await service.signIn('torn@example.org');
    const open = await service.link('torn@example.org');
    const operator = await service.signIn('boss@example.org');
    await writeFile(join(folder, 'accounts', `${id}.json`), '{');
    expect((await browser.get(KEYS)).location).toBe('/');
    const pressed = await service.press(new Browser(service.url), open);
    expect([pressed.status, pressed.text.includes('You cannot sign in here')]).toEqual([403, true]);
    expect(await service.line(({ reason }) => reason === 'account damaged')).toMatchObject({ account: id });
    const listed = async () => {
      const { code, out, err } = await runCommand(['accounts', 'list', '--json', '--data', folder]);
      expect([code, err]).toEqual([0, expect.stringContaining(`${id}.`)]);
      return JSON.parse(out).find((each: { id: string }) => each.id === id);
    };
    const entry = { id, email: null, created: null, keys: 1 };
    expect(await listed()).toMatchObject({ ...entry, state: 'enabled, damaged' });
    const page = await operator.get('/dashboard/accounts');
    expect([page.status, page.text.includes('damaged file')]).toEqual([200, true]);
    await service.link('ann2@example.org');

    expect(await statusBy(way, key)).toBe(200);
    const disabled = await runCommand(['accounts', 'disable', id, '--data', folder]);
    expect([disabled.code, disabled.err]).toEqual([0, expect.stringContaining(`Account ${id} is disabled: 1 key is`)]);
    expect(disabled.err).toContain('1 session ended');
    expect(await statusBy(way, key)).toBe(401);
    expect(await listed()).toMatchObject({ ...entry, state: 'disabled, damaged' });
    expect((await runCommand(['accounts', 'delete', 'torn@example.org', '--data', folder])).code).toBe(0);
    expect((await readdir(folder, { recursive: true })).filter((name) => name.includes(id))).toEqual([]);
    await service.stop();
  });

  it('has one limit for all its keys, on all workers, and so has a key without an account', async () => {
    const { id, key } = await settled('rate@example.org');
    const more = await Promise.all(
      Array.from({ length: 19 }, (_, n) => createKey(folder, `key ${n}`, { owner: id }).then((made) => made.key)),
    );
    const { key: alone } = await createKey(folder, 'alone');
    const service = await startWorkers(['--data', folder, '--rate-per-minute', '1', '--rate-burst', '10']);
    const ways = (await service.ways()) as [Way, Way];
    const statuses: number[] = [];
    for (const [at, each] of [key, ...more].entries()) statuses.push(await statusBy(ways[at % 2] as Way, each));
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(10).fill(429)]);
    expect(await Promise.all(ways.map((way) => statusBy(way, alone)))).toEqual([200, 200]);
    await service.stop();
  });
});

describe('a network', () => {
  it.each([[[]], [['--no-plain-requests']]])(
    'has one limit for all accounts that ask from it, on all workers, and no other network has a part of it (%j)',
    async (words) => {
      const ask = async (way: Way, key: string, client: string) => {
        const headers = {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${key}`,
          'X-Forwarded-For': client,
        };
        return way.send('/query', { method: 'POST', headers, body: '{"agent_id":574}' });
      };
      const keys: string[] = [];
      for (let n = 0; n < 8; n++) keys.push((await settled(`net${n}${words.length}@example.org`)).key);
      const rates = ['--rate-per-minute', '1', '--rate-burst', '5'];
      const service = await startWorkers(['--data', folder, '--trust-proxy', '127.0.0.1', ...rates, ...words]);
      const ways = (await service.ways()) as [Way, Way];
      const { key: fresh } = await settled(`fresh${words.length}@example.org`);
      const came: Awaited<ReturnType<typeof ask>>[] = [];
      const startedMs = performance.now();
      // By one address after the other of one IPv6 network, with forged ones before its own.
      for (let n = 0; n < 40; n++)
        came.push(await ask(ways[n % 2] as Way, keys[n % 8] ?? '', `9.9.9.${n}, 2001:db8:0:7::${n}`));
      const seconds = (performance.now() - startedMs) / 1000;
      // Five times the burst of an account; on a slow machine also what comes back, one in twelve seconds.
      const statuses = came.map(({ status }) => status);
      expect(statuses.slice(0, 25)).toEqual(Array(25).fill(200));
      expect(new Set(statuses.slice(25))).toContain(429);
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(25 + Math.floor(seconds / 12));
      const { headers, text } = came.findLast(({ status }) => status === 429) ?? { headers: {}, text: '{}' };
      expect(headers).toMatchObject({ 'ratelimit-limit': '25', 'ratelimit-remaining': '0' });
      const waitSeconds = Number(headers['retry-after']);
      expect(waitSeconds).toBeLessThanOrEqual(12);
      expect(waitSeconds).toBeGreaterThanOrEqual(Math.max(1, 12 - Math.ceil(seconds)));
      expect(JSON.parse(text).detail).toMatch(
        /^All that ask from one network together may make 25 queries at once and 5 a/,
      );
      expect((await ask(ways[0], keys[7] ?? '', '2001:db8:0:8::1')).status).toBe(429);
      const elsewhere = await ask(ways[0], fresh, '2001:db8:0:8::1');
      expect([elsewhere.status, elsewhere.headers['ratelimit-limit']]).toEqual([200, '5']);
      // Again, should one have come back to the network meanwhile.
      let here = await ask(ways[1], fresh, '2001:db8:0:7::1');
      if (here.status === 200) here = await ask(ways[1], fresh, '2001:db8:0:7::1');
      expect([here.status, here.headers['ratelimit-limit']]).toEqual([429, '25']);
      await service.stop();
    },
  );
});

describe('a key', () => {
  it('works from the first request on and not after its revocation, on every worker, while wrong ones are tried', async () => {
    const service = await startWorkers(['--data', folder]);
    const ways = await service.ways();
    let isOver = false;
    const wrong: number[] = [];
    const flood = Array.from({ length: 8 }, async (_, at) => {
      const way = ways[at % 2] as Way;
      for (let n = 0; !isOver; n++) wrong.push(await statusBy(way, `odl_${String(n).padStart(43, '0')}`));
    });
    for (let round = 0; round < 15; round++) {
      const { key, stored } = await createKey(folder, 'at once');
      expect(await Promise.all((await service.ways()).map((way) => statusBy(way, key)))).toEqual([200, 200]);
      await revokeKey(folder, stored.id);
      expect(await Promise.all(ways.map((way) => statusBy(way, key)))).not.toContain(200);
    }
    isOver = true;
    await Promise.all(flood);
    // What comes without a key in force is counted by network, and then refused sooner.
    expect(new Set(wrong)).toEqual(new Set([401, 429]));
    expect(wrong.filter((status) => status === 401).length).toBeLessThan(250);
    await service.stop();
  });

  it('that is wrong counts for its network alone, by the address that a trusted proxy tells', async () => {
    const { key } = await createKey(folder, 'right');
    const service = await startWorkers(['--data', folder, '--trust-proxy', '127.0.0.1']);
    const ways = (await service.ways()) as [Way, Way];
    const asked = (n: number, forwarded: string, each?: string) =>
      statusBy(ways[n % 2] as Way, each, { 'X-Forwarded-For': forwarded });
    const statuses: number[] = [];
    for (let n = 0; n < 120; n++) statuses.push(await asked(n, `9.9.9.9, 2001:db8::${n}`, n % 2 ? 'wrong' : undefined));
    expect(statuses.slice(0, 100)).toEqual(Array(100).fill(401));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10);
    expect(await asked(0, '2001:db8::1', key)).toBe(200);
    expect(await asked(0, '2001:db8:0:1::1')).toBe(401);
    await service.stop();
  });

  it('of the first sign-in, made by one worker, works on the other at once', async () => {
    const service = await startMailed(['--data', folder]);
    const ways = await service.ways();
    for (let round = 0; round < 3; round++) {
      const browser = await service.signIn(`first${round}@example.org`);
      const key = keyIn((await browser.get(KEYS)).text);
      expect(await Promise.all(ways.map((way) => statusBy(way, key)))).toEqual([200, 200]);
    }
    await service.stop();
  });
});
