import { expect, it } from 'vitest';
import { hashKey, type StoredKey } from '../../../src/service/accounts/api-keys.js';
import { notesOf } from '../../../src/service/http/request-record.js';
import { type QueryRouteOptions, queryRoute } from '../../../src/service/query/query-route.js';
import type { Settings } from '../../../src/service/settings/settings.js';

const keyOf = (id: string, key: string): StoredKey => ({ id, name: id, created: '', sha256: hashKey(key) });

it('a key is the one of the headers and of the latest keys', () => {
  let keys = [keyOf('a', 'odl_a'), keyOf('b', 'odl_b')];
  const noted: string[] = [];
  const { admit } = queryRoute({
    settings: { open: false } as Settings,
    keys: { now: () => keys, get: async () => keys },
    keyUses: { note: (id: string) => noted.push(id) },
    rateLimits: undefined,
  } as unknown as QueryRouteOptions);
  const headers = { authorization: 'Bearer odl_a', 'content-type': 'application/json' };
  const seen = () => notesOf({ method: 'POST', url: '/query', headers: {} });
  const second = seen();
  admit(headers, seen());
  admit(headers, second);
  expect([noted, second.keyId]).toEqual([['a', 'a'], 'a']);
  headers.authorization = 'Bearer odl_b';
  admit(headers, seen());
  expect(noted).toEqual(['a', 'a', 'b']);
  keys = keys.slice(0, 1);
  expect(() => admit(headers, seen())).toThrow('not valid');
  expect(() => admit(headers, seen())).toThrow('not valid');
  headers.authorization = 'Bearer odl_a';
  admit(headers, seen());
  expect(noted).toEqual(['a', 'a', 'b', 'a']);
});
