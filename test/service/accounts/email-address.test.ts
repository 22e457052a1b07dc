import { expect, it } from 'vitest';
import { readEmailAddress } from '../../../src/service/accounts/accounts.js';
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
