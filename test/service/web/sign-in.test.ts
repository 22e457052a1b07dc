import { renameSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIdOf } from '../../../src/service/accounts/accounts.js';
import { Browser, tokenIn } from './browser.js';
import { type Dashboard, startDashboard } from './start-dashboard.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const MINUTE = 60_000;

/** Asks for a link as a client that no limit has counted yet, and gives the link's path. */
async function linkFor(email: string, browser = new Browser(dashboard.url)): Promise<string> {
  const { location } = await browser.post('/dashboard/link', { email });
  expect(location).toBe('/dashboard/link');
  // Each test is a client of its own: the clock fills the buckets again.
  dashboard.clock.now += 4 * MINUTE;
  return (dashboard.links.at(-1) ?? '').slice(dashboard.url.length);
}

/** Presses the button of a link. */
function press(browser: Browser, link: string) {
  return browser.post('/dashboard/sign-in', { link: new URL(link, dashboard.url).searchParams.get('link') ?? '' });
}

describe('a link', () => {
  it('opens a page with one button, which signs in, once', async () => {
    const browser = new Browser(dashboard.url);
    const link = await linkFor('Ann@Example.org', browser);
    expect(link).toMatch(/^\/dashboard\/sign-in\?link=[\w-]{43}$/);
    // As a mail scanner does, and the person after it.
    for (const visitor of [new Browser(dashboard.url), new Browser(dashboard.url), browser]) {
      const { status, text } = await visitor.get(link);
      expect([status, text.match(/<button/g)?.length, text.includes('ann@example.org')]).toEqual([200, 1, true]);
      expect(visitor.cookies.has('oddslab-session')).toBe(false);
    }
    const { status, location } = await press(browser, link);
    expect([status, location]).toEqual([303, '/dashboard/keys']);
    expect((await browser.get('/dashboard/keys')).text).toContain('ann@example.org');
    const again = await press(new Browser(dashboard.url), link);
    expect([again.status, again.text.includes('used up or too old')]).toEqual([410, true]);
    expect((await new Browser(dashboard.url).get(link)).status).toBe(410);
  });

  it('signs one in of several that press its button at once', async () => {
    const link = await linkFor('race@example.org');
    const pressed = await Promise.all(Array.from({ length: 6 }, () => press(new Browser(dashboard.url), link)));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410, 410]);
  });

  it('signs nobody in whose account is disabled in that moment, nor once it is enabled', async () => {
    // The clock is looked at last after the session is written: whoever disabled the account has missed it.
    let looks = 0;
    let doing = (): void => {};
    const clock = () => {
      looks++;
      doing();
      return 1_772_000_000_000;
    };
    const here = await startDashboard({ now: clock });
    const signIn = async () => {
      const browser = new Browser(here.url);
      await browser.post('/dashboard/link', { email: 'dis@example.org' });
      const link = new URL(here.links.at(-1) ?? '').searchParams.get('link') ?? '';
      await browser.get('/');
      looks = 0;
      return { browser, ...(await browser.post('/dashboard/sign-in', { link })) };
    };
    await signIn();
    expect((await signIn()).location).toBe('/dashboard/keys');
    const last = looks;
    const id = accountIdOf('dis@example.org');
    const path = (disabled: string) => join(here.folder, 'accounts', `${id}${disabled}.json`);
    const sessions = () => readdir(join(here.folder, 'dashboard', 'sessions'));
    const before = await sessions();
    doing = () => {
      if (looks === last) renameSync(path(''), path('.disabled'));
    };
    const { browser, status } = await signIn();
    doing = () => {};
    expect(status).toBe(403);
    expect(here.events.at(-1)).toMatchObject({ event: 'sign-in refused', account: id, reason: 'account disabled' });
    renameSync(path('.disabled'), path(''));
    expect((await browser.get('/dashboard/keys')).location).toBe('/');
    expect(await sessions()).toEqual(before);
    await here.close();
  });

  it('that is asked for by a forged or expired form, or too often for an address, is told to the operator', async () => {
    const here = await startDashboard();
    const browser = new Browser(here.url);
    const reasons = () => here.events.filter(({ event }) => event === 'sign-in refused').map(({ reason }) => reason);
    for (const path of ['/dashboard/link', '/dashboard/sign-in']) {
      const fields = { email: 'ann@example.org', link: 'none' };
      const wrong = await browser.post(path, { ...fields, form_token: 'wrong' });
      const foreign = await browser.post(path, fields, '/', { Origin: 'https://evil.example' });
      expect([wrong.status, foreign.status]).toEqual([403, 403]);
    }
    expect(reasons()).toEqual(['form expired', 'foreign form', 'form expired', 'foreign form']);
    for (let n = 0; n < 6; n++) await browser.post('/dashboard/link', { email: 'ann@example.org' });
    expect(here.links).toHaveLength(5);
    await expect.poll(reasons).toHaveLength(5);
    expect(here.events.at(-1)).toMatchObject({ reason: 'too often', address: expect.stringMatching(/^[\w-]{16}$/) });
    expect(JSON.stringify(here.events)).not.toContain('ann@');
    expect(here.errors).toEqual([]);
    await here.close();
  });

  it('is over after 15 minutes', async () => {
    const [early, late] = [await linkFor('early@example.org'), await linkFor('late@example.org')];
    dashboard.clock.now += 15 * MINUTE - 8 * MINUTE - 1;
    expect((await press(new Browser(dashboard.url), early)).status).toBe(303);
    dashboard.clock.now += 4 * MINUTE + 1;
    expect((await press(new Browser(dashboard.url), late)).status).toBe(410);
  });

  it.each(['', 'x', 'A'.repeat(43), '../../keys/x', '%00'])('that never was, %j, is refused', async (link) => {
    const browser = new Browser(dashboard.url);
    expect((await browser.get(`/dashboard/sign-in?link=${link}`)).status).toBe(410);
    expect((await press(browser, `/dashboard/sign-in?link=${link}`)).status).toBe(410);
  });
});

describe('asking for a link', () => {
  it('is answered alike for an address that is known and one that is not', async () => {
    const known = await linkFor('known@example.org');
    await press(new Browser(dashboard.url), known);
    const shape = async (email: string) => {
      const browser = new Browser(dashboard.url);
      const { status, text, headers, location } = await browser.post('/dashboard/link', { email });
      const names = [...headers].filter(([name]) => name !== 'date');
      const page = await browser.get('/dashboard/link');
      return {
        status,
        text,
        location,
        names,
        page: page.text.replace(tokenIn(page.text), ''),
        links: dashboard.links.length,
      };
    };
    const before = dashboard.links.length;
    const [one, other] = [await shape('known@example.org'), await shape('stranger@example.org')];
    expect(other).toEqual({ ...one, links: before + 2 });
    expect(dashboard.errors).toEqual([]);
    dashboard.clock.now += 60 * MINUTE;
  });

  it('gives an address five at once, then one in twelve minutes, and says nothing of it', async () => {
    const answers = [];
    const before = dashboard.links.length;
    for (let i = 0; i < 7; i++) {
      const { status, location } = await new Browser(dashboard.url).post('/dashboard/link', {
        email: 'often@example.org',
      });
      answers.push([status, location]);
    }
    expect(answers).toEqual(Array.from({ length: 7 }, () => [303, '/dashboard/link']));
    expect(dashboard.links).toHaveLength(before + 5);
    dashboard.clock.now += 12 * MINUTE;
    await linkFor('OFTEN@example.org');
    await new Browser(dashboard.url).post('/dashboard/link', { email: 'often@example.org' });
    expect(dashboard.links).toHaveLength(before + 6);
    dashboard.clock.now += 60 * MINUTE;
  });

  it('is refused to a client that asks for too many', async () => {
    const statuses = [];
    for (let i = 0; i < 22; i++) {
      const { status, headers } = await new Browser(dashboard.url).post('/dashboard/link', {
        email: `p${i}@example.org`,
      });
      statuses.push([status, headers.get('Retry-After')]);
    }
    const allowed = Array.from({ length: 20 }, () => [303, null]);
    expect(statuses).toEqual([...allowed, [429, '180'], [429, '180']]);
    dashboard.clock.now += 60 * MINUTE;
  });

  it('says beside the field what is wrong with an address, and keeps what was typed', async () => {
    const before = dashboard.links.length;
    const typed = `"><script>alert(1)</script>@example.org\r\nBcc: x@example.org`;
    const { status, text } = await new Browser(dashboard.url).post('/dashboard/link', { email: typed });
    expect(status).toBe(422);
    expect(text).not.toContain('<script');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)');
    expect(text).toMatch(/<title>Error: /);
    expect(text).toMatch(/<p class="error" id="email-error">/);
    expect(text).toMatch(/<input[^>]*aria-describedby="email-error" aria-invalid="true"/);
    expect((await new Browser(dashboard.url).post('/dashboard/link', { email: ' ' })).text).toContain(
      'Type your e-mail',
    );
    expect(dashboard.links).toHaveLength(before);
  });
});

it('keeps no link, and no cookie, in the clear', async () => {
  const browser = new Browser(dashboard.url);
  const link = await linkFor('files@example.org', browser);
  await press(browser, link);
  const unused = await linkFor('files@example.org');
  const secrets = [link, unused].map((each) => each.split('link=')[1] ?? '');
  const names = await readdir(dashboard.folder, { recursive: true });
  const files = await Promise.all(names.map((name) => readFile(join(dashboard.folder, name), 'utf8').catch(() => '')));
  const session = browser.cookies.get('oddslab-session')?.split('.')[0] ?? '';
  for (const secret of [...secrets, session]) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect([...names, ...files].join('\n')).not.toContain(secret);
  }
});

it('says that there is no need where queries take no key and nobody could get a link', async () => {
  const open = await startDashboard({ open: true, showLink: undefined });
  const { text, status } = await new Browser(open.url).get('/');
  expect([status, /API key|Sign-in is not set up|<form/.test(text)]).toEqual([200, false]);
  expect(text).toContain('No sign-in needed');
  await open.close();
});

describe('a service beyond loopback', () => {
  it('says that sign-in is not set up where nobody could get a link, and gives none', async () => {
    const links: string[] = [];
    const mail = { url: 'smtp://127.0.0.1:9', from: 'odds@example.org' };
    const showLink = (_: string, link: string) => links.push(link);
    for (const options of [{ baseUrl: () => 'https://odds.example' }, { baseUrl: () => 'http://odds.example', mail }]) {
      const remote = await startDashboard({ ...options, showLink });
      const browser = new Browser(remote.url);
      const { text, status } = await browser.get('/');
      expect([status, text.includes('Sign-in is not set up'), text.includes('<form')]).toEqual([200, true, false]);
      const origin = { Origin: options.baseUrl() };
      const sent = await browser.post('/dashboard/link', { email: 'ann@example.org', form_token: 'x' }, '/', origin);
      expect([403, 503]).toContain(sent.status);
      expect(links).toEqual([]);
      await remote.close();
    }
  });

  it('gives cookies that browsers send by TLS to this host alone', async () => {
    const mail = { url: 'smtp://127.0.0.1:9', from: 'odds@example.org' };
    const remote = await startDashboard({ baseUrl: () => 'https://odds.example', mail });
    const { headers } = await new Browser(remote.url).get('/');
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-oddslab-visitor=[\w.-]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    await remote.close();
  });
});

it('a first visit in two tabs at once signs in from either, at worst with one more press', async () => {
  const browser = new Browser(dashboard.url);
  const [first, second] = await Promise.all([new Browser(dashboard.url).get('/'), browser.get('/')]);
  const email = 'tabs@example.org';
  dashboard.clock.now += 60 * MINUTE;
  const before = dashboard.links.length;
  const refused = await browser.post('/dashboard/link', { email, form_token: tokenIn(first.text) });
  expect([refused.status, refused.text.includes(`value="${email}"`), dashboard.links.length]).toEqual([
    403,
    true,
    before,
  ]);
  expect(refused.text).toContain('This form has expired');
  for (const { text } of [refused, second]) {
    const sent = await browser.post('/dashboard/link', { email, form_token: tokenIn(text) });
    expect([sent.status, sent.location]).toEqual([303, '/dashboard/link']);
  }
});
