import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createKey, listKeys } from '../../../src/service/accounts/api-keys.js';
import { KeyUses } from '../../../src/service/accounts/key-uses.js';
import { keyOf } from '../../../src/service/accounts/known-keys.js';
import { Browser, tokenIn } from './browser.js';
import { signedIn } from './signed-in.js';
import { type Dashboard, startDashboard } from './start-dashboard.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const KEYS = '/dashboard/keys';

/** The key that a page shows, if it shows one. */
function keyIn(text: string): string | undefined {
  return /odl_[\w-]{43}/.exec(text)?.[0];
}

function make(browser: Browser, name: string) {
  return browser.post(KEYS, { name }, KEYS);
}

/** Names and ids of the keys that a page lists. */
function listed(text: string): string[][] {
  return [...text.matchAll(/<th scope="row">(.*?)<\/th>\s*<td><code>(.*?)<\/code>/g)].map(([, name = '', id = '']) => [
    name,
    id,
  ]);
}

it('shows the key of the first sign-in once, and makes none with the next', async () => {
  const browser = await signedIn(dashboard, 'ann@example.org');
  const { text } = await browser.get(KEYS);
  const key = keyIn(text) ?? '';
  const [stored] = await listKeys(dashboard.folder);
  expect(keyOf(await listKeys(dashboard.folder), key)).toEqual(stored);
  expect(listed(text)).toEqual([['first key', stored?.id]]);
  expect(text).toContain('It is not shown again');
  const account = createHash('sha256').update('ann@example.org').digest('hex').slice(0, 32);
  expect(dashboard.events).toEqual(
    [
      { event: 'sign-in link sent', address: expect.stringMatching(/^[\w-]{16}$/) },
      { event: 'account created', account },
      { event: 'sign-in', account },
      { event: 'key created', account, key: stored?.id, role: 'reader' },
    ].map((event) => ({ ...event, id: undefined, client: undefined })),
  );
  const again = await browser.get(KEYS);
  expect([keyIn(again.text), again.text.includes('Your new API key')]).toEqual([undefined, false]);
  const elsewhere = await signedIn(dashboard, 'ANN@example.org');
  const other = await elsewhere.get(KEYS);
  expect([keyIn(other.text), listed(other.text).length]).toEqual([undefined, 1]);
});

it('shows a key to the session that made it alone', async () => {
  const [ann, bob] = [await signedIn(dashboard, 'ann@example.org'), await signedIn(dashboard, 'bob@example.org')];
  await bob.get(KEYS);
  await make(ann, 'hers');
  bob.cookies.set('oddslab-new-key', ann.cookies.get('oddslab-new-key') ?? '');
  expect(keyIn((await bob.get(KEYS)).text)).toBeUndefined();
  expect(keyIn((await ann.get(KEYS)).text)).toMatch(/^odl_/);
});

it('makes, lists and revokes keys, those of the account alone', async () => {
  await createKey(dashboard.folder, 'of the operator');
  const [carol, dan] = [await signedIn(dashboard, 'carol@example.org'), await signedIn(dashboard, 'dan@example.org')];
  const made = await make(carol, '  nightly <b>report</b> ');
  expect([made.status, made.location, keyIn(made.text)]).toEqual([303, KEYS, undefined]);
  const { text } = await carol.get(KEYS);
  const key = keyIn(text) ?? '';
  expect(listed(text).map(([name]) => name)).toEqual(['first key', 'nightly &lt;b&gt;report&lt;/b&gt;']);
  // Each button says to who does not see its row which key it revokes.
  const buttons = [...text.matchAll(/<button class="danger">(.*?)<\/button>/g)].map(([, shown = '']) => shown);
  expect(buttons.map((shown) => shown.replaceAll(/<\/?span[^>]*>/g, ''))).toEqual([
    'Revoke for good: first key',
    'Revoke for good: nightly &lt;b&gt;report&lt;/b&gt;',
  ]);
  const id = keyOf(await listKeys(dashboard.folder), key)?.id ?? '';
  const theft = await dan.post(`${KEYS}/revoke`, { id }, KEYS);
  expect([theft.status, keyOf(await listKeys(dashboard.folder), key)?.id]).toEqual([404, id]);
  const revoked = await carol.post(`${KEYS}/revoke`, { id }, KEYS);
  expect(revoked.location).toBe(`${KEYS}?after=revoked`);
  expect(keyOf(await listKeys(dashboard.folder), key)).toBeUndefined();
  expect(dashboard.events.at(-1)).toMatchObject({ event: 'key revoked', key: id });
  const after = await carol.get(`${KEYS}?after=revoked`);
  expect(after.text).toContain('<p class="notice" role="status">The key is revoked.');
  expect(listed(after.text)).toHaveLength(1);
  expect((await carol.post(`${KEYS}/revoke`, { id }, KEYS)).status).toBe(404);
  expect((await carol.post(`${KEYS}/revoke`, { id: '../accounts/x' }, KEYS)).status).toBe(404);
});

it('shows when a key was used last', async () => {
  const browser = await signedIn(dashboard, 'erin@example.org');
  const [[, id = ''] = []] = listed((await browser.get(KEYS)).text);
  expect((await browser.get(KEYS)).text).toContain('<span class="none">never</span>');
  const uses = new KeyUses(dashboard.folder, () => Date.parse('2026-02-03T04:05:06Z'));
  uses.note(id);
  await uses.settled();
  expect((await browser.get(KEYS)).text).toContain(
    '<time datetime="2026-02-03T04:05:06.000Z">2026-02-03 <span class="clock">04:05 UTC</span></time>',
  );
});

it.each([
  ['', 'Give the key a name.'],
  ['   ', 'Give the key a name.'],
  ['x'.repeat(61), 'A name has at most 60 characters.'],
  ['a\u202Eb', 'A name has no control characters.'],
  ['a\tb', 'A name has no control characters.'],
  ['a\x1b[2Jb', 'A name has no control characters.'],
  ['\u200d\u200d', 'A name has no control characters.'],
  ['a\u200d\u200db', 'A name has no control characters.'],
])('says beside the field what is wrong with the name %j', async (name, error) => {
  const browser = await signedIn(dashboard, 'frank@example.org');
  const { status, text } = await make(browser, name);
  expect(status).toBe(422);
  expect(text).toContain(`id="name-error"><span class="unseen">Error: </span>${error}</p>`);
  expect(text).toMatch(/<input type="text"[^>]*aria-describedby="name-hint name-error" aria-invalid="true"/);
  expect(listed(text)).toHaveLength(1);
});

it.each([
  '\u{1f468}\u{1f3fd}\u200d\u{1f4bb} laptop',
  '\u2764\ufe0f\u200d\u{1f525}',
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u06f1\u06f0\u200c\u0647\u0627',
])('takes the name %s, whose parts a joiner holds together', async (name) => {
  const browser = await signedIn(dashboard, 'frank@example.org');
  expect((await make(browser, name)).status).toBe(303);
  expect(listed((await browser.get(KEYS)).text).map(([shown]) => shown)).toContain(name);
});

it('gives an account twenty keys at most', async () => {
  const browser = await signedIn(dashboard, 'gina@example.org');
  const folder = join(dashboard.folder, 'keys');
  const owner = createHash('sha256').update('gina@example.org').digest('hex').slice(0, 32);
  for (let i = 1; i < 20; i++) {
    const key = { id: `${i}`, name: `key ${i}`, created: '2026-01-01T00:00:00.000Z', sha256: '', owner };
    await writeFile(join(folder, `${i}.json`), JSON.stringify(key));
  }
  const { text } = await browser.get(KEYS);
  expect([listed(text).length, text.includes('You have 20 keys, which is the most.')]).toEqual([20, true]);
  const beyond = await browser.post(KEYS, { name: 'one more', form_token: tokenIn(text) });
  expect([beyond.status, listed(beyond.text).length]).toEqual([422, 20]);
});

it('lets an account make so many keys in an hour', async () => {
  const browser = await signedIn(dashboard, 'hugo@example.org');
  const statuses = [];
  for (let i = 0; i < 31; i++) {
    statuses.push((await make(browser, 'short-lived')).status);
    await rm(join(dashboard.folder, 'keys'), { recursive: true, force: true });
  }
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 303), 429]);
});

it('gives an account twenty keys at most, however many are asked for at once, and of two processes', async () => {
  const other = await startDashboard({ folder: dashboard.folder });
  onTestFinished(() => other.close());
  const browser = await signedIn(dashboard, 'ivy@example.org');
  const form_token = tokenIn((await browser.get(KEYS)).text);
  const elsewhere = new Browser(other.url);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const asked = Array.from({ length: 30 }, (_, n) => browser.post(KEYS, { name: `key ${n}`, form_token }));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([...Array(19).fill(303), ...Array(11).fill(422)]);
  const ids = listed((await browser.get(KEYS)).text).map(([, id = '']) => id);
  expect(ids).toHaveLength(20);
  for (let round = 0; round < 3; round++) {
    await rm(join(dashboard.folder, 'keys', `${ids[round]}.json`));
    await Promise.all([browser, elsewhere].map((each) => each.post(KEYS, { name: `more ${round}`, form_token })));
    expect(listed((await browser.get(KEYS)).text).length).toBeLessThanOrEqual(20);
  }
});
