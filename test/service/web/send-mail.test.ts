import { afterEach, describe, expect, it } from 'vitest';
import { sendMail, smtpServer } from '../../../src/service/web/send-mail.js';
import { Browser } from './browser.js';
import { type MailServer, startMailServer } from './mail-server.js';
import { signedIn } from './signed-in.js';
import { startDashboard } from './start-dashboard.js';

let server: MailServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const FROM = 'odds@example.org';

it('mails the link to the one address, in lower case, as plain text', async () => {
  server = await startMailServer();
  const { mails, port } = server;
  const dashboard = await startDashboard({ mail: { url: `smtp://127.0.0.1:${port}`, from: FROM } });
  const browser = new Browser(dashboard.url);
  expect((await browser.get('/')).text).toContain('We mail you a link');
  await browser.post('/dashboard/link', { email: 'Ann+odds@Example.org' });
  expect((await browser.get('/dashboard/link')).text).toContain('Look into your mail');
  await expect.poll(() => mails).toHaveLength(1);
  const [{ from, to, raw } = { from: '', to: [], raw: '' }] = mails;
  expect([from, to]).toEqual([FROM, ['ann+odds@example.org']]);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toMatch(/^Content-Type: text\/plain/m);
  const link = /http:\S+\/dashboard\/sign-in\?link=[\w-]{43}/.exec(raw)?.[0] ?? '';
  expect(link.startsWith(`${dashboard.url}/`)).toBe(true);
  expect((await browser.get(link)).text).toContain('ann+odds@example.org');
  // With a mail server nothing is shown to the operator.
  expect(dashboard.links).toEqual([]);
  await dashboard.close();
});

it('takes no header from what was typed', async () => {
  server = await startMailServer();
  const { mails, port } = server;
  const dashboard = await startDashboard({ mail: { url: `smtp://127.0.0.1:${port}`, from: FROM } });
  const evil = [
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org, b@example.org',
    'a@example.org%0d%0aBcc:b@example.org',
    '<a@example.org> b@example.org',
  ];
  for (const email of evil) {
    expect((await new Browser(dashboard.url).post('/dashboard/link', { email })).status).toBe(422);
  }
  await new Browser(dashboard.url).post('/dashboard/link', { email: 'last@example.org' });
  await expect.poll(() => mails.map(({ to }) => to)).toEqual([['last@example.org']]);
  await dashboard.close();
});

it('answers alike where the server refuses, and tells the operator without the address or the link', async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`no such user ${address}`), { responseCode: 550 })),
  });
  const { port } = server;
  const dashboard = await startDashboard({ mail: { url: `smtp://127.0.0.1:${port}`, from: FROM } });
  const { status, location } = await new Browser(dashboard.url).post('/dashboard/link', {
    email: 'nobody@example.org',
  });
  expect([status, location]).toEqual([303, '/dashboard/link']);
  await expect.poll(() => dashboard.errors).toHaveLength(1);
  const [error] = dashboard.errors as [Error];
  expect(error.message).toBe(`A sign-in mail could not be sent by 127.0.0.1:${port}: EENVELOPE RCPT TO 550.`);
  expect(`${error.stack} ${error.cause}`).not.toMatch(/nobody|link=/);
  await dashboard.close();
});

it('signs in to the server by the user and password of its address', async () => {
  const signIns: unknown[] = [];
  server = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      signIns.push([username, password]);
      done(null, { user: username });
    },
  });
  const url = `smtp://odds%40example.org:p%2Fw%20d@127.0.0.1:${server.port}`;
  await sendMail({ url, from: FROM }, { to: 'ann@example.org', subject: 'A subject', text: 'A text' });
  expect(signIns).toEqual([['odds@example.org', 'p/w d']]);
  expect(server.mails[0]?.raw).toMatch(/^Subject: A subject\r$/m);
});

it('says that a server cannot be reached, without its password', async () => {
  const settings = { url: 'smtp://ann:hush@127.0.0.1:9', from: FROM };
  const sent = sendMail(settings, { to: 'ann@example.org', subject: '', text: '' });
  await expect(sent).rejects.toThrow('A sign-in mail could not be sent by 127.0.0.1:9: ESOCKET CONN.');
});

describe('mail settings', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: true }],
    ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, requireTLS: false }],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, requireTLS: false }],
    ['smtp://a:b@localhost:25', { host: 'localhost', port: 25, requireTLS: false, auth: { user: 'a', pass: 'b' } }],
  ])('%s is read', (url, expected) => {
    expect(smtpServer({ url, from: FROM })).toMatchObject(expected);
  });

  it.each([
    ['mail.example', FROM, 'must be given as smtp://'],
    ['http://ann:hush@mail.example', FROM, 'got http://…'],
    ['smtp://', FROM, 'must be given as smtp://'],
    ['smtp://mail.example', 'Odds <odds@example.org>', 'must be one address'],
    ['smtp://mail.example', 'odds@example.org\r\nBcc: x@y.zz', 'must be one address'],
  ])('%s from %s is refused', (url, from, message) => {
    expect(() => smtpServer({ url, from })).toThrow(message);
    expect(() => smtpServer({ url, from })).not.toThrow('hush');
  });
});

it('signs in on loopback by the terminal where no mail is set', async () => {
  const dashboard = await startDashboard();
  const { text } = await new Browser(dashboard.url).get('/');
  expect(text).toContain('appears in the terminal');
  expect((await (await signedIn(dashboard, 'ann@example.org')).get('/dashboard/keys')).status).toBe(200);
  await dashboard.close();
});
