import { expect, it } from 'vitest';
import { addressOf } from '../../../src/service/http/hosts.js';

const own = () => 'http://127.0.0.1:8787';
const asked = (headers: Record<string, string>, options: { baseUrl?: string; isProxy?: boolean } = {}) =>
  addressOf(new Headers(headers), { baseUrl: options.baseUrl, isProxy: options.isProxy ?? false, own });

it('is the address that was asked', () => {
  expect(asked({ Host: 'odds.lan:9000' })).toBe('http://odds.lan:9000');
  expect(asked({ Host: 'ODDS_1' })).toBe('http://odds_1');
  expect(asked({ Host: '[::1]:80' })).toBe('http://[::1]:80');
  expect(asked({ Host: 'odds.lan' }, { baseUrl: 'https://odds.example/' })).toBe('https://odds.example');
});

it('is what the own proxy says, and nobody else', () => {
  const headers = {
    Host: 'backend:8787',
    'X-Forwarded-Host': 'made-up.example, odds.example',
    'X-Forwarded-Proto': 'http, https',
  };
  expect(asked(headers)).toBe('http://backend:8787');
  expect(asked(headers, { isProxy: true })).toBe('https://odds.example');
  expect(asked({ Host: 'odds.lan' }, { isProxy: true })).toBe('http://odds.lan');
});

it.each([
  '',
  'a b',
  'a$(reboot)',
  "a';x",
  '<b>',
  'a:99999',
  'a:',
  '[::1',
  '[1.2.3.4]',
  '-a',
  'a/b',
  'u@a',
  `${'a'.repeat(300)}`,
])('is the own one where the host is no host: %j', (host) => {
  expect(asked({ Host: host })).toBe(own());
});
