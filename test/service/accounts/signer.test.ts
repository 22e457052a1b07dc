import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Signer } from '../../../src/service/accounts/cookie-signer.js';
import { ActionLimit, TokenBuckets } from '../../../src/service/operation/token-buckets.js';
import fc from '../../support/fast-check.js';

const signer = new Signer(randomBytes(32));
const other = new Signer(randomBytes(32));

/** A text with one character changed. */
const changed = (text: string, at: number) => {
  const i = at % text.length;
  return text.slice(0, i) + (text[i] === 'A' ? 'B' : 'A') + text.slice(i + 1);
};

it('reads what it signed, for that purpose, unchanged, and nothing else', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, at) => {
      const signed = signer.signed('session', text);
      expect(signer.verified('session', signed)).toBe(text);
      expect(signer.verified('visitor', signed)).toBeUndefined();
      expect(other.verified('session', signed)).toBeUndefined();
      expect(signer.verified('session', changed(signed, at))).toBeUndefined();
      expect(signer.verified('session', text)).toBeUndefined();
    }),
  );
});

it('unseals what it sealed, for its owner and purpose, unchanged, and nothing else', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const sealed = signer.sealed('new-key', text, 'ann');
      expect(signer.unsealed('new-key', sealed, 'ann')).toBe(text);
      expect(signer.unsealed('new-key', sealed, 'bob')).toBeUndefined();
      expect(signer.unsealed('session', sealed, 'ann')).toBeUndefined();
      expect(other.unsealed('new-key', sealed, 'ann')).toBeUndefined();
      // The last character may hold bits that stand for nothing.
      for (let at = 0; at < sealed.length - 1; at += 7) {
        expect(signer.unsealed('new-key', changed(sealed, at), 'ann')).toBeUndefined();
      }
      expect(signer.unsealed('new-key', sealed.slice(0, 20), 'ann')).toBeUndefined();
    }),
  );
});

it('allows so many at once, then one in so long, each name for itself', async () => {
  let now = 0;
  const allowance = { burst: 3, refillMs: 100 };
  const limit = new ActionLimit(allowance, new TokenBuckets(allowance, () => now));
  const take = async (times: number) => {
    const waits: number[] = [];
    for (let i = 0; i < times; i++) waits.push(await limit.take('ann'));
    return waits;
  };
  expect(await take(5)).toEqual([0, 0, 0, 100, 100]);
  expect(await limit.take('bob')).toBe(0);
  now = 99;
  expect(await take(1)).toEqual([1]);
  now = 100;
  expect(await take(2)).toEqual([0, 100]);
  now = 100_000;
  expect(await take(4)).toEqual([0, 0, 0, 100]);
});

it('remembers a bounded number of names, the newest', async () => {
  const allowance = { burst: 1, refillMs: 1000 };
  const limit = new ActionLimit(allowance, new TokenBuckets(allowance, () => 0));
  for (let i = 0; i <= 50_000; i++) await limit.take(`client ${i}`);
  expect(await limit.take('client 50000')).toBe(1000);
  expect(await limit.take('client 0')).toBe(0);
});
