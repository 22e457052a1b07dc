import { expect, it } from 'vitest';
import { wireFailure } from '../../../src/client/transport/wire-failure.js';

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
