import { describe, expect, it } from 'vitest';
import { readAddressList, readEmailAddress, readSignUp } from '../../../src/service/accounts/email-address.js';
import fc from '../../support/fast-check.js';

it.each<[string, string | undefined]>([
  [' Ann.Lee+odds@Example.ORG ', 'ann.lee+odds@example.org'],
  ["o'brien@mail.example.co.uk", "o'brien@mail.example.co.uk"],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  [`${'l'.repeat(64)}@example.org`, `${'l'.repeat(64)}@example.org`],
  [`${'l'.repeat(65)}@example.org`, undefined],
  [`a@${'d'.repeat(63)}.org`, `a@${'d'.repeat(63)}.org`],
  [`a@${'d'.repeat(64)}.org`, undefined],
  [`a@${'d.'.repeat(130)}org`, undefined],
  ['', undefined],
  ['@', undefined],
  ['ann', undefined],
  ['ann@', undefined],
  ['@example.org', undefined],
  ['ann@example', undefined],
  ['ann@localhost', undefined],
  ['ann@127.0.0.1', undefined],
  ['ann@[127.0.0.1]', undefined],
  ['ann@example.o', undefined],
  ['ann@-example.org', undefined],
  ['ann@example..org', undefined],
  ['.ann@example.org', undefined],
  ['ann.@example.org', undefined],
  ['a..b@example.org', undefined],
  ['ann@example.org,bob@example.org', undefined],
  ['ann@example.org;bob@example.org', undefined],
  ['ann@example.org bob@example.org', undefined],
  ['ann@bob@example.org', undefined],
  ['"ann"@example.org', undefined],
  ['Ann <ann@example.org>', undefined],
  ['ann%example.org@relay.example', undefined],
  ['relay!ann@example.org', undefined],
  ['ann@example.org\r\nBcc: bob@example.org', undefined],
  ['ann\0@example.org', undefined],
  ['änn@example.org', undefined],
  ['ann@exam\u212Ale.org', undefined],
  ['ann@exampl\u0435.org', undefined],
])('reads %j as %j', (text, address) => {
  expect(readEmailAddress(text)).toBe(address);
});

it('gives nothing that could end a header or a list, whatever is typed, and reads its own answer as itself', () => {
  const parts = fc.constantFrom('a', 'B', '@', '.', 'org', '\r', '\n', ',', '<', '>', ' ', '"', ':', 'é', '-', '%0a');
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const address = readEmailAddress(text);
      if (address === undefined) return;
      expect(address).toMatch(/^[!-~]+@[a-z0-9.-]+$/);
      expect(address).not.toMatch(/[,;:<>"()\\%]/);
      expect(readEmailAddress(address)).toBe(address);
    }),
    { numRuns: 300 },
  );
});

describe('a list of addresses and domains', () => {
  const list = readAddressList(' @Example.org,bob@example.com , @xn--bcher-kva.example');

  it.each([
    ['ann@example.org', true],
    ['ann+odds@example.org', true],
    ['bob@example.com', true],
    ['a@xn--bcher-kva.example', true],
    // Neither what is below a domain, nor what begins or ends with it.
    ['a@sub.example.org', false],
    ['a@example.org.evil.com', false],
    ['a@evilexample.org', false],
    ['a@example.orgg', false],
    ['ann@example.com', false],
    ['bob+odds@example.com', false],
    ['b.ob@example.com', false],
    ['bob@example.com.evil.com', false],
  ])('of %s says %s', (address, isListed) => {
    // What is asked is always a sound address.
    expect(readEmailAddress(address)).toBe(address);
    expect(list?.has(address)).toBe(isListed);
  });

  it('knows an address however it was typed, since it is read first', () => {
    for (const typed of ['ANN@EXAMPLE.ORG', ' Bob@Example.COM ']) {
      expect(list?.has(readEmailAddress(typed) ?? '')).toBe(true);
    }
    // The Kelvin sign, and a Cyrillic letter that looks like ours.
    for (const typed of ['ann@example.or\u212a', 'ann@ex\u0430mple.org'])
      expect(readEmailAddress(typed)).toBeUndefined();
  });

  it.each([
    '',
    '@',
    ',',
    'ann',
    '@example',
    '*@example.org',
    '@example.org,',
    'example.org',
    '@a@example.org',
    '@*.org',
  ])('%j is none', (text) => {
    expect([readAddressList(text), readSignUp(text)]).toEqual([undefined, undefined]);
  });
});
