import { Browser } from './browser.js';
import type { Dashboard } from './start-dashboard.js';

/** A browser that signed in with this address. */
export async function signedIn(dashboard: Dashboard, email: string, browser = new Browser(dashboard.url)) {
  // Far enough from the last sign-in for every rate limit.
  dashboard.clock.now += 15 * 60_000;
  await new Browser(dashboard.url).post('/dashboard/link', { email });
  const link = new URL(dashboard.links.at(-1) ?? '').searchParams.get('link') ?? '';
  const { location } = await browser.post(
    '/dashboard/sign-in',
    { link },
    browser.cookies.has('oddslab-session') ? '/dashboard/keys' : '/',
  );
  if (location !== '/dashboard/keys') throw new Error(`${email} could not sign in`);
  return browser;
}
