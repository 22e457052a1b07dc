import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnOrigin } from '../../../src/service/http/hosts.js';
import { serveFolder } from '../../support/serve-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { rawSocket } from '../http/raw-socket.js';
import { Browser, tokenIn } from './browser.js';
import { signedIn } from './signed-in.js';
import { type Dashboard, startDashboard } from './start-dashboard.js';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const HOUR = 3_600_000;

/** Every form that changes something, where it stands, and what it would do. */
const FORMS = [
  ['/dashboard/link', { email: 'ann@example.org' }],
  ['/dashboard/sign-in', { link: 'x' }],
  ['/dashboard/keys', { name: 'new' }],
  ['/dashboard/keys/revoke', { id: 'x' }],
  ['/dashboard/sign-out', {}],
] as const;

describe.each(FORMS)('the form of %s', (path, fields) => {
  it('is refused without its token, with a wrong one, and with that of another visitor', async () => {
    const [browser, other] = [
      await signedIn(dashboard, 'ann@example.org'),
      await signedIn(dashboard, 'bob@example.org'),
    ];
    const foreign = tokenIn((await other.get('/dashboard/keys')).text);
    const own = tokenIn((await browser.get('/dashboard/keys')).text);
    const before = dashboard.links.length;
    for (const form_token of ['', 'x', foreign, `${own}x`, own.slice(1)]) {
      const { status, text } = await browser.post(path, { ...fields, form_token });
      expect([status, text.includes('This form has expired')]).toEqual([403, true]);
    }
    const missing = await browser.send(path, new URLSearchParams(fields), { Origin: dashboard.url });
    expect(missing.status).toBe(403);
    // Nothing was done: still signed in, with the one key, and no link.
    const { text } = await browser.get('/dashboard/keys');
    expect([text.includes('ann@example.org'), text.match(/Revoke for good/g)?.length]).toEqual([true, 1]);
    expect(dashboard.links).toHaveLength(before);
  });

  it('is refused from another site, and from nowhere', async () => {
    const browser = await signedIn(dashboard, 'ann@example.org');
    const form_token = tokenIn((await browser.get('/dashboard/keys')).text);
    const body = () => new URLSearchParams({ ...fields, form_token });
    const origins = [
      'https://evil.example',
      'null',
      dashboard.url.replace('http:', 'https:'),
      `${dashboard.url}.evil.example`,
      'http://127.0.0.1:1',
    ];
    const wrong: Record<string, string>[] = [
      ...origins.map((Origin) => ({ Origin })),
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of wrong) expect((await browser.send(path, body(), headers)).status).toBe(403);
    expect((await browser.get('/dashboard/keys')).text).toContain('ann@example.org');
  });

  it('is refused where it is no form, or too long', async () => {
    const browser = await signedIn(dashboard, 'ann@example.org');
    const headers = { Origin: dashboard.url, 'Content-Type': 'application/json' };
    expect((await browser.send(path, new URLSearchParams(fields), headers)).status).toBe(415);
    const long = new URLSearchParams({ ...fields, more: 'x'.repeat(20_000) });
    expect((await browser.send(path, long, { Origin: dashboard.url })).status).toBe(413);
  });
});

it('refuses a form that comes too slowly, as soon as a query that does', async () => {
  const url = await serveFolder(await temporaryFolder(), { bodySeconds: 0.3 });
  const { socket, closed } = await rawSocket(url);
  const type = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000';
  socket.write(`POST /dashboard/link HTTP/1.1\r\nHost: localhost\r\nOrigin: ${url}\r\n${type}\r\n\r\n`);
  let sent = 0;
  const drip = setInterval(() => {
    sent++;
    socket.write('x');
  }, 20);
  const heard = await closed.finally(() => clearInterval(drip));
  expect(heard).toMatch(/^HTTP\/1.1 408 [\s\S]*This came too slowly/);
  expect(heard).toMatch(/^Connection: close\r$/im);
  // Of the 1,000 bytes that it said would come, in 20 seconds.
  expect(sent).toBeLessThan(250);
});

it('takes a form whose browser says by Sec-Fetch-Site alone that it is its own', async () => {
  const browser = await signedIn(dashboard, 'ann@example.org');
  const form_token = tokenIn((await browser.get('/dashboard/keys')).text);
  const body = new URLSearchParams({ form_token });
  const { location } = await browser.send('/dashboard/sign-out', body, { 'Sec-Fetch-Site': 'same-origin' });
  expect(location).toBe('/?after=out');
});

it.each([
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787', true],
  ['http://localhost:8787', 'http://127.0.0.1:8787', true],
  ['http://[::1]:8787', 'http://127.0.0.1:8787', true],
  ['http://localhost:8788', 'http://127.0.0.1:8787', false],
  ['https://localhost:8787', 'http://127.0.0.1:8787', false],
  ['http://localhost', 'http://127.0.0.1', true],
  ['https://odds.example', 'https://odds.example/', true],
  ['http://odds.example', 'https://odds.example', false],
  ['https://localhost', 'https://odds.example', false],
  ['https://odds.example.evil.example', 'https://odds.example', false],
  ['null', 'https://odds.example', false],
])('a form of %s at a service of %s is its own: %s', (origin, baseUrl, isOwn) => {
  expect(isOwnOrigin(origin, baseUrl)).toBe(isOwn);
});

describe('a session', () => {
  it('is over after a week, or when its cookie was changed', async () => {
    const other = (await signedIn(dashboard, 'dan@example.org')).cookies.get('oddslab-session') ?? '';
    const browser = await signedIn(dashboard, 'carol@example.org');
    const cookie = browser.cookies.get('oddslab-session') ?? '';
    const [id = '', code = ''] = cookie.split('.');
    const tampered = [
      '',
      id,
      `${id}.`,
      `.${code}`,
      `${other.split('.')[0]}.${code}`,
      `${id}.${code.slice(1)}`,
      `${id}x.${code}`,
    ];
    for (const wrong of tampered) {
      browser.cookies.set('oddslab-session', wrong);
      expect((await browser.get('/dashboard/keys')).location).toBe('/');
    }
    browser.cookies.set('oddslab-session', cookie);
    dashboard.clock.now += 7 * 24 * HOUR - 1;
    expect((await browser.get('/dashboard/keys')).status).toBe(200);
    dashboard.clock.now += 1;
    expect((await browser.get('/dashboard/keys')).location).toBe('/');
    const late = await browser.send('/dashboard/sign-out', new URLSearchParams(), { Origin: dashboard.url });
    expect(late.location).toBe('/?after=over');
  });

  it('is over with signing out, in a copy of its cookie too', async () => {
    const browser = await signedIn(dashboard, 'erin@example.org');
    const thief = new Browser(dashboard.url);
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect((await thief.get('/dashboard/keys')).status).toBe(200);
    const { location } = await browser.post('/dashboard/sign-out', {}, '/dashboard/keys');
    expect([location, browser.cookies.has('oddslab-session')]).toEqual(['/?after=out', false]);
    expect((await thief.get('/dashboard/keys')).location).toBe('/');
    expect((await browser.get('/?after=out')).text).toContain('You are signed out.');
  });

  it('is a new one with each sign-in, and ends the one before', async () => {
    const browser = await signedIn(dashboard, 'frank@example.org');
    const first = browser.cookies.get('oddslab-session') ?? '';
    await signedIn(dashboard, 'frank@example.org', browser);
    expect(browser.cookies.get('oddslab-session')).not.toBe(first);
    const copy = new Browser(dashboard.url);
    copy.cookies.set('oddslab-session', first);
    expect((await copy.get('/dashboard/keys')).location).toBe('/');
  });

  it('is needed for everything else', async () => {
    const stranger = new Browser(dashboard.url);
    for (const path of ['/dashboard/keys', '/dashboard/try/pnl', '/dashboard/try/pnl?run=1&wallet=x']) {
      const { status, location } = await stranger.get(path);
      expect([status, location]).toEqual([303, '/']);
    }
    const body = new URLSearchParams({ name: 'x' });
    expect((await stranger.send('/dashboard/keys', body, { Origin: dashboard.url })).location).toBe('/?after=over');
  });
});

it('leads nowhere else, whatever an address asks for', async () => {
  const browser = await signedIn(dashboard, 'gina@example.org');
  const wishes = [
    '?next=https://evil.example',
    '?after=https://evil.example',
    '?after=constructor',
    '?redirect=//evil.example',
  ];
  for (const wish of wishes) {
    for (const path of [
      '/',
      '/dashboard',
      '/dashboard/keys',
      '/dashboard/link',
      '/dashboard/try',
      '//evil.example/..',
    ]) {
      const { location, text } = await browser.get(path.startsWith('//') ? `${dashboard.url}${path}` : path + wish);
      expect(location ?? '/').toMatch(/^\/(dashboard\/[a-z/-]+)?$/);
      expect(text).not.toContain('evil.example');
    }
  }
});

it('says nothing first for a name that every object has', async () => {
  const [visitor, user] = [new Browser(dashboard.url), await signedIn(dashboard, 'ines@example.org')];
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const pages = [await visitor.get(`/?after=${name}`), await user.get(`/dashboard/keys?after=${name}`)];
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).not.toContain('role="status"');
    }
  }
});

it('sends every page without a script, in no frame and no cache', async () => {
  const browser = await signedIn(dashboard, 'hugo@example.org');
  const paths = ['/', '/dashboard/keys', '/dashboard/try/markets', '/dashboard/nowhere', '/dashboard/sign-in?link=x'];
  for (const path of paths) {
    const { headers, text } = await browser.get(path);
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
    expect(text).not.toMatch(/<script|<style| style=| on[a-z]+=|javascript:/i);
  }
});

it('sends its style sheet once', async () => {
  const { headers, text } = await new Browser(dashboard.url).get('/dashboard/style.css');
  expect([headers.get('Content-Type'), text.includes('prefers-color-scheme')]).toEqual([
    'text/css; charset=utf-8',
    true,
  ]);
  const etag = headers.get('ETag') ?? '';
  // Proxies that compress make it weak.
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const init = { headers: { 'If-None-Match': held } };
    expect((await fetch(`${dashboard.url}/dashboard/style.css`, init)).status).toBe(304);
  }
});

it('tells the operator of a failure that is ours, and the visitor no detail of it', async () => {
  const broken = await startDashboard({ query: () => Promise.reject(new Error('the store is on fire')) });
  const browser = await signedIn(broken, 'ann@example.org');
  const { status, text } = await browser.get('/dashboard/try/markets?run=1');
  expect([status, text.includes('Something failed here'), text.includes('fire')]).toEqual([500, true, false]);
  expect(broken.errors).toEqual([new Error('the store is on fire')]);
  await broken.close();
});
