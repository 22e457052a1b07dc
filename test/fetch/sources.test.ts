import { expect, it, vi } from 'vitest';
import { RequestPace } from '../../src/fetch/request-pace.js';
import { type SourceOptions, Sources } from '../../src/fetch/sources.js';
import { freePort } from '../support/free-port.js';
import { type Reply, smallSource } from './small-source.js';

/** Asks a source that gives these replies in turn, the last one for ever. */
async function ask(replies: readonly Reply[], options: SourceOptions = {}) {
  const source = await smallSource(() => replies[Math.min(source.asked.length, replies.length) - 1] ?? {});
  const waits: number[] = [];
  const sources = new Sources({
    dataApiUrl: source.url,
    rate: Number.POSITIVE_INFINITY,
    retries: 3,
    backOffMs: 4,
    onWait: (waitMs) => waits.push(waitMs),
    ...options,
  });
  const answer = await sources.get('data', '/trades', { user: '0x1', list: ['a', 'b'] }).then(
    ({ json }) => json,
    (error) => error.message.replaceAll(source.url, 'http://source'),
  );
  await sources.close();
  return { answer, asked: source.asked.length, waits, source };
}

it('reads JSON behind a byte order mark', async () => {
  expect(await ask([{ text: '\ufeff[{"a":1}]' }])).toMatchObject({ answer: [{ a: 1 }], asked: 1 });
});

it('asks again after 429, 5xx, an answer that was cut and JSON without its end', async () => {
  const good = { json: [1] };
  const replies = [{ status: 429 }, { status: 503 }, { json: 'a'.repeat(50_000), cut: true }, good];
  const { answer, asked, waits, source } = await ask(replies);
  expect({ answer, asked }).toEqual({ answer: [1], asked: 4 });
  expect(waits).toHaveLength(3);
  expect(waits.every((waitMs, at) => waitMs >= 0 && waitMs <= 4 * 2 ** at)).toBe(true);
  expect(source.asked[0]?.query.toString()).toBe('user=0x1&list=a&list=b');
  expect((await ask([{ text: '[1, 2' }, good])).answer).toEqual([1]);
});

it.each([
  ['seconds', () => '1'],
  ['a date', () => new Date(Date.now() + 2000).toUTCString()],
])('waits as long as Retry-After asks, in %s', async (_, after) => {
  const started = performance.now();
  const { answer, waits } = await ask([{ status: 429, headers: { 'retry-after': after() } }, { json: [] }]);
  expect(answer).toEqual([]);
  expect(waits[0]).toBeGreaterThan(0);
  expect(performance.now() - started).toBeGreaterThanOrEqual((waits[0] ?? 0) - 5);
});

const AGAIN = 'Run the same command again later: it continues where it stopped.';
const ADDRESS = 'check the address (--data-api-url or ODDSLAB_DATA_API_URL)';

it.each<[string, Reply, number, string]>([
  [
    'a refusal',
    { status: 404, json: { error: 'no such user' } },
    1,
    `answered 404: no such user. If this goes on, ${ADDRESS}: the source may have changed.`,
  ],
  [
    'a failure that stays',
    { status: 502, text: '<html><h1>Bad Gateway</h1></html>' },
    4,
    `answered 502: Bad Gateway. Tried 4 times. ${AGAIN}`,
  ],
  [
    'a page of HTML',
    { text: '<!doctype html><title>Log in</title>' },
    3,
    `answered 200 with a page of HTML, not JSON: Log in. Tried 3 times. Something else than the source answers, such as a proxy or a login page: ${ADDRESS}.`,
  ],
  [
    'text that is no JSON',
    { text: 'ok' },
    4,
    `answered 200, but no whole JSON: ok. Tried 4 times. Something else than the source answers, such as a proxy or a login page: ${ADDRESS}.`,
  ],
  [
    'too long a wait',
    { status: 429, headers: { 'retry-after': '3600' }, text: '' },
    1,
    `answered 429. It asks to wait 3600 s. ${AGAIN}`,
  ],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://example.org/' }, text: '' },
    1,
    `answered 302. If this goes on, ${ADDRESS}: the source may have changed.`,
  ],
])('says what the source answered: %s', async (_, reply, times, message) => {
  expect(await ask([reply])).toMatchObject({
    asked: times,
    answer: `The Data API (GET http://source/trades) ${message}`,
  });
});

it('says that a source cannot be reached', async () => {
  const dataApiUrl = `http://127.0.0.1:${await freePort()}`;
  const { answer, asked } = await ask([{}], { dataApiUrl, retries: 1 });
  expect(answer).toMatch(/gave no whole answer: connect ECONNREFUSED .* Tried 2 times\. Is this machine online\?/);
  expect(asked).toBe(0);
});

it('says soon that this machine finds no way to a source, if none has answered yet', async () => {
  // No address of this domain exists anywhere.
  const { answer, waits } = await ask([], { dataApiUrl: 'http://source.invalid' });
  expect(answer).toContain('Tried 2 times. Is this machine online?');
  expect(waits).toHaveLength(1);
});

it('gives up a try that takes too long', async () => {
  const source = await smallSource(() => new Promise(() => {}));
  const sources = new Sources({ gammaUrl: source.url, attemptTimeoutMs: 30, retries: 1, backOffMs: 1 });
  await expect(sources.get('gamma', '/markets')).rejects.toThrow(/no whole answer within 30 ms\. Tried 2 times/);
});

it('ends at once when it is aborted, with the reason', async () => {
  const controller = new AbortController();
  const source = await smallSource(() => new Promise(() => {}));
  const sources = new Sources({ gammaUrl: source.url, signal: controller.signal });
  const asking = sources.get('gamma', '/markets');
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(asking).rejects.toThrow('enough');
});

it.each(['nowhere', 'ftp://example.org', 'https://jane:secret@example.org', 'https://example.org?key=secret'])(
  'refuses the address %s without showing what is secret in it',
  (gammaUrl) => {
    expect(() => new Sources({ gammaUrl })).toThrow(
      /^--gamma-url or ODDSLAB_GAMMA_URL must be an http or https address/,
    );
    expect(() => new Sources({ gammaUrl })).not.toThrow(/secret/);
  },
);

it('keeps four requests in flight and half of the documented rate within any ten seconds', async () => {
  vi.useFakeTimers();
  try {
    const pace = new RequestPace(0.5);
    const moments: number[] = [];
    let [underWay, most] = [0, 0];
    const request = async () => {
      const leave = await pace.enter('data', '/v2/trades', undefined);
      moments.push(performance.now());
      most = Math.max(most, ++underWay);
      await new Promise((done) => setTimeout(done, 10));
      underWay--;
      leave();
    };
    const all = Promise.all(Array.from({ length: 350 }, request));
    await vi.advanceTimersByTimeAsync(60_000);
    await all;
    expect(most).toBe(4);
    const within = moments.map((from) => moments.filter((moment) => moment >= from && moment < from + 10_000).length);
    expect(Math.max(...within)).toBe(100);
    expect(moments.at(-1)).toBeLessThan((moments[0] ?? 0) + 31_000);
  } finally {
    vi.useRealTimers();
  }
});
