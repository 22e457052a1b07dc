import { expect, it } from 'vitest';
import { hideKey } from '../../../src/client/transport/hide-key.js';

const apiKey = 'sk-SECRET+/=!"key';
const { text, isIn, cause } = hideKey(apiKey);

it.each([
  ['as it is', apiKey],
  ['as encodeURIComponent writes it', encodeURIComponent(apiKey)],
  ['with its slashes, as urllib.parse.quote writes it', 'sk-SECRET%2B/%3D%21%22key'],
  ['in a form, as urllib.parse.urlencode writes it', 'sk-SECRET%2B%2F%3D%21%22key'],
  ['in JSON', JSON.stringify(apiKey).slice(1, -1)],
  ['in base64', Buffer.from(apiKey).toString('base64').replace(/=+$/, '')],
  ['in the base64 of addresses', Buffer.from(apiKey).toString('base64url')],
])('hides the key %s', (_, form) => {
  expect(text(`bad key ${form}, and ${form}`)).toBe('bad key [API key], and [API key]');
  expect(isIn(Buffer.from(`[{"a":"${form}"}]`))).toBe(true);
  expect(cause(new Error(`bad key ${form}`))).toBeUndefined();
});

it('leaves everything else', () => {
  expect(text('sk-SECRET')).toBe('sk-SECRET');
  expect(isIn(Buffer.from('sk-SECRET'))).toBe(false);
});
