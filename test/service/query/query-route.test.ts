import { expect, it } from 'vitest';
import { hashKey, type StoredKey } from '../../../src/service/accounts/api-keys.js';
import { keyOf as findKey } from '../../../src/service/accounts/known-keys.js';
import { notesOf } from '../../../src/service/http/request-record.js';
import { Admission } from '../../../src/service/operation/admission.js';
import { ActionLimit, QueryRateLimits } from '../../../src/service/operation/token-buckets.js';
import { type QueryRouteOptions, queryRoute } from '../../../src/service/query/query-route.js';
import type { Settings } from '../../../src/service/settings/settings.js';

const keyOf = (id: string, key: string): StoredKey => ({ id, name: id, created: '', sha256: hashKey(key) });

it('a key is the one of the headers and of the latest keys', async () => {
  let keys = [keyOf('a', 'odl_a'), keyOf('b', 'odl_b')];
  const noted: string[] = [];
  const { admit } = queryRoute({
    settings: { open: false } as Settings,
    admission: new Admission({
      keys: { find: (presented: string) => findKey(keys, presented) },
      keyUses: { note: (id: string) => void noted.push(id) },
      refusals: new ActionLimit({ burst: 2, refillMs: 1000 }),
    }),
    rateLimits: new QueryRateLimits(undefined, undefined),
  } as unknown as QueryRouteOptions);
  const headers = { authorization: 'Bearer odl_a', 'content-type': 'application/json' };
  const seen = () => notesOf({ method: 'POST', url: '/query', headers: {} }, '9.9.9.7');
  const second = seen();
  admit(headers, seen());
  admit(headers, second);
  expect([noted, second.keyId]).toEqual([['a', 'a'], 'a']);
  headers.authorization = 'Bearer odl_b';
  admit(headers, seen());
  expect(noted).toEqual(['a', 'a', 'b']);
  keys = keys.slice(0, 1);
  await expect(admit(headers, seen())).rejects.toThrow('not valid');
  await expect(admit(headers, seen())).rejects.toThrow('not valid');
  // The network's limit keeps out who has no key, and nobody else.
  await expect(admit(headers, seen())).rejects.toThrow('Too many requests without a valid key');
  headers.authorization = 'Bearer odl_a';
  admit(headers, seen());
  expect(noted).toEqual(['a', 'a', 'b', 'a']);
});
