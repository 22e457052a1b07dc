import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../src/base/errors.js';
import { Sources } from '../../src/fetch/sources.js';
import { fetchWallet } from '../../src/fetch/wallet.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Asked, type Reply, smallSource } from './small-source.js';
import { answersOf, conditionOf, type Known, market, trade, WALLET } from './small-wallet.js';

const NAME = `wallet-${WALLET}`;

async function lines(folder: string, file: string): Promise<string[]> {
  const text = await readFile(join(folder, NAME, file), 'utf8');
  return text === '' ? [] : text.trimEnd().split('\n');
}

async function rows(folder: string, file = 'activity.ndjson'): Promise<Record<string, unknown>[]> {
  return (await lines(folder, file)).map((line) => JSON.parse(line));
}

/** A source with what it knows, and a fetch of the wallet from it. */
async function wallet(known: Known, change?: (reply: Reply, asked: Asked) => Reply) {
  const answer = answersOf(known);
  const source = await smallSource((asked) => change?.(answer(asked), asked) ?? answer(asked));
  const out = await temporaryFolder();
  const { url } = source;
  const options = {
    gammaUrl: url,
    dataApiUrl: url,
    clobUrl: url,
    rate: Number.POSITIVE_INFINITY,
    retries: 2,
    backOffMs: 1,
  };
  const fetch = async () => {
    const sources = new Sources(options);
    try {
      return await fetchWallet(WALLET, { sources, out });
    } finally {
      await sources.close();
    }
  };
  return { source, out, fetch, known };
}

const seconds = (n: number, step = 10) => Array.from({ length: n }, (_, at) => trade(at * step));

it('fetches the activity page by page, without names and pictures, and the markets that it names', async () => {
  const known = {
    activity: [...seconds(25), trade(900, { type: 'DEPOSIT', condition_id: '' })],
    markets: [market(1)],
    pageSize: 7,
  };
  const { source, out, fetch } = await wallet(known);
  const { manifest, fresh } = await fetch();
  const kept = seconds(25).map(({ name, pseudonym, bio, profile_image, profile_image_optimized, ...row }) => row);
  expect(await rows(out)).toEqual(kept);
  expect(await rows(out, 'markets.ndjson')).toEqual([market(1)]);
  expect({ ...manifest, started: 0, ended: 0, until: 0 }).toEqual({
    drift: [{ source: '/markets/keyset', field: 'active', change: 'missing', type: 'boolean', records: 1 }],
    oddslab_fetch: 1,
    kind: 'wallet',
    target: WALLET,
    started: 0,
    ended: 0,
    complete: true,
    until: 0,
    missing: [],
    rows: { activity: 25, markets: 1 },
  });
  expect(fresh).toBe(25);
  expect(JSON.parse(await readFile(join(out, NAME, 'fetch.json'), 'utf8'))).toEqual(manifest);
  const activity = source.asked.filter(({ path }) => path === '/v2/activity');
  // The last request looks whether there is a later record.
  expect(activity.map(({ query }) => query.get('cursor'))).toEqual([null, 'c7', 'c14', 'c21', null]);
  expect(Object.fromEntries(activity[0]?.query ?? [])).toEqual({
    user: WALLET,
    start: '1',
    sort_direction: 'ASC',
    limit: '1000',
    exclude_deposits_withdrawals: 'true',
  });
  expect(activity[0]?.headers['user-agent']).toMatch(/^oddslab\/\d/);
  expect((await readdir(join(out, NAME))).sort()).toEqual([
    'activity.cursor.json',
    'activity.ndjson',
    'fetch.json',
    'markets.cursor.json',
    'markets.ndjson',
  ]);
});

it('keeps every digit of a number', async () => {
  const digits =
    '{"proxy_wallet":"","timestamp":1777000000,"size":0.12345678901234567891,"big":123456789012345678901234567890}';
  const { out, fetch } = await wallet({ activity: [], markets: [] }, (reply, { path }) =>
    path === '/v2/activity' ? { text: `{"data":[${digits}],\n"pagination":{"next_cursor":null}}` } : reply,
  );
  await fetch();
  expect(await lines(out, 'activity.ndjson')).toEqual([digits]);
});

it('asks on the next run only for what is new, and again for markets that were open', async () => {
  const { source, out, fetch, known } = await wallet({
    activity: [...seconds(3), ...seconds(2), ...[]].sort((one, other) => one.timestamp - other.timestamp),
    markets: [market(1), market(2, { closed: false, outcomePrices: '["0.5", "0.5"]' })],
  });
  known.activity.push(trade(2000, { condition_id: conditionOf(2) }), trade(2000, { condition_id: conditionOf(2) }));
  await fetch();
  source.asked.length = 0;
  expect((await fetch()).fresh).toBe(0);
  const start = source.asked.find(({ path }) => path === '/v2/activity')?.query.get('start');
  expect(Number(start)).toBe(1_777_002_000 - 600);
  const conditions = source.asked
    .filter(({ path }) => path === '/markets/keyset')
    .map(({ query }) => query.getAll('condition_ids'));
  expect(conditions).toEqual([[conditionOf(2)], [conditionOf(2)]]);
  known.activity.push(trade(2000, { condition_id: conditionOf(2) }), trade(2001));
  known.markets[1] = market(2);
  expect(await fetch()).toMatchObject({ fresh: 2, changed: 0 });
  expect((await rows(out)).map(({ timestamp }) => Number(timestamp) - 1_777_000_000)).toEqual([
    0, 0, 10, 10, 20, 2000, 2000, 2000, 2001,
  ]);
  expect((await rows(out, 'markets.ndjson')).map(({ id, closed }) => [id, closed])).toEqual([
    ['901', true],
    ['902', false],
    ['902', true],
  ]);
});

it('fetches the last minutes anew if they changed, and says so', async () => {
  const { out, fetch, known } = await wallet({ activity: [...seconds(3, 1000), trade(2001)], markets: [market(1)] });
  await fetch();
  known.activity[3] = trade(2001, { size: 70 });
  expect(await fetch()).toMatchObject({ changed: 1, manifest: { complete: true } });
  expect((await rows(out)).map(({ size }) => size)).toEqual([100, 100, 100, 70]);
});

it.each(['refuses', 'repeats', 'begins again', 'empty'] as const)(
  'falls back to v1 and passes its offset cap, beyond which it %s',
  async (beyond) => {
    const activity = Array.from({ length: 2600 }, (_, at) => trade(Math.floor(at / 7), { size: at % 3 }));
    const { out, fetch, source } = await wallet(
      { activity, markets: [market(1)], cap: 1000, beyond },
      (reply, { path }) => (path.startsWith('/v2/') ? { status: 404, text: 'Not Found' } : reply),
    );
    expect((await fetch()).manifest).toMatchObject({ complete: true, rows: { activity: 2600 } });
    const kept = await rows(out);
    expect(kept.map(({ timestamp, size }) => [timestamp, size])).toEqual(
      activity.map(({ timestamp, size }) => [timestamp, size]),
    );
    expect(kept[0]).not.toHaveProperty('profileImage');
    source.asked.length = 0;
    activity.push(trade(400));
    expect((await fetch()).fresh).toBe(1);
    expect(source.asked.length).toBeLessThan(25);
  },
);

it('says what is missing where one second of v1 holds more than its cap', async () => {
  const activity = [...Array.from({ length: 1800 }, (_, at) => trade(5, { size: at })), trade(6)];
  const { fetch } = await wallet({ activity, markets: [market(1)], cap: 1000 }, (reply, { path }) =>
    path.startsWith('/v2/') ? { status: 400, json: { error: 'unknown route' } } : reply,
  );
  const { manifest } = await fetch();
  const at = new Date(1_777_000_005_000).toISOString();
  const why = 'the source gives only 1500 records of this second';
  expect(manifest).toMatchObject({ complete: false, missing: [{ what: 'activity', from: at, until: at, why }] });
  expect(manifest.rows.activity).toBe(1501);
});

it.each([400, 403, 410, 422])('goes on by time where the source refuses a cursor with %i', async (status) => {
  let refused = false;
  const activity = [...seconds(10), ...seconds(10)].sort((one, other) => one.timestamp - other.timestamp);
  const { out, fetch } = await wallet({ activity, markets: [market(1)], pageSize: 4 }, (reply, { query }) => {
    if (query.get('cursor') !== 'c12' || refused) return reply;
    refused = true;
    return { status, json: { error: 'invalid cursor' } };
  });
  expect((await fetch()).manifest.complete).toBe(true);
  expect((await rows(out)).map(({ timestamp }) => timestamp)).toEqual(activity.map(({ timestamp }) => timestamp));
});

it('keeps what came before a page that repeats for ever, and fetches the rest once the source is well', async () => {
  let ill = true;
  const { out, fetch } = await wallet(
    { activity: seconds(20), markets: [market(1)], pageSize: 5 },
    (reply, { path, query }) =>
      ill && path === '/v2/activity' && (query.get('cursor') === 'c10' || query.get('start') !== '1')
        ? { json: { data: seconds(10).slice(5), pagination: { next_cursor: 'c10' } } }
        : reply,
  );
  const { manifest } = await fetch();
  expect(manifest.rows.activity).toBe(10);
  expect(manifest.missing.map(({ what, from }) => [what, from])).toEqual([
    ['activity', new Date(1_777_000_090_000).toISOString()],
  ]);
  expect(manifest.missing[0]?.why).toMatch(/gave records that go back in time: it ignores a parameter/);
  ill = false;
  expect((await fetch()).manifest).toMatchObject({ complete: true, rows: { activity: 20 } });
  expect(await rows(out)).toHaveLength(20);
});

it.each([
  ['user', { data: [trade(1, { proxy_wallet: `0x${'2'.repeat(40)}` })], pagination: {} }, "another wallet's records"],
  ['sort_direction', { data: [trade(2), trade(1)], pagination: {} }, 'records that go back in time'],
])('notices that a source ignores %s', async (_, json, what) => {
  const { out, fetch } = await wallet({ activity: [], markets: [] }, (reply, { path }) =>
    path === '/v2/activity' ? { json } : path === '/activity' ? { json: json.data } : reply,
  );
  await expect(fetch()).rejects.toThrow(what);
  expect(existsSync(join(out, NAME))).toBe(false);
});

it('fetches siblings of conversions, what Gamma lacks from the CLOB, and resolutions of what nobody settled', async () => {
  const token = (n: number, more = {}) => ({
    token_id: `${n}`,
    condition_id: conditionOf(n),
    outcome_index: 0,
    ...more,
  });
  const { out, fetch } = await wallet({
    activity: [
      trade(0),
      trade(1, { condition_id: conditionOf(2), type: 'MIGRATION', token_id: '' }),
      trade(2, { condition_id: conditionOf(99), type: 'CONVERSION', token_id: '' }),
      trade(3, { condition_id: conditionOf(5) }),
      trade(4, { condition_id: conditionOf(6) }),
    ],
    markets: [market(1, { outcomePrices: '["0.6", "0.4"]' }), market(2), market(3), market(4)],
    clob: [{ condition_id: conditionOf(5), closed: true, tokens: [{ token_id: '5', winner: true }] }],
    tokens: [
      token(2),
      token(7, { group: conditionOf(2) }),
      token(3, { group: conditionOf(99) }),
      token(4, { group: conditionOf(99) }),
    ],
    resolutions: [{ condition_id: conditionOf(1), status: 'resolved', payouts: [1000000, 0] }],
  });
  const { manifest } = await fetch();
  expect(manifest.rows).toEqual({ activity: 5, markets: 4, 'clob-markets': 1, tokens: 4, resolutions: 1 });
  expect((await rows(out, 'markets.ndjson')).map(({ id }) => id)).toEqual(['901', '902', '903', '904']);
  expect(manifest.missing).toEqual([
    {
      what: 'markets',
      from: new Date(1_777_000_004_000).toISOString(),
      until: new Date(1_777_000_004_000).toISOString(),
      why: `no source has a record of 2 markets: ${conditionOf(6)}, ${conditionOf(7)}`,
    },
  ]);
});

it('halves what it asks Gamma for where the address is too long', async () => {
  const activity = Array.from({ length: 200 }, (_, at) => trade(at, { condition_id: conditionOf(at) }));
  const markets = activity.map((_, at) => market(at));
  const { out, fetch, source } = await wallet({ activity, markets }, (reply, { path, query }) =>
    path === '/markets/keyset' && query.getAll('condition_ids').length > 30
      ? { status: 414, text: 'URI Too Long' }
      : reply,
  );
  expect((await fetch()).manifest.complete).toBe(true);
  expect((await rows(out, 'markets.ndjson')).map(({ conditionId }) => conditionId)).toEqual(
    activity.map(({ condition_id }) => condition_id),
  );
  const lengths = source.asked.map(({ query }) => query.toString().length);
  expect(Math.max(...lengths)).toBeLessThan(8000);
});

it('takes markets from the CLOB where Gamma fails, and says so', async () => {
  const clob = [{ condition_id: conditionOf(1), closed: true, tokens: [{ token_id: '5', winner: true }] }];
  const { fetch } = await wallet({ activity: seconds(2), markets: [], clob }, (reply, { path }) =>
    path === '/markets/keyset' ? { status: 500, text: 'oops' } : reply,
  );
  const { manifest } = await fetch();
  expect(manifest).toMatchObject({ complete: false, rows: { activity: 2, markets: 0, 'clob-markets': 1 } });
  expect(manifest.missing.map(({ what, why }) => [what, why.replace(/http.*\/markets/, '…/markets')])).toEqual([
    [
      'markets',
      'Gamma (GET …/markets/keyset) answered 500: oops. Tried 3 times. Run the same command again later: it continues where it stopped.',
    ],
  ]);
});

it('notices that Gamma ignores which markets were asked for', async () => {
  const { fetch, source } = await wallet({ activity: seconds(2), markets: [] }, (reply, { path }) =>
    path === '/markets/keyset' ? { json: { markets: [market(8), market(9)], next_cursor: 'next' } } : reply,
  );
  expect((await fetch()).manifest.missing[0]?.why).toMatch(/gave markets that were not asked for/);
  expect(source.asked.filter(({ path }) => path === '/markets/keyset').length).toBeLessThanOrEqual(4);
});

it('keeps the legs of combined trades beside the activity', async () => {
  const combo = { id: '0x9-12', timestamp: 1, legs: [{ token_id: '3' }], name: 'Jane' };
  const { fetch, out } = await wallet(
    { activity: [trade(1, { is_combo: true })], markets: [market(1)] },
    (reply, { path }) => (path === '/v2/activity/combos' ? { json: { data: [combo], pagination: {} } } : reply),
  );
  for (const _ of [1, 2]) expect((await fetch()).manifest.rows).toEqual({ activity: 1, combos: 1, markets: 1 });
  const { name, ...kept } = combo;
  expect(await rows(out, 'combos.json')).toEqual([kept]);
});

it('explains an address that has no activity, and leaves nothing behind', async () => {
  const { out, fetch } = await wallet({ activity: [], markets: [] });
  await expect(fetch()).rejects.toThrow(/no trade, no position.*log in with.*proxy wallet.*polymarket\.com\/profile/);
  expect(await readdir(out)).toEqual([]);
});

it('says that activity is withheld where the source knows trades', async () => {
  const { fetch } = await wallet({ activity: [], markets: [] }, (reply, { path }) =>
    path === '/traded' ? { json: { user: WALLET, traded: 12 } } : reply,
  );
  await expect(fetch()).rejects.toThrow(/gives no activity of 0x1+, though it knows trades of it in 12 markets/);
});

it('refuses the folder of another fetch and leaves it as it is', async () => {
  const { out, fetch } = await wallet({ activity: seconds(2), markets: [market(1)] });
  await fetch();
  const file = join(out, NAME, 'fetch.json');
  const other = (await readFile(file, 'utf8')).replaceAll(WALLET, `0x${'3'.repeat(40)}`);
  await writeFile(file, other);
  await expect(fetch()).rejects.toThrow(/holds another fetch: wallet 0x3+, not wallet 0x1+.*--out/);
  expect(await readFile(file, 'utf8')).toBe(other);
});

const NO_V2 = (reply: Reply, { path }: Asked): Reply => (path === '/v2/activity' ? { status: 404 } : reply);

it('names both versions of the Data API where v2 refuses and v1 fails', async () => {
  const { fetch } = await wallet({ activity: seconds(3), markets: [market(1)] }, (reply, asked) =>
    asked.path === '/activity' ? { status: 500, text: 'down' } : NO_V2(reply, asked),
  );
  await expect(fetch()).rejects.toThrow(
    /\/v2\/activity\) answered 404.*Version 1 failed, too: .*\/activity\) answered 500: down/,
  );
});

describe.each([
  ['v2', undefined],
  ['v1', NO_V2],
] as const)('over %s', (_, change) => {
  it.each([
    ['nothing', 0],
    ['less than before', 23],
  ])('keeps all where a later run is given %s, and says so', async (_, given) => {
    const { out, fetch, known } = await wallet({ activity: seconds(25), markets: [market(1)] }, change);
    await fetch();
    const kept = await lines(out, 'activity.ndjson');
    known.activity = seconds(given);
    const { manifest, fresh, changed } = await fetch();
    expect({ fresh, changed }).toEqual({ fresh: 0, changed: 0 });
    expect(manifest).toMatchObject({ complete: false, rows: { activity: 25 }, missing: [{ what: 'activity' }] });
    expect(await lines(out, 'activity.ndjson')).toEqual(kept);
    known.activity = seconds(26);
    expect(await fetch()).toMatchObject({ fresh: 1, changed: 0, manifest: { complete: true } });
  });

  it('drops a record that vanished where a whole walk shows it', async () => {
    const { out, fetch, known } = await wallet({ activity: seconds(25), markets: [market(1)] }, change);
    await fetch();
    known.activity = [...seconds(25).filter((_, at) => at !== 20), trade(300), trade(301)];
    expect(await fetch()).toMatchObject({ fresh: 2, changed: 1, manifest: { complete: true } });
    const times = (await rows(out)).map(({ timestamp }) => timestamp);
    expect(times).toEqual(known.activity.map(({ timestamp }) => timestamp));
    expect(await readdir(join(out, NAME))).not.toContain('activity-tail.json');
  });
});

it('keeps what a whole walk shows to have changed, if it cannot be fetched anew', async () => {
  let walks = Number.POSITIVE_INFINITY;
  const { out, fetch, known } = await wallet(
    { activity: seconds(25), markets: [market(1)] },
    (reply, { path, query }) =>
      path === '/v2/activity' && query.get('sort_direction') === 'ASC' && walks-- <= 0 ? { status: 503 } : reply,
  );
  await fetch();
  const kept = await lines(out, 'activity.ndjson');
  known.activity = [...seconds(25).filter((_, at) => at !== 20), trade(300)];
  walks = 1;
  expect((await fetch()).manifest).toMatchObject({ complete: false, missing: [{ what: 'activity' }] });
  expect(await lines(out, 'activity.ndjson')).toEqual(kept);
  walks = Number.POSITIVE_INFINITY;
  expect(await fetch()).toMatchObject({ fresh: 1, changed: 1, manifest: { complete: true, rows: { activity: 25 } } });
});

it('ends where two pages of one second come in turn, each with a new cursor', async () => {
  const page = (n: number) => Array.from({ length: 10 }, (_, at) => trade(5, { size: n * 10 + at }));
  let asked = 0;
  const { fetch } = await wallet({ activity: page(0), markets: [market(1)] }, (reply, { path, query }) =>
    path === '/v2/activity' && query.get('sort_direction') === 'ASC'
      ? { json: { data: page(asked++ % 2), pagination: { has_more: true, next_cursor: `n${asked}` } } }
      : reply,
  );
  const { manifest } = await fetch();
  expect(manifest).toMatchObject({ complete: false, rows: { activity: 20 } });
  expect(manifest.missing[0]?.why).toMatch(/a page that it had given before/);
  expect(asked).toBeLessThan(15);
});

describe.each([
  ['that is followed by another', [trade(6)]],
  ['that is the last one', []],
])('a second of v1 %s', (_, later) => {
  it.each(['refuses', 'repeats', 'begins again', 'empty'] as const)(
    'holds more than its cap, beyond which it %s: that is told',
    async (beyond) => {
      const activity = [trade(4), ...Array.from({ length: 7000 }, (_, at) => trade(5, { size: at })), ...later];
      const { fetch } = await wallet({ activity, markets: [market(1)], beyond }, NO_V2);
      const { manifest } = await fetch();
      expect(manifest).toMatchObject({ complete: false, rows: { activity: 5501 + later.length } });
      expect(manifest.missing).toMatchObject([{ what: 'activity', from: new Date(1_777_000_005_000).toISOString() }]);
    },
  );
});

it.each([
  [{ status: 503 }],
  [{ status: 429, headers: { 'retry-after': '9999' } }],
  [{ json: ['a'.repeat(400)], cut: true }],
])('does not take v1 because v2 fails for a while: %o', async (reply) => {
  let ill = true;
  const { out, fetch } = await wallet({ activity: seconds(5), markets: [market(1)] }, (well, { path }) =>
    ill && path === '/v2/activity' ? reply : well,
  );
  await expect(fetch()).rejects.toThrow(SourceError);
  expect(existsSync(join(out, NAME))).toBe(false);
  ill = false;
  expect((await fetch()).manifest).toMatchObject({ complete: true, rows: { activity: 5 } });
  expect((await rows(out))[0]).toHaveProperty('condition_id');
});

it('tells that v1 has no migrations, and fetches all anew once v2 answers', async () => {
  let v2: Reply | undefined = { status: 404 };
  const migration = trade(1, { type: 'MIGRATION', side: '' });
  const known: Known = {
    activity: [trade(0), migration, trade(400_000), trade(400_010)],
    markets: [market(1)],
    tokens: [{ token_id: '1', condition_id: conditionOf(1) }],
    pageSize: 2,
  };
  const { out, fetch } = await wallet(known, (reply, { path, query }) => {
    if (path === '/activity')
      return { json: (reply.json as { type: string }[]).filter(({ type }) => type === 'TRADE') };
    return path === '/v2/activity' && v2 && (v2.status === 404 || query.has('cursor')) ? v2 : reply;
  });
  const told = { complete: false, missing: [{ what: 'activity', from: '2026-04-28T00:00:00.000Z' }] };
  expect((await fetch()).manifest).toMatchObject(told);
  v2 = { status: 503 };
  expect((await fetch()).manifest).toMatchObject({ ...told, rows: { activity: 3 } });
  expect((await rows(out))[0]).toHaveProperty('conditionId');
  v2 = undefined;
  const { manifest, fresh, changed } = await fetch();
  expect(manifest).toMatchObject({ complete: true, rows: { activity: 4 } });
  expect({ fresh, changed }).toEqual({ fresh: 1, changed: 0 });
  expect((await rows(out)).map(({ type, condition_id }) => [type, condition_id])).toEqual(
    ['TRADE', 'MIGRATION', 'TRADE', 'TRADE'].map((type) => [type, conditionOf(1)]),
  );
  expect((await readdir(join(out, NAME))).filter((name) => name.startsWith('activity'))).toEqual([
    'activity.cursor.json',
    'activity.ndjson',
  ]);
  expect(await fetch()).toMatchObject({ fresh: 0, changed: 0, manifest: { complete: true } });
});

it('says what to do where v2 is gone and v1 is not', async () => {
  let gone = false;
  const { out, fetch } = await wallet({ activity: seconds(5), markets: [market(1)] }, (reply, asked) =>
    gone ? NO_V2(reply, asked) : reply,
  );
  await fetch();
  gone = true;
  const { manifest } = await fetch();
  expect(manifest).toMatchObject({ complete: false, rows: { activity: 5 } });
  expect(manifest.missing[0]?.why).toMatch(/v1 answers.*another folder \(--out\)/);
  expect(await rows(out)).toHaveLength(5);
});

it.each([
  ['once', true],
  ['always', false],
])('notices that a list ends %s within its last second', async (_, onlyOnce) => {
  const activity = [...seconds(10, 1), ...Array.from({ length: 10 }, (_, size) => trade(20, { size }))];
  const { out, fetch } = await wallet({ activity, markets: [market(1)] }, (reply, { path, query }) => {
    if (path !== '/v2/activity' || query.get('sort_direction') === 'DESC') return reply;
    if (onlyOnce && query.get('start') !== '1') return reply;
    const { data } = reply.json as { data: unknown[] };
    return { json: { data: data.slice(0, -5), pagination: { has_more: false, next_cursor: null } } };
  });
  const { manifest } = await fetch();
  expect(manifest).toMatchObject({ complete: onlyOnce, rows: { activity: onlyOnce ? 20 : 15 } });
  expect(await rows(out)).toHaveLength(onlyOnce ? 20 : 15);
});

it('comes to an end though the wallet trades all the time', async () => {
  const now = Math.floor(Date.now() / 1000) - 1_777_000_000;
  const known: Known = { activity: seconds(3), markets: [market(1)] };
  const { fetch, source } = await wallet(known, (reply, { query }) => {
    if (query.get('sort_direction') === 'ASC') known.activity.push(trade(now + 10 + known.activity.length));
    return reply;
  });
  expect((await fetch()).manifest).toMatchObject({ complete: true });
  expect(source.asked.length).toBeLessThan(20);
});

/** Three closed markets without a clear winner. */
const UNCLEAR: Known = {
  activity: [1, 2, 3].map((n) => trade(n, { condition_id: conditionOf(n) })),
  markets: [1, 2, 3].map((n) => market(n, { outcomePrices: '["0.6", "0.4"]' })),
  resolutions: [1, 2, 3].map((n) => ({ condition_id: conditionOf(n), status: 'resolved', payouts: [1000000, 0] })),
};

it('asks singly for the resolutions that a list of ids did not bring', async () => {
  const { fetch } = await wallet(UNCLEAR, (reply, { path, query }) => {
    if (path !== '/v2/resolutions') return reply;
    const [first] = query.get('condition')?.split(',') ?? [];
    return { json: { data: UNCLEAR.resolutions?.filter(({ condition_id }) => condition_id === first) } };
  });
  expect((await fetch()).manifest).toMatchObject({ complete: true, rows: { resolutions: 3 } });
});

it('tells which closed markets have no resolution, and which are not resolved yet', async () => {
  const [one = {}, two = {}] = UNCLEAR.resolutions ?? [];
  const { fetch, known } = await wallet({
    activity: [...UNCLEAR.activity, trade(4, { condition_id: conditionOf(4) })],
    markets: [...UNCLEAR.markets, market(4, { outcomePrices: '["0.6", "0.4"]', umaResolutionStatus: 'disputed' })],
    resolutions: [one, { ...two, status: 'disputed' }],
  });
  const { manifest } = await fetch();
  const at = new Date(1_777_000_003_000).toISOString();
  const why = '1 market closed without a clear winner: question-3; the source gives no resolution';
  expect(manifest.missing).toEqual([{ what: 'resolutions', from: at, until: at, why }]);
  const pending = [
    '2 markets closed without a clear winner: question-2, question-4; not resolved yet, as the source says',
  ];
  expect(manifest).toMatchObject({ complete: false, pending });
  known.resolutions = UNCLEAR.resolutions?.map((each, at) => (at === 1 ? { ...each, status: 'disputed' } : each)) ?? [];
  expect((await fetch()).manifest).toMatchObject({ complete: true, pending, rows: { resolutions: 2 } });
  known.resolutions = UNCLEAR.resolutions ?? [];
  known.markets = known.markets.map((each) => ({
    ...each,
    umaResolutionStatus: 'resolved',
    outcomePrices: '["1", "0"]',
  }));
  const { manifest: last } = await fetch();
  expect(last).toMatchObject({ complete: true, rows: { resolutions: 2 } });
  expect(last).not.toHaveProperty('pending');
});

it('asks again for markets that were decided in the last two weeks, as their result may be disputed', async () => {
  const daysAgo = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().replace('T', ' ').replace(/\..*/, '+00');
  const { fetch, known, source, out } = await wallet({
    activity: [1, 2].map((n) => trade(n, { condition_id: conditionOf(n) })),
    markets: [market(1, { closedTime: daysAgo(13) }), market(2, { closedTime: daysAgo(15) })],
    resolutions: [{ condition_id: conditionOf(1), status: 'disputed' }],
  });
  await fetch();
  const [one = {}, two = {}] = known.markets;
  known.markets = [{ ...one, outcomePrices: '["0.6", "0.4"]', updatedAt: new Date().toISOString() }, two];
  source.asked.length = 0;
  expect((await fetch()).manifest).toMatchObject({ complete: true, pending: [expect.stringContaining('question-1')] });
  const conditions = source.asked.flatMap(({ query }) => query.getAll('condition_ids'));
  expect(conditions).toEqual([conditionOf(1), conditionOf(1)]);
  expect((await rows(out, 'markets.ndjson')).map(({ id }) => id)).toEqual(['901', '902', '901']);
});

it('asks for tokens and markets singly where a list is refused, or only its first id honoured', async () => {
  const ids = [1, 2, 3, 4];
  const known: Known = {
    activity: ids.map((n) => trade(n, { condition_id: conditionOf(n), type: 'MIGRATION' })),
    markets: ids.map((n) => market(n)),
    tokens: ids.map((n) => ({ token_id: String(n), condition_id: conditionOf(n) })),
  };
  const { fetch } = await wallet(known, (reply, { path, query }) => {
    if (path === '/v2/tokens' && query.get('condition')?.includes(',')) return { status: 400, text: 'one only' };
    if (path !== '/markets/keyset') return reply;
    const { markets } = reply.json as { markets: { conditionId: string }[] };
    return { json: { markets: markets.filter(({ conditionId }) => conditionId === query.get('condition_ids')) } };
  });
  expect((await fetch()).manifest).toMatchObject({ complete: true, missing: [], rows: { tokens: 4, markets: 4 } });
});
