import { describe, expect, it } from 'vitest';
import { readIpRanges } from '../../../src/base/ip-ranges.js';
import { clientNetwork, clientReader } from '../../../src/service/http/hosts.js';
import { serveFolder } from '../../support/serve-folder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { Browser } from '../web/browser.js';

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

describe("a client's address", () => {
  const trusting = clientReader('10.0.0.0/8, fd00::/8,127.0.0.1');

  it.each([
    // The proxy's own connection, and what it says.
    ['10.0.0.1', '9.9.9.7', '9.9.9.7'],
    ['::ffff:10.0.0.1', '9.9.9.7:4711', '9.9.9.7'],
    ['fd00::1', '[2001:DB8::7]:80', '2001:db8::7'],
    // What the client has put before is not believed, not even if it looks like a proxy.
    ['10.0.0.1', '1.1.1.1, 9.9.9.7', '9.9.9.7'],
    ['10.0.0.1', '10.0.0.9, 1.1.1.1, 127.0.0.1, 9.9.9.7', '9.9.9.7'],
    // Several proxies in a row.
    ['10.0.0.1', '1.1.1.1, 9.9.9.7, 10.2.3.4,10.0.0.2', '9.9.9.7'],
    ['127.0.0.1', '9.9.9.7, fd00::99', '9.9.9.7'],
    // A client within the trusted network.
    ['10.0.0.1', '10.0.0.7', '10.0.0.7'],
    // What is no address vouches for nothing.
    ['10.0.0.1', '9.9.9.7, unknown', '10.0.0.1'],
    ['10.0.0.1', '9.9.9.7, _hidden, 10.0.0.2', '10.0.0.2'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    // Whoever is no proxy is not believed.
    ['11.0.0.1', '9.9.9.7', '11.0.0.1'],
    ['::1', '9.9.9.7', '::1'],
    ['127.0.0.2', '9.9.9.7', '127.0.0.2'],
    ['fe80::1%eth0', '9.9.9.7', 'fe80::1'],
    [undefined, '9.9.9.7', undefined],
  ])('that connects from %s and is forwarded for %s is %s', (remote, forwarded, client) => {
    expect(trusting.addressOf(remote, forwarded)).toBe(client);
    // Without trust, it is always that of the connection.
    const own = clientReader(undefined).addressOf(remote, undefined);
    expect(clientReader(undefined).addressOf(remote, forwarded)).toBe(own);
  });

  it.each([
    '',
    'true',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1,128.0.0.0/1',
    '8.0.0.0/7',
    '2000::/3',
    '2001::/15',
    '::/16',
    '::ffff:0:0/96',
    '0:0::ffff:1.2.3.4/103',
    'fc00::/6',
    'fe80::/9',
    'fd00::/129',
    'localhost',
    '10.0.0.1,',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
  ])('%j is no list of proxies', (text) => {
    expect(readIpRanges(text)).toBeUndefined();
  });
});

describe('the limit of sign-in links for a client', () => {
  /** A service that believes this machine's proxies, or none; and a function that asks for a link through one. */
  async function start(trustProxy?: string) {
    const url = await serveFolder(await temporaryFolder(), { trustProxy, showLink: () => {} });
    const browser = new Browser(url);
    return async (n: number, forwarded: string) =>
      (await browser.post('/dashboard/link', { email: `b${n}@a.org` }, '/', { 'X-Forwarded-For': forwarded })).status;
  }
  const limited = [...Array(20).fill(303), ...Array(5).fill(429)];

  it.each([
    ['IPv6 addresses of one network', (n: number) => `2001:db8::${n + 1}:1:2:3`],
    ['an IPv4 address with another port each time', (n: number) => `9.9.9.7:${1000 + n}`],
    ['addresses forged before the true one', (n: number) => `1.1.1.${n}, 127.0.0.1, 2001:db${n}::1, 9.9.9.8`],
    ['what is no address', (n: number) => `_hidden${n}`],
  ])('is not passed by %s', async (_, addressOf) => {
    const statusOf = await start('127.0.0.1');
    const statuses: number[] = [];
    for (let n = 0; n < 25; n++) statuses.push(await statusOf(n, addressOf(n)));
    expect(statuses).toEqual(limited);
  });

  it('counts clients apart for whom a trusted proxy speaks', async () => {
    const statusOf = await start('127.0.0.1');
    for (let n = 0; n < 22; n++) expect(await statusOf(n, `2001:db8::1, 2001:db9:0:${n}::1`)).toBe(303);
  });

  it('is not passed by the header where no proxy is trusted, or another one', async () => {
    for (const trust of [undefined, '10.0.0.0/8']) {
      const statusOf = await start(trust);
      const statuses: number[] = [];
      for (let n = 0; n < 25; n++) statuses.push(await statusOf(n, `9.9.9.${n}`));
      expect(statuses).toEqual(limited);
    }
  });
});
