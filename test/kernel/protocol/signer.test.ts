import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { Signer } from '../../../src/kernel/protocol/message.js';
import fc from '../../support/fast-check.js';

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2000 }),
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
);

test('signs as HMAC with SHA-256 does, whatever the lengths of key and message', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), fc.array(part), (key, parts) => {
      const hmac = createHmac('sha256', key);
      for (const each of parts) hmac.update(each);
      expect(new Signer(key).sign(parts)).toBe(hmac.digest('hex'));
    }),
  );
});

test.each([4095, 4096, 4097, 100_000])('signs a message of %i characters of three bytes each', (length) => {
  const text = '€'.repeat(length);
  expect(new Signer('key').sign([text])).toBe(createHmac('sha256', 'key').update(text).digest('hex'));
});

test('signs nothing without a key', () => {
  expect(new Signer('').sign(['{}'])).toBe('');
});
