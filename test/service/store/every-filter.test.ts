import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANDLES } from '../../../src/contract/candles.js';
import { answeredDataset, DATASETS, type Dataset } from '../../../src/contract/dataset.js';
import type { Parameter } from '../../../src/contract/definition.js';
import { readFilters } from '../../../src/contract/filters.js';
import { dateOfDay } from '../../../src/contract/time.js';
import { TRADES } from '../../../src/contract/trades.js';
import { readShardUrls } from '../../../src/service/clickhouse/clickhouse-connection.js';
import { ClickHouseStore } from '../../../src/service/clickhouse/clickhouse-store.js';
import { Cluster } from '../../../src/service/clickhouse/shard.js';
import { pushVersion } from '../../../src/service/cluster/push-version.js';
import { pageFromRows } from '../../../src/service/query/answer.js';
import { Database } from '../../../src/service/store/database.js';
import { duckDbRows, openDuckDbStore } from '../../../src/service/store/duckdb-store.js';
import type { RecordPage, Store } from '../../../src/service/store/store.js';
import { isAbsent } from '../../support/is-absent.js';
import { CLICKHOUSE, ClickHouseServer, LOGIN } from '../clickhouse/clickhouse-server.js';
import { publishMade } from '../clickhouse/made-version.js';

/** Values of a filter: one that lets some of the records pass and, where it is required, one that lets more pass. */
type Sample<P extends Parameter> = P['required'] extends true ? { some: string; more: string } : { some: string };

/** A sample for every filter of the contract: one without is a type error. */
type Samples = {
  [D in (typeof DATASETS)[number] as D['name']]: {
    [P in D['parameters'][number] as P['name']]: Sample<P>;
  };
};

/** One market and two wallets of the made data. */
interface Known {
  market: { condition_id: string; slug: string; event_slug: string; volume: bigint; end_ms: bigint };
  wallets: string[];
  /** A market that the first wallet has traded in, and the day in the middle of its days. */
  traded: string;
  day: number;
  /** Medians of the leaderboard over all data. */
  median: { pnl: string; trades: number; volume: string };
  /** A fill, and another wallet that has some, too. */
  fill: { wallet: string; other: string; ts: bigint; token: string; rare: string; condition_id: string } & Texts;
}

interface Texts {
  slug: string;
  event_slug: string;
  category: string;
}

function samplesOf({ market, wallets, traded, day, median, fill }: Known): Samples {
  const [one, two] = wallets;
  const wallet = { some: `${one}`, more: `${one},${two}` };
  const closed = { some: 'True' };
  const end = { some: String(market.end_ms / 1000n) };
  return {
    markets: {
      closed,
      min_volume: { some: String(market.volume / 1_000_000n) },
      market_slug: { some: market.slug },
      end_date_min: end,
      end_date_max: end,
      condition_id: { some: market.condition_id },
      event_slug: { some: market.event_slug },
    },
    'markets-by-state': { closed },
    pnl: {
      wallet,
      granularity: { some: '1m' },
      start_time: { some: dateOfDay(day) },
      end_time: { some: dateOfDay(day) },
      condition_id: { some: traded },
      event_slug: { some: 'EVENT-A' },
      category: { some: 'sports1' },
      by: { some: 'category' },
    },
    lifetime: { wallet_address: wallet },
    leaderboard: {
      wallet_address: { some: `${one}` },
      leaderboard_period: { some: '1d' },
      min_pnl: { some: median.pnl },
      max_pnl: { some: median.pnl },
      min_trades: { some: String(median.trades) },
      min_volume: { some: median.volume },
      sort_by: { some: 'roi' },
    },
    positions: {
      wallet,
      status: { some: 'open' },
      condition_id: { some: traded },
      event_slug: { some: 'Event-a' },
      category: { some: 'SPORTS1' },
    },
    trades: {
      proxy_wallet: { some: `${fill.wallet},${fill.other}` },
      condition_id: { some: fill.condition_id.toUpperCase().replace('X', 'x') },
      market_slug: { some: fill.slug.toUpperCase() },
      side: { some: 'SELL' },
      start_time: { some: String(fill.ts) },
      end_time: { some: String(fill.ts) },
      token_id: { some: fill.token },
      event_slug: { some: fill.event_slug.toUpperCase() },
      category: { some: fill.category.toUpperCase() },
    },
    candles: {
      token_id: { some: fill.rare, more: fill.token },
      interval: { some: '1w' },
      start_time: { some: String(fill.ts) },
      end_time: { some: String(fill.ts) },
    },
  };
}

/** Filters that change the order or the columns of records, and leave out none. */
const REARRANGING = ['leaderboard: sort_by', 'pnl: by'];

/** Filters that no sorted file knows. */
const NOT_IN_FILES = /^(leaderboard|positions): |^pnl: (by|category|event_slug)$/;

type Params = Record<string, string>;

/** Each filter of the contract with a request without it, or with more let pass, and the same request with it. */
const FILTERS = DATASETS.flatMap((dataset: Dataset) =>
  dataset.parameters.map(({ name }) => ({ dataset, name, title: `${dataset.name}: ${name}` })),
);

function requestsOf(dataset: Dataset, name: string, samples: Samples): { without: Params; with: Params } {
  const own = samples[dataset.name as keyof Samples] as Record<string, { some: string; more?: string }>;
  const required = dataset.parameters.filter((parameter) => parameter.required);
  const without = Object.fromEntries(required.map((parameter) => [parameter.name, own[parameter.name]?.more ?? '']));
  return { without, with: { ...without, [name]: own[name]?.some ?? '' } };
}

const NO_CLICKHOUSE = isAbsent(CLICKHOUSE, 'every filter of a ClickHouse cluster');

const SLICE = { limit: 20_000, offset: 0 };

/** A second in the middle of the made fills. */
const MIDDLE = 19_768 * 86_400;

/** Datasets that no sorted file answers. */
const FROM_ROWS = [TRADES.id, CANDLES.id] as readonly number[];

describe('every filter of the contract narrows the answer, and every column is sent', () => {
  let folder: string;
  let files: Store;
  let rows: Store;
  let samples: Samples;
  let data: string;
  let server: ClickHouseServer | undefined;
  let cluster: Cluster | undefined;
  let clustered: Store;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oddslab-filters-'));
    data = join(folder, 'data');
    const { database } = await publishMade(data, { wallets: 20, days: 90, markets: 300 });
    files = await openDuckDbStore(database);
    const db = await Database.open(database, { locked: true, threads: 1 });
    rows = duckDbRows(db);
    samples = samplesOf(await knownOf(db));
    if (NO_CLICKHOUSE) return;
    server = await ClickHouseServer.start();
    cluster = new Cluster(readShardUrls(server.url), LOGIN);
    const { version } = await pushVersion(data, cluster);
    clustered = new ClickHouseStore(cluster, version.id, 10_000);
  });
  afterAll(async () => {
    cluster?.close();
    await server?.remove();
    files.close();
    rows.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function knownOf(db: Database): Promise<Known> {
    const [market] = await db.rows<Known['market']>(
      `SELECT * FROM market_rows WHERE event_slug LIKE 'event-%' AND end_ms IS NOT NULL AND closed
        AND volume > 0 ORDER BY volume LIMIT 1 OFFSET 99`,
    );
    const [traded] = await db.rows<{ wallet: string; id: string; day: number }>(
      `SELECT wallet, condition_id AS id, day FROM wallet_market_days ORDER BY ALL LIMIT 1 OFFSET 9`,
    );
    const [fill] = await db.rows<Known['fill']>(
      `SELECT w.wallet, (SELECT max(wallet) FROM fill_wallets WHERE id IN (SELECT wallet FROM fills_by_wallet)) AS other, f.ts, t.*, (SELECT arg_min(token, n) FROM (
            SELECT t.token, count(*) AS n FROM fills_by_token f JOIN fill_tokens t ON f.token = t.id GROUP BY ALL)) AS rare FROM fills_by_token f
        JOIN fill_wallets w ON f.wallet = w.id JOIN fill_tokens t ON f.token = t.id
        WHERE t.event_slug LIKE 'event-%' ORDER BY t.id, abs(f.ts - ${MIDDLE}), f.nth LIMIT 1`,
    );
    const others = await db.rows<{ wallet: string }>(
      `SELECT wallet FROM lifetimes WHERE wallet <> '${traded?.wallet}' AND trades > 99 ORDER BY 1`,
    );
    const [median] = await db.rows<Known['median']>(
      `SELECT (quantile_disc(pnl, 0.5) // 1000000)::VARCHAR AS pnl, quantile_disc(trades, 0.5) AS trades,
        (quantile_disc(traded, 0.5) // 1000000)::VARCHAR AS volume FROM leaderboard WHERE period = 0`,
    );
    if (!median) throw new Error('The made data lack a leaderboard');
    if (!market || !traded || !fill) throw new Error('The made data lack what the filters ask for');
    const wallets = [traded.wallet, ...others.map(({ wallet }) => wallet)];
    return { market, wallets, traded: traded.id, day: traded.day, median, fill };
  }

  type Ask = (dataset: Dataset, filters: Record<string, unknown>) => Promise<RecordPage>;

  async function recordsOf(ask: Ask, dataset: Dataset, params: Params): Promise<object[]> {
    const { values, errors } = readFilters(dataset, params);
    expect(errors).toEqual([]);
    const records = JSON.parse((await ask(dataset, values)).results.toString()) as object[];
    for (const record of records) {
      const { columns } = answeredDataset(dataset, params);
      expect(Object.keys(record)).toEqual(columns.map(({ name }) => name));
    }
    return records;
  }

  async function expectNarrower(ask: Ask, dataset: Dataset, name: string): Promise<void> {
    const requests = requestsOf(dataset, name, samples);
    const all = await recordsOf(ask, dataset, requests.without);
    const some = await recordsOf(ask, dataset, requests.with);
    expect(some.length).toBeGreaterThan(0);
    if (REARRANGING.includes(`${dataset.name}: ${name}`)) expect(some).not.toEqual(all);
    else expect(some.length).toBeLessThan(all.length);
    expect(some).toEqual(await recordsOf((...asked) => pageFromRows(rows, ...asked, SLICE), dataset, requests.with));
  }

  it.each(FILTERS)('in the rows of DuckDB: $title', async ({ dataset, name }) => {
    await expectNarrower((...asked) => pageFromRows(rows, ...asked, SLICE), dataset, name);
  });

  it.each(FILTERS.filter(({ dataset, title }) => !FROM_ROWS.includes(dataset.id) && !NOT_IN_FILES.test(title)))(
    'in the sorted files: $title',
    async ({ dataset, name }) => {
      const ask: Ask = async (asked, filters) => {
        const page = files.page?.(asked, filters, SLICE);
        if (!page) throw new Error('The files did not answer');
        return page;
      };
      await expectNarrower(ask, dataset, name);
    },
  );

  it.skipIf(NO_CLICKHOUSE).each(FILTERS)('in ClickHouse: $title', async ({ dataset, name }) => {
    await expectNarrower((...asked) => pageFromRows(clustered, ...asked, SLICE), dataset, name);
  });
});
