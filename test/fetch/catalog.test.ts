import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { SourceError } from '../../src/base/errors.js';
import { fetchCatalog } from '../../src/fetch/catalog.js';
import { checkSources } from '../../src/fetch/check-sources.js';
import { changeText } from '../../src/fetch/drift.js';
import { fetchLeaderboard } from '../../src/fetch/fetch-leaderboard.js';
import { Sources } from '../../src/fetch/sources.js';
import type { Quirks } from '../support/public-source/answers.js';
import type { Fault } from '../support/public-source/faults.js';
import { simulatedRecords } from '../support/public-source/simulated-records.js';
import type { SourceRecords } from '../support/public-source/source-records.js';
import { startPublicSource } from '../support/public-source/start-public-source.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-catalog-'));

let records: SourceRecords;

beforeAll(async () => {
  records = await simulatedRecords(folder, { markets: 90, wallets: 20, fills: 2_000, seed: 4 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function source(faults: readonly Fault[] = [], { now, ...quirks }: Partial<Quirks> & { now?: number } = {}) {
  const started = await startPublicSource({
    records,
    faults,
    quirks: { mostRecords: 10, ...quirks },
    seed: 3,
    ...(now ? { now } : {}),
  });
  const sources = new Sources({ ...started, rate: Number.POSITIVE_INFINITY, backOffMs: 2, retries: 3 });
  onTestFinished(async () => {
    await sources.close();
    await started.close();
  });
  return { ...started, sources };
}

interface Listed {
  id: string;
  closed: boolean;
}

const listed = (out: string, kind: string) =>
  readFileSync(join(out, kind, `${kind}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed);

/** The latest state of each record. */
const latest = (rows: readonly Listed[]) => new Map(rows.map(({ id, closed }) => [id, closed]));

const known = () => records.markets.filter(({ hidden }) => hidden === 'nowhere');

it('fetches all markets and events, open and closed, each once', async () => {
  const { sources } = await source();
  const out = await temporaryFolder();
  const markets = await fetchCatalog('markets', { sources, out });
  const rows = listed(out, 'markets');
  expect(rows.map(({ id }) => id).sort()).toEqual(
    known()
      .map(({ id }) => id)
      .sort(),
  );
  expect(new Set(rows.map(({ closed }) => closed))).toEqual(new Set([true, false]));
  expect(markets).toMatchObject({ fresh: rows.length, manifest: { complete: true, rows: { markets: rows.length } } });
  expect(markets.manifest.drift).toEqual([]);
  const events = await fetchCatalog('events', { sources, out });
  expect(
    listed(out, 'events')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(records.events.map(({ id }) => id).sort());
  expect(events.manifest).toMatchObject({ kind: 'events', target: 'all', complete: true });
  expect((await fetchCatalog('markets', { sources, out })).fresh).toBe(0);
});

it('asks on a later run for what is open, open no longer, or new', async () => {
  const closes = known()
    .flatMap(({ closedAt }) => (closedAt > 0 ? [closedAt] : []))
    .sort((a, b) => a - b);
  const middle = closes[closes.length >> 1] ?? 0;
  const { sources, setNow, requests } = await source([], { now: middle });
  const out = await temporaryFolder();
  await fetchCatalog('markets', { sources, out });
  // The source's clock is not ours.
  const cursor = join(out, 'markets', 'markets.cursor.json');
  writeFileSync(cursor, JSON.stringify({ ...JSON.parse(readFileSync(cursor, 'utf8')), time: middle }));
  const before = listed(out, 'markets');
  setNow(middle + 400 * 86_400);
  requests.clear();
  const second = await fetchCatalog('markets', { sources, out });
  const after = listed(out, 'markets');
  expect(after.slice(0, before.length)).toEqual(before);
  expect(second.fresh).toBe(after.length - before.length);
  const wasOpen = before.filter(({ closed }) => !closed);
  expect(wasOpen.length).toBeGreaterThan(3);
  const state = latest(after);
  expect(known().length).toBeGreaterThan(latest(before).size);
  for (const { id, closedAt } of known()) expect(state.get(id), id).toBe(closedAt > 0);
  const closedAsked = requests.of('/markets/keyset').filter(({ query }) => query.get('closed') === 'true');
  expect(closedAsked.every(({ query }) => query.has('id') || query.has('end_date_min'))).toBe(true);
});

it('goes on where it was broken off, and says what is missing', async () => {
  const whole = await temporaryFolder();
  await fetchCatalog('markets', { sources: (await source()).sources, out: whole });
  for (const pages of [1, 4, 7, 9]) {
    const { sources } = await source();
    const get = sources.get.bind(sources);
    let asked = 0;
    sources.get = async (...args) => {
      if (asked++ === pages) throw new Error('broken off');
      return get(...args);
    };
    const out = await temporaryFolder();
    await expect(fetchCatalog('markets', { sources, out })).rejects.toThrow('broken off');
    sources.get = get;
    // A kill also leaves what it was writing.
    for (const name of ['fetch.json', 'markets.cursor.json', 'figures.json'])
      writeFileSync(join(out, 'markets', `${name}.0123456789ab.part`), '');
    writeFileSync(join(out, 'markets', 'mine.part'), '');
    const { manifest } = await fetchCatalog('markets', { sources, out });
    expect(listed(out, 'markets')).toEqual(listed(whole, 'markets'));
    expect(manifest.complete).toBe(true);
    expect(readdirSync(join(out, 'markets')).sort()).toEqual([
      'fetch.json',
      'figures.json.0123456789ab.part',
      'markets.cursor.json',
      'markets.ndjson',
      'mine.part',
    ]);
  }
  const { sources } = await source([{ kind: 'repeat', on: /keyset/, after: 3 }]);
  const out = await temporaryFolder();
  const { manifest } = await fetchCatalog('markets', { sources, out });
  expect(manifest).toMatchObject({ complete: false, until: null, missing: [{ what: 'markets' }] });
  expect(manifest.missing[0]?.why).toMatch(/given before/);
  // The next run does not go back into the circle.
  expect(JSON.parse(readFileSync(join(out, 'markets', 'markets.cursor.json'), 'utf8')).cursor).toBe('closed ');
  const down = await source([{ kind: 'down' }]);
  await expect(fetchCatalog('markets', { sources: down.sources, out: await temporaryFolder() })).rejects.toThrow(
    SourceError,
  );
});

it('lists the wallets of most profit, without names, by either version', async () => {
  for (const faults of [[], [{ kind: 'absent', on: /^\/v2\/leaderboard/ }]] as Fault[][]) {
    const { sources } = await source(faults);
    const out = await temporaryFolder();
    const { wallets, manifest } = await fetchLeaderboard(15, { sources, out });
    expect(wallets).toHaveLength(15);
    expect(new Set(wallets).size).toBe(15);
    expect(manifest).toMatchObject({ complete: true, rows: { leaderboard: 15 }, drift: [] });
    const text = readFileSync(join(out, 'leaderboard', 'leaderboard.ndjson'), 'utf8');
    const profits = text
      .trimEnd()
      .split('\n')
      .map((line) => Number(JSON.parse(line).pnl));
    expect(profits).toEqual([...profits].sort((a, b) => b - a));
    expect(text).not.toMatch(/PRIVATE/);
    expect((await fetchLeaderboard(3, { sources, out })).wallets).toEqual(wallets.slice(0, 3));
  }
});

it('checks one page of each source: what changed, and which gives none', async () => {
  const sound = await checkSources((await source()).sources);
  expect(sound.filter(({ changes, failure }) => changes.length > 0 || failure !== undefined)).toEqual([]);
  expect(sound.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v2/activity', '/v2/tokens', '/closed-positions']),
  );
  expect(sound.filter(({ records: count }) => count > 0).length).toBeGreaterThan(12);

  const changed = await checkSources((await source([{ kind: 'drift', on: /^\/v2\/activity$|keyset/ }])).sources);
  const texts = changed.flatMap(({ changes }) => changes.map(changeText));
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\/v2\/activity: \d+ records with a new field `brandNewField` \(object\)$/),
    ]),
  );
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/keyset: \d+ records with another type of the field `volumeNum` \(string\)$/),
    ]),
  );
  const failing = await checkSources((await source([{ kind: 'never-json', on: /positions/ }])).sources);
  expect(failing.filter(({ failure }) => failure !== undefined).map(({ path }) => path)).toEqual([
    '/v2/positions',
    '/positions',
    '/closed-positions',
  ]);
});
