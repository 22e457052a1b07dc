import { expect, it } from 'vitest';
import { signUpOf } from '../../src/service/app.js';

const https = 'https://odds.example';

it.each([
  ['127.0.0.1', undefined, 'open'],
  ['::1', undefined, 'open'],
  ['localhost', 'http://localhost:8787', 'open'],
  // Beyond loopback, by its own address or by that of a proxy before it.
  ['0.0.0.0', undefined, 'closed'],
  ['::', undefined, 'closed'],
  ['10.0.0.7', undefined, 'closed'],
  ['odds.lan', undefined, 'closed'],
  ['127.0.0.1', https, 'closed'],
  ['0.0.0.0', 'http://127.0.0.1:80', 'closed'],
])('on %s with the base URL %s sign-up is by default %s', (host, baseUrl, expected) => {
  expect(signUpOf({ signUp: undefined, host, baseUrl })).toBe(expected);
});

it('is as it is set, wherever the service listens', () => {
  expect(signUpOf({ signUp: 'open', host: '0.0.0.0', baseUrl: https })).toBe('open');
  expect(signUpOf({ signUp: 'closed', host: '127.0.0.1', baseUrl: undefined })).toBe('closed');
  const listed = signUpOf({ signUp: '@example.org', host: '127.0.0.1', baseUrl: undefined });
  if (typeof listed === 'string') throw new Error(`A list was read as ${listed}.`);
  expect([listed.has('ann@example.org'), listed.has('ann@example.com')]).toEqual([true, false]);
});
