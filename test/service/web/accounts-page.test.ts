import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountIdOf, openAccount } from '../../../src/service/accounts/accounts.js';
import { createKey, listKeys } from '../../../src/service/accounts/api-keys.js';
import { readAddressList } from '../../../src/service/accounts/email-address.js';
import { Keyring } from '../../../src/service/accounts/known-keys.js';
import { signedIn } from './signed-in.js';
import { type Dashboard, startDashboard } from './start-dashboard.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard({ operators: readAddressList('ops@example.org,more@example.org') });
});
afterAll(() => dashboard.close());

const PAGE = '/dashboard/accounts';

/** The names of the rows of each table of a page. */
const rowsOf = (text: string) =>
  text
    .split('<caption')
    .slice(1)
    .map((table) => [...table.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, name]) => name));

it('is there for operators alone', async () => {
  const [ann, ops] = [await signedIn(dashboard, 'ann@example.org'), await signedIn(dashboard, 'ops@example.org')];
  const page = await ops.get(PAGE);
  expect([page.status, page.text.includes(`href="${PAGE}" aria-current="page"`)]).toEqual([200, true]);
  const hers = await ann.get('/dashboard/keys');
  expect(hers.text).not.toContain(PAGE);
  expect((await ann.get(PAGE)).status).toBe(404);
  for (const what of ['disable', 'enable', 'revoke']) {
    const sent = await ann.post(`${PAGE}/${what}`, { id: accountIdOf('ops@example.org') }, '/dashboard/keys');
    expect(sent.status).toBe(404);
  }
  // Nobody who is signed out learns of it.
  ops.cookies.delete('oddslab-session');
  expect((await ops.get(PAGE)).location).toBe('/');
});

it('lists all accounts and keys, and finds some of them', async () => {
  await createKey(dashboard.folder, 'prometheus', { role: 'operator' });
  const ops = await signedIn(dashboard, 'ops@example.org');
  await ops.post('/dashboard/keys', { name: 'report <i>' }, '/dashboard/keys');
  const { text } = await ops.get(PAGE);
  const [accounts, keys] = rowsOf(text);
  expect(accounts?.sort()).toEqual(['ann@example.org', 'ops@example.org']);
  expect(keys?.sort()).toEqual(['first key', 'first key', 'prometheus', 'report &lt;i&gt;']);
  expect(text).toMatch(/prometheus<\/th>[\s\S]*?the command line<\/span><\/td>\s*<td>operator<\/td>/);
  expect(text).not.toMatch(/odl_|[0-9a-f]{64}/);
  expect(rowsOf((await ops.get(`${PAGE}?find=ANN`)).text)).toEqual([['ann@example.org'], ['first key']]);
  expect(rowsOf((await ops.get(`${PAGE}?find=prom`)).text)).toEqual([['prometheus']]);
  expect((await ops.get(`${PAGE}?find=%3Cscript%3E`)).text).not.toContain('<script');
});

it('disables and enables accounts and revokes any key, which it says', async () => {
  const [dan, ops] = [await signedIn(dashboard, 'dan@example.org'), await signedIn(dashboard, 'ops@example.org')];
  const key = /odl_[\w-]{43}/.exec((await dan.get('/dashboard/keys')).text)?.[0] ?? '';
  const keyring = new Keyring(dashboard.folder);
  const id = accountIdOf('dan@example.org');
  const owned = async () => (await keyring.find(key))?.owner;
  expect(await owned()).toBe(id);
  const disabled = await ops.post(`${PAGE}/disable`, { id, find: 'dan' }, PAGE);
  expect([disabled.status, disabled.location]).toEqual([303, `${PAGE}?after=disabled&find=dan`]);
  expect(await owned()).toBeUndefined();
  expect((await dan.get('/dashboard/keys')).location).toBe('/');
  const after = await ops.get(disabled.location ?? '');
  expect(after.text).toContain('<p class="notice" role="status">The account is disabled');
  expect(after.text).toMatch(/dan@example\.org<\/th>[\s\S]*?disabled<\/strong>/);
  await ops.post(`${PAGE}/enable`, { id }, PAGE);
  expect(await owned()).toBe(id);
  const stored = (await listKeys(dashboard.folder)).find(({ owner }) => owner === id);
  expect((await ops.post(`${PAGE}/revoke`, { id: stored?.id ?? '' }, PAGE)).location).toBe(`${PAGE}?after=revoked`);
  expect(await owned()).toBeUndefined();
  for (const [what, gone] of [
    ['disable', '0'.repeat(32)],
    ['enable', '../accounts'],
    ['revoke', stored?.id ?? ''],
  ] as const) {
    expect((await ops.post(`${PAGE}/${what}`, { id: gone }, PAGE)).status).toBe(404);
  }
});

it('lets no operator disable themselves, but another one', async () => {
  const [ops, more] = [await signedIn(dashboard, 'ops@example.org'), await signedIn(dashboard, 'more@example.org')];
  expect((await ops.post(`${PAGE}/disable`, { id: accountIdOf('ops@example.org') }, PAGE)).status).toBe(403);
  expect((await ops.post(`${PAGE}/disable`, { id: accountIdOf('more@example.org') }, PAGE)).status).toBe(303);
  expect((await more.get(PAGE)).location).toBe('/');
});

it('shows the newest hundred of many', async () => {
  const many = await startDashboard({ operators: readAddressList('ops@example.org') });
  for (let n = 0; n < 120; n++)
    await openAccount(many.folder, `a${n}@example.org`, { nowMs: Date.UTC(2025, 0, 1, 0, n) });
  const ops = await signedIn(many, 'ops@example.org');
  const { text } = await ops.get(PAGE);
  const [accounts] = rowsOf(text);
  expect([accounts?.length, accounts?.[0], accounts?.at(-1)]).toEqual([100, 'ops@example.org', 'a21@example.org']);
  expect(text).toContain('Accounts: the 100 newest of 121.');
  expect(rowsOf((await ops.get(`${PAGE}?find=a7@`)).text)[0]).toEqual(['a7@example.org']);
  await many.close();
});
