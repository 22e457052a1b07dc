import { onTestFinished } from 'vitest';
import { Browser } from '../web/browser.js';
import { type MailServer, startMailServer } from '../web/mail-server.js';
import { type StartedWorkers, startWorkers, type Way } from '../workers/start-workers.js';

/** A service of two workers that mails its links, and what its visitors do. */
export interface MailedService extends StartedWorkers {
  mail: MailServer;
  /** Asks for a link as a client of its own. @returns Status and target of the answer. */
  ask(email: string): Promise<(string | number | null)[]>;
  /** The secret of the link that the next mail to an address brings. */
  link(email: string): Promise<string>;
  /** Presses the button of a link. */
  press(browser: Browser, link: string): ReturnType<Browser['post']>;
  /** A browser that signed in. */
  signIn(email: string): Promise<Browser>;
}

let clients = 0;

/** Starts one on loopback, behind a proxy on this machine that it trusts, until the current test ends. */
export async function startMailed(words: readonly string[], baseUrl?: string): Promise<MailedService> {
  const mail = await startMailServer();
  onTestFinished(() => mail.close());
  const address = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const trusting = ['--trust-proxy', '127.0.0.1', '--mail-from', 'odds@example.org'];
  const service = await startWorkers([...trusting, ...address, ...words], {
    ODDSLAB_SERVE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  });
  const from = { Origin: baseUrl ?? service.url };
  const ask = async (email: string) => {
    clients++;
    const client = { 'X-Forwarded-For': `198.51.${clients >> 8}.${clients & 255}`, ...from };
    const { status, location } = await new Browser(service.url).post('/dashboard/link', { email }, '/', client);
    return [status, location];
  };
  const link = async (email: string) => {
    const arrived = () => mail.mails.filter(({ to }) => to.includes(email)).length;
    const before = arrived();
    await ask(email);
    for (let tries = 0; arrived() === before; tries++) {
      if (tries > 1000) throw new Error(`No mail to ${email} has arrived.`);
      await new Promise((done) => setTimeout(done, 10));
    }
    const { raw = '' } = mail.mails.filter(({ to }) => to.includes(email)).at(-1) ?? {};
    return /link=([\w-]{43})/.exec(raw)?.[1] ?? '';
  };
  const press = (browser: Browser, secret: string) => {
    clients++;
    const client = { 'X-Forwarded-For': `198.51.${clients >> 8}.${clients & 255}`, ...from };
    return browser.post('/dashboard/sign-in', { link: secret }, '/', client);
  };
  const signIn = async (email: string) => {
    const browser = new Browser(service.url);
    const { location } = await press(browser, await link(email));
    if (location !== '/dashboard/keys') throw new Error(`${email} could not sign in.`);
    return browser;
  };
  return { ...service, mail, ask, link, press, signIn };
}

/** The status of a query by one worker. */
export async function statusBy(way: Way, key?: string, headers: Record<string, string> = {}): Promise<number> {
  const { status } = await way.send('/query', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: '{"agent_id":574}',
  });
  return status;
}
