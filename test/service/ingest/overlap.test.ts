import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { quoteText } from '../../../src/base/duckdb.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { loadRaw, namesOf, noneStaged, STAGED } from '../../../src/service/ingest/load-raw.js';
import { KIND } from '../../../src/service/ledger/event.js';
import { Database } from '../../../src/service/store/database.js';
import fc, { cases } from '../../support/fast-check.js';
import {
  activity,
  conditionOf,
  ended,
  gammaMarket,
  tokenOf,
  trade,
  txOf,
  walletOf,
} from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { fetched, STATUS } from './fetched-folder.js';
import { tablesOf } from './tables-of.js';

/** One event as it happened. */
interface Happened {
  kind: number;
  wallet: number;
  token: 0 | 1;
  time: number;
  shares: number;
  price: number;
  fee: number;
  tx: number;
  /** Whether activity leaves it out, so that a list of fills tells one more. */
  isHidden: boolean;
}

const happened = fc.record({
  kind: fc.constantFrom(KIND.buy, KIND.buy, KIND.buy, KIND.sell, KIND.split, KIND.income),
  wallet: fc.constantFrom(1, 1, 1, 2),
  token: fc.constantFrom<0 | 1>(0, 0, 0, 1),
  time: fc.nat(2),
  shares: fc.integer({ min: 1, max: 2 }),
  price: fc.integer({ min: 5, max: 7 }),
  fee: fc.nat(2),
  tx: fc.constantFrom(0, 0, 0, 1),
  isHidden: fc.constantFrom(true, false, false),
});

/**
 * What a source tells of an event: `activity` all, `plain` the same without the fees in its dollars, `trades` fills
 * without fees, `pma` fills with an id.
 */
type Form = 'activity' | 'plain' | 'trades' | 'pma';

const isFill = ({ kind }: Happened) => kind === KIND.buy || kind === KIND.sell;

type Row = Readonly<Record<string, string>>;

/** An event as a download tells it, as SQL values by column; none if it does not. */
function told(event: Happened, n: number, form: Form): Row[] {
  const { kind, wallet, token, time, shares, price, tx, isHidden } = event;
  const isActivity = form === 'activity' || form === 'plain';
  if (isActivity ? isHidden : !isFill(event)) return [];
  const fee = isFill(event) && (form === 'activity' || form === 'pma') ? event.fee : 0;
  const isIncome = kind === KIND.income;
  const row = {
    kind: String(kind),
    wallet: quoteText(walletOf(wallet)),
    ...(isIncome ? {} : { shares: String(shares), condition_id: form === 'pma' ? 'NULL' : quoteText(conditionOf(1)) }),
    ...(isFill(event) ? { token: quoteText(tokenOf(1, token)) } : {}),
    ts: String(time),
    usd: String(shares * price + (kind === KIND.sell ? -fee : fee)),
    tx: quoteText(txOf(tx * 10 + time)),
    ...(form === 'pma' ? { id: `md5('${n}')::UUID` } : {}),
    ...(isFill(event) ? { fee: form === 'trades' ? '0' : isActivity && fee === 0 ? '2' : '1' } : {}),
  };
  return [row];
}

const columns = STAGED.events.map(({ name, type }) => ({ name, type }));

async function write(db: Database, file: string, rows: readonly Row[]): Promise<string> {
  const values = rows.map((row) => `(${columns.map(({ name }) => row[name] ?? 'NULL').join()})`).join();
  const typed = columns.map(({ name, type }) => `${name}::${type} AS ${name}`).join();
  await db.run(`COPY (SELECT ${typed}, NULL::VARCHAR AS reason FROM (VALUES ${values}) v(${namesOf(columns)}))
    TO ${quoteText(file)} (FORMAT parquet)`);
  return file;
}

const SEEN = 'kind, wallet, token, ts, shares, usd, tx, fee, id';

/** Loads downloads one batch after the other, each on top of the one before, and gives the events at the end. */
async function loaded(batches: readonly (readonly Row[])[][]): Promise<unknown[]> {
  const folder = await temporaryFolder();
  let previous: string | undefined;
  let rows: unknown[] = [];
  for (const [n, batch] of batches.entries()) {
    const path = join(folder, `${n}.duckdb`);
    const db = await Database.open(path);
    const events: string[] = [];
    for (const download of batch) {
      if (download.length > 0) events.push(await write(db, join(folder, `${n}-${events.length}.parquet`), download));
    }
    // Every other one is of a fetch of its own, which nothing replaces.
    const origins = events.map((_, at) =>
      at % 2 === 0 ? undefined : { kind: 'wallet', target: `${n}-${at}`, format: 'made', status: STATUS },
    );
    await loadRaw(db, previous, { ...noneStaged(), events }, { origins, repeatsAtOnce: 7 });
    rows = await db.rows(`SELECT ${SEEN} FROM events ORDER BY ALL`);
    await db.run('CHECKPOINT');
    db.close();
    previous = path;
  }
  return rows;
}

it('count once, in any cover of a history, in any order and over any ingests', async () => {
  const download = fc.record({
    form: fc.constantFrom<Form>('activity', 'activity', 'plain', 'plain', 'trades', 'trades', 'pma'),
    /** Bits of the seconds that it holds whole. */
    moments: fc.constantFrom(1, 2, 3, 5, 7, 7),
    batch: fc.nat(2),
  });
  const downloads = fc.array(download, { minLength: 1, maxLength: 5 });
  const history = fc.array(happened, { minLength: 1, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(history, downloads, fc.boolean(), async (happenings, found, hasPrices) => {
      // Which of the fills of one size and several prices a list without fees tells beyond the others, nothing tells.
      const events = hasPrices ? happenings : happenings.map((event) => ({ ...event, price: 6 }));
      const all = found.map((part) =>
        hasPrices && part.form === 'trades' ? { ...part, form: 'plain' as const } : part,
      );
      const holds = ({ moments }: { moments: number }, { time }: Happened) => ((moments >> time) & 1) === 1;
      const rowsOf = (part: (typeof all)[number]) =>
        events.flatMap((event, n) => (holds(part, event) ? told(event, n, part.form) : []));
      const batches = [0, 1, 2].map((batch) => all.filter((part) => part.batch === batch).map(rowsOf));
      // Of the forms that tell an event, the one that says most.
      const right = events.flatMap((event, n) => {
        const forms = (['pma', 'activity', 'plain', 'trades'] as const).filter((form) =>
          all.some((part) => part.form === form && holds(part, event)),
        );
        return forms.flatMap((form) => told(event, n, form)).slice(0, 1);
      });
      expect(await loaded(batches.filter((batch) => batch.length > 0))).toEqual(await loaded([[right]]));
    }),
    { numRuns: cases(150) },
  );
});

const T = 1_767_225_600;
const MERGED = 'event that more than one download holds (counted once)';
const fillOf = (time: number, does: 'BUY' | 'SELL' = 'BUY') =>
  trade({ wallet: 1, market: 1, side: 0, does, size: 10, price: 0.4, time: T + time });
const paid = (time: number, fee = 0) => ({ ...fillOf(time), type: 'TRADE', usdcSize: 4 + fee });
const markets = [gammaMarket(1, ended(0))];

/** Ingests lists of records, each list a file, and gives what the folder holds then. */
async function read(folder: string, name: string, lists: readonly (readonly object[])[], pages = false) {
  const inputs: string[] = [];
  for (const [n, list] of lists.entries()) inputs.push(await put(folder, `${name}-${n}.json`, list));
  const { version } = await ingest({ folder: join(folder, 'data'), inputs, pages });
  const { totals, merged, doubtful } = version.manifest;
  return {
    version,
    merged,
    doubtful,
    lifetimes: (await tablesOf(join(folder, 'data'))).lifetimes,
    events: totals.events,
  };
}

it('of today and of yesterday are right together, and two equal fills of one stay two', async () => {
  const folder = await temporaryFolder();
  const yesterday = [paid(1), paid(1), paid(2)];
  const today = [...yesterday, paid(3), activity('REWARD', 1, { usdcSize: 5, timestamp: T })];
  await read(folder, 'markets', [markets]);
  expect(await read(folder, 'yesterday', [yesterday])).toMatchObject({ events: 3, merged: undefined });
  expect(await read(folder, 'today', [today])).toMatchObject({
    events: 5,
    merged: { [MERGED]: 3 },
    doubtful: { 'event equal to another one (kept: the format has no id to tell a repeat)': 1 },
    lifetimes: [{ trades: 4, invested: 16_000_000n, pnl: 24_000_000n }],
  });
  const other = await temporaryFolder();
  await read(other, 'all', [markets, today, yesterday, [paid(2)]]);
  expect(await tablesOf(join(other, 'data'))).toEqual(await tablesOf(join(folder, 'data')));
});

it('add the equal fills of pages that are said to be of one download, also of a page that was read before', async () => {
  const folder = await temporaryFolder();
  const pages = [[paid(1), paid(2)], [paid(2), paid(3)], [fillOf(3)]];
  expect(await read(folder, 'apart', [markets, ...pages])).toMatchObject({ events: 3 });
  const other = await temporaryFolder();
  await read(other, 'first', [markets, pages[0] ?? []]);
  const { version, events } = await read(other, 'all', pages, true);
  // The fill of the third page is told by another list: it is the one of the second, of which the fee is known.
  expect(events).toBe(4);
  expect(version.manifest.inputs).toHaveLength(4);
  expect(await read(other, 'again', pages, true)).toMatchObject({ version: { name: version.name } });
});

it('keep the fills whose fee is known, and of a list without fees what it tells beyond them, in any order', async () => {
  const lists = { paid: [paid(1, 0.1)], unpaid: [fillOf(1), fillOf(1)], more: [paid(1, 0.1), paid(9)] };
  const orders = fc.shuffledSubarray(['paid', 'unpaid', 'more'] as const, { minLength: 3 });
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const folder = await temporaryFolder();
      await read(folder, 'markets', [markets]);
      const merged: Record<string, number> = {};
      for (const name of order) {
        const told = await read(folder, name, [lists[name]]);
        for (const [reason, n] of Object.entries(told.merged ?? {})) merged[reason] = (merged[reason] ?? 0) + n;
      }
      expect(merged).toEqual({
        [MERGED]: 1,
        'fill that also comes with its fee (the one with the fee stays)': 1,
      });
      const { lifetimes } = await tablesOf(join(folder, 'data'));
      expect(lifetimes).toMatchObject([{ trades: 3, invested: 12_100_000n }]);
    }),
    { numRuns: 6 },
  );
});

it('that state dollars with and without the fee, or in other digits, count each fill once, with its fee', async () => {
  const DIFFERING = 'fill whose dollars differ between downloads (the one with the larger fee stays)';
  const buy = (usdcSize: number, price = 0.5, size = 76) => ({ ...fillOf(1), type: 'TRADE', size, price, usdcSize });
  const sale = (usdcSize: number) => ({ ...buy(usdcSize), side: 'SELL', timestamp: T + 2, transactionHash: txOf(2) });
  const lists = {
    v1: [buy(38.95), sale(37.05), buy(10.1234567, 0.4, 25)],
    v2: [buy(38), sale(38), buy(10.123456, 0.4, 25)],
    // One order at two prices, once with its fees: the fill that is told alike is none that differs.
    prices: [buy(60, 0.6, 100), buy(61, 0.61, 100), buy(62, 0.62, 100)],
    fees: [buy(60, 0.6, 100), buy(62.2, 0.62, 100)],
  };
  const orders = fc.shuffledSubarray(['v1', 'v2', 'prices', 'fees'] as const, { minLength: 4 });
  await fc.assert(
    fc.asyncProperty(orders, fc.boolean(), async (order, isOneIngest) => {
      const folder = await temporaryFolder();
      await read(folder, 'markets', [markets]);
      const all = order.map((name) => lists[name]);
      const merged: Record<string, number> = {};
      for (const [n, batch] of (isOneIngest ? [all] : all.map((list) => [list])).entries()) {
        const told = await read(folder, String(n), batch);
        for (const [reason, count] of Object.entries(told.merged ?? {})) merged[reason] = (merged[reason] ?? 0) + count;
      }
      expect(merged).toEqual({ [MERGED]: 1, [DIFFERING]: 4 });
      const { lifetimes } = await tablesOf(join(folder, 'data'));
      const invested = 38_950_000n + 10_123_457n + 60_000_000n + 61_000_000n + 62_200_000n;
      expect(lifetimes).toMatchObject([{ trades: 6, invested }]);
    }),
    { numRuns: 4 },
  );
});

it('that state fills without a transaction keep those of other dollars, which may be others of that second', async () => {
  const folder = await temporaryFolder();
  const bare = { ...paid(1), transactionHash: '' };
  const lists = [[bare], [{ ...bare, usdcSize: 4.1 }]];
  expect(await read(folder, 'bare', [markets, ...lists])).toMatchObject({ events: 2, merged: undefined });
});

async function statuses(folder: string, name: string) {
  const db = await Database.open(join(folder, 'versions', name, 'lab.duckdb'), { locked: true });
  const rows = await db.rows('SELECT target, complete, until, missing, ended_ms FROM fetches ORDER BY target');
  db.close();
  return rows;
}

it('grow in a folder of oddslab fetch, whose status is kept from version to version and makes one by itself', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const raw = join(folder, 'raw');
  const wallet = join(raw, 'deep', `wallet-${walletOf(1)}`);
  const gap = [{ what: 'activity', from: null, until: '2026-01-01T00:00:00Z', why: "the source's offset limit" }];
  const inputs = [raw];
  await fetched(
    wallet,
    { activity: [paid(1), paid(1)], markets, leaderboard: [{ rank: 1 }], events: [] },
    {
      complete: false,
      ended: null,
      until: null,
      missing: gap,
    },
  );
  const first = await ingest({ folder: data, inputs });
  expect(first).toMatchObject({ left: [], version: { manifest: { totals: { events: 2 } } } });
  expect(await statuses(data, first.version.name)).toEqual([
    { target: walletOf(1), complete: false, until: null, missing: JSON.stringify(gap), ended_ms: null },
  ]);
  expect((await ingest({ folder: data, inputs })).version).toEqual(first.version);
  // The run is over, without a new row; then a second one brings some, and one of another wallet.
  await fetched(wallet, {});
  const done = await ingest({ folder: data, inputs });
  expect([done.version.name, done.reports]).toEqual(['000002', []]);
  const until = { started: '2026-01-03T00:00:00Z', ended: '2026-01-03T00:00:01Z', until: T + 200 };
  await fetched(wallet, { activity: [paid(1), paid(1), paid(2)], trades: [fillOf(2), fillOf(3)] }, until);
  await fetched(join(raw, 'wallet-2'), { activity: [] }, { target: walletOf(2), complete: false });
  const grown = await ingest({ folder: data, inputs, pages: true });
  expect(grown.version.manifest).toMatchObject({
    totals: { events: 4 },
    // What the folder stated before is replaced, not merged.
    merged: { 'fill that also comes with its fee (the one with the fee stays)': 1 },
  });
  const known = [
    { target: walletOf(1), complete: true, until: BigInt(T + 200), missing: '[]', ended_ms: 1767398401000n },
    { target: walletOf(2), complete: false, until: BigInt(T + 100), missing: '[]', ended_ms: 1767312060000n },
  ];
  expect(await statuses(data, grown.version.name)).toEqual(known);
  // An older copy of the folder takes nothing back, and neither does an ingest of something else.
  const old = join(folder, 'old');
  await fetched(old, { activity: [paid(1), paid(1)] });
  expect((await ingest({ folder: data, inputs: [old] })).version.name).toBe(grown.version.name);
  const other = await ingest({ folder: data, inputs: [await put(folder, 'more.json', [paid(4)])] });
  expect(await statuses(data, other.version.name)).toEqual(known);
});

it('of a folder of oddslab fetch are refused with what is wrong with its status', async () => {
  const folder = await temporaryFolder();
  const raw = join(folder, 'raw');
  const fault = async (text: string) => {
    await fetched(raw, { activity: [paid(1)] });
    await writeFile(join(raw, 'fetch.json'), text);
    return (await ingest({ folder: join(folder, 'data'), inputs: [raw] }).catch(String)) as string;
  };
  expect(await fault('{')).toMatch(/fetch\.json is no JSON: .*Fetch again into this folder, or remove the file/);
  expect(await fault(JSON.stringify({ ...STATUS, oddslab_fetch: 2 }))).toContain(
    'fetch.json is of another release (layout 2, this one reads 1)',
  );
  expect(await fault(JSON.stringify({ ...STATUS, complete: 'yes', until: 1.5, missing: [{}] }))).toMatch(
    /fetch\.json is not what oddslab fetch writes:\n {2}at \/complete: .*\n {2}at \/until: .*\n {2}at \/missing\/0\/what/,
  );
});

it('leave when a row of a folder of oddslab fetch changes or vanishes at its source, unless another file states them, too', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const raw = join(folder, 'raw');
  let day = 1;
  /** Fetches the wallet anew with these rows, ingests, and gives the events and what they cost. */
  const now = async (rows: readonly object[], status: object = {}) => {
    const started = `2026-01-0${day++}T00:00:00Z`;
    await fetched(raw, { activity: rows, markets }, { started, ended: started, ...status });
    await ingest({ folder: data, inputs: [raw] });
    const { events = [], lifetimes = [] } = await tablesOf(data, ['events', 'lifetimes']);
    return [events.length, Number((lifetimes[0] as { invested: bigint }).invested) / 1e6];
  };
  const first = [paid(1), paid(1), paid(2)];
  expect(await now([...first, paid(4)])).toEqual([4, 16]);
  expect(await now([...first, paid(4, 1)])).toEqual([4, 17]);
  // The source takes that back, so that the file is what it was before.
  expect(await now([...first, paid(4)])).toEqual([4, 16]);
  expect(await now(first)).toEqual([3, 12]);
  // A file of the user holds one of the two equal fills, which stays.
  await read(folder, 'own', [[paid(1)]]);
  expect(await now([paid(2)])).toEqual([2, 8]);
  expect(await now([paid(1), paid(1), paid(2), paid(3)])).toEqual([4, 16]);
  // What a fetch gives that knows that it lacks events is added to what a whole one gave.
  const missing = [{ what: 'activity', from: null, until: null, why: 'down' }];
  expect(await now([paid(5)], { complete: false, missing })).toEqual([5, 20]);
  expect(await now([paid(6)], { complete: false, missing })).toEqual([6, 24]);
  expect(await now([paid(6), paid(7)])).toEqual([3, 12]);
});
