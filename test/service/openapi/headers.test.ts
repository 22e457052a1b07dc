import { expect, it } from 'vitest';
import { HEADERS } from '../../../src/service/openapi/openapi-document.js';
import { ask } from '../../support/serve-folder.js';
import { serveSmall } from './serve-small.js';

/** The headers of the document that an answer carries, sorted; each is as its schema says. */
function documented(headers: Headers): string[] {
  return Object.keys(HEADERS)
    .filter((name) => {
      const value = headers.get(name);
      if (value !== null) expect(value, name).toMatch(new RegExp(HEADERS[name]?.schema.pattern ?? '.'));
      return value !== null;
    })
    .sort();
}

it('answers carry the headers of the document, also where they are 304 and 429', async () => {
  const small = await serveSmall({ open: false, ratePerMinute: 1, rateBurst: 2 });
  try {
    const asked = (headers = {}) =>
      ask(small.url, { agent_id: 574 }, { headers: { Authorization: `Bearer ${small.key}`, ...headers } });
    const always = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'];
    const first = await asked();
    expect([first.status, documented(first.headers)]).toEqual([200, ['ETag', ...always, 'oddslab-data-version']]);
    const again = await asked({ 'If-None-Match': first.headers.get('etag') });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(documented(again.headers)).toEqual(['ETag', ...always, 'oddslab-data-version']);
    const limited = await asked();
    expect([limited.status, documented(limited.headers)]).toEqual([
      429,
      [...always.slice(0, 3), 'Retry-After', 'X-Request-Id'],
    ]);
    const unknown = await ask(small.url, { agent_id: 574 });
    expect([unknown.status, documented(unknown.headers)]).toEqual([401, ['WWW-Authenticate', 'X-Request-Id']]);
  } finally {
    await small.close();
  }
});
