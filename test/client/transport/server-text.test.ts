import { expect, it } from 'vitest';
import { hideKey, wireFailure } from '../../../src/client/transport/server-text.js';

const fault = (code: string) => Object.assign(new Error('self-signed certificate'), { code });

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])('names what makes Node.js trust a certificate: %s', (code) => {
  for (const proxied of [false, true]) {
    expect(wireFailure(new URL('https://a.test/query'), undefined, fault(code), proxied).message).toBe(
      'The query service could not be reached (POST https://a.test/query): self-signed certificate. ' +
        'If you trust the certificate, start Node.js with NODE_EXTRA_CA_CERTS naming the file of who signed it.',
    );
  }
});

it('names the address where the fault is another', () => {
  const { message } = wireFailure(new URL('http://a.test'), undefined, fault('ECONNREFUSED'), false);
  expect(message).toContain('Check the address (ODDSLAB_URL)');
});

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
