import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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

it('goes on by time where the source refuses a cursor', async () => {
  let refused = false;
  const activity = [...seconds(10), ...seconds(10)].sort((one, other) => one.timestamp - other.timestamp);
  const { out, fetch } = await wallet({ activity, markets: [market(1)], pageSize: 4 }, (reply, { query }) => {
    if (query.get('cursor') !== 'c12' || refused) return reply;
    refused = true;
    return { status: 400, json: { error: 'invalid cursor' } };
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
