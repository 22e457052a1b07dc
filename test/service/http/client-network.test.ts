import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientNetwork } from '../../../src/service/http/hosts.js';
import { serveFolder } from '../../support/serve-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { Browser } from '../web/browser.js';
import { type Dashboard, startDashboard } from '../web/start-dashboard.js';

it.each([
  ['9.9.9.7', '9.9.9.7'],
  ['9.9.9.7:1000', '9.9.9.7'],
  ['::ffff:9.9.9.7', '9.9.9.7'],
  ['::ffff:909:907', '9.9.9.7'],
  ['[::FFFF:9.9.9.7]:80', '9.9.9.7'],
  ['2001:db8::7:1:2:3', '2001:db8:0:0'],
  ['2001:db8:0:0:7:1:2:3', '2001:db8:0:0'],
  ['2001:0DB8::1', '2001:db8:0:0'],
  ['[2001:db8::7:1:2:3]:4711', '2001:db8:0:0'],
  ['[2001:db8::1]', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['64:ff9b::9.9.9.7', '64:ff9b:0:0'],
])('the client %s is counted under %s', (text, network) => {
  expect(clientNetwork(text)).toBe(network);
});

it.each(['', 'unknown', '_hidden', '9.9.9', '9.9.9.7:', '9.9.9.7:x', '2001:db8', '[2001:db8::1', '::1]', '1::2::3'])(
  '%j is no client',
  (text) => {
    expect(clientNetwork(text)).toBeUndefined();
  },
);

describe('the limit of sign-in links for a client', () => {
  let dashboard: Dashboard;
  let address = '';
  beforeAll(async () => {
    dashboard = await startDashboard({ clientOf: () => address });
  });
  afterAll(() => dashboard.close());

  it.each([
    ['IPv6 addresses of one network', (n: number) => `2001:db8::${n + 1}:1:2:3`],
    ['an IPv4 address with another port each time', (n: number) => `9.9.9.7:${1000 + n}`],
    ['what is no address', (n: number) => `_hidden${n}`],
  ])('is not passed by %s', async (_, addressOf) => {
    const browser = new Browser(dashboard.url);
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++) {
      address = addressOf(n);
      statuses.push((await browser.post('/dashboard/link', { email: `a${n}@example.org` })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(303), ...Array(5).fill(429)]);
  });

  it('is by the last address of X-Forwarded-For where the proxy is trusted', async () => {
    const url = await serveFolder(await temporaryFolder(), { trustProxy: true, showLink: () => {} });
    const browser = new Browser(url);
    const statusOf = async (n: number, forwarded: string) =>
      (await browser.post('/dashboard/link', { email: `b${n}@a.org` }, '/', { 'X-Forwarded-For': forwarded })).status;
    for (let n = 0; n < 20; n++) expect(await statusOf(n, `1.1.1.${n}, 2001:db8::${n + 1}:1:2:3`)).toBe(303);
    expect(await statusOf(20, '2001:db8::99:1:2:3')).toBe(429);
    expect(await statusOf(21, '2001:db8::1, 2001:db9::1')).toBe(303);
  });
});
