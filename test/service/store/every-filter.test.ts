import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATASETS, type Dataset } from '../../../src/contract/dataset.js';
import type { Parameter } from '../../../src/contract/definition.js';
import { readFilters } from '../../../src/contract/filters.js';
import { dateOfDay } from '../../../src/contract/time.js';
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
}

function samplesOf({ market, wallets, traded, day }: Known): Samples {
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
    },
    lifetime: { wallet_address: wallet },
  };
}

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

const SLICE = { limit: 1000, offset: 0 };

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
    const others = await db.rows<{ wallet: string }>(
      `SELECT wallet FROM lifetimes WHERE wallet <> '${traded?.wallet}' AND trades > 99 ORDER BY 1`,
    );
    if (!market || !traded) throw new Error('The made data lack what the filters ask for');
    const wallets = [traded.wallet, ...others.map(({ wallet }) => wallet)];
    return { market, wallets, traded: traded.id, day: traded.day };
  }

  type Ask = (dataset: Dataset, filters: Record<string, unknown>) => Promise<RecordPage>;

  async function recordsOf(ask: Ask, dataset: Dataset, params: Params): Promise<object[]> {
    const { values, errors } = readFilters(dataset, params);
    expect(errors).toEqual([]);
    const records = JSON.parse((await ask(dataset, values)).results.toString()) as object[];
    for (const record of records) expect(Object.keys(record)).toEqual(dataset.columns.map(({ name }) => name));
    return records;
  }

  async function expectNarrower(ask: Ask, dataset: Dataset, name: string): Promise<void> {
    const requests = requestsOf(dataset, name, samples);
    const all = await recordsOf(ask, dataset, requests.without);
    const some = await recordsOf(ask, dataset, requests.with);
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    expect(some).toEqual(await recordsOf((...asked) => pageFromRows(rows, ...asked, SLICE), dataset, requests.with));
  }

  it.each(FILTERS)('in the rows of DuckDB: $title', async ({ dataset, name }) => {
    await expectNarrower((...asked) => pageFromRows(rows, ...asked, SLICE), dataset, name);
  });

  it.each(FILTERS)('in the sorted files: $title', async ({ dataset, name }) => {
    const ask: Ask = async (asked, filters) => {
      const page = files.page?.(asked, filters, SLICE);
      if (!page) throw new Error('The files did not answer');
      return page;
    };
    await expectNarrower(ask, dataset, name);
  });

  it.skipIf(NO_CLICKHOUSE).each(FILTERS)('in ClickHouse: $title', async ({ dataset, name }) => {
    await expectNarrower((...asked) => pageFromRows(clustered, ...asked, SLICE), dataset, name);
  });
});
