import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/client/connect.js';
import { column } from '../../src/frame/tabular/column-values.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../src/service/sample/simulate-sample.js';
import { type Service, serve } from '../../src/service/serve-folder.js';
import { type ReadSample, readSample, replay } from '../service/simulate-replay.js';
import { ask } from '../support/serve-folder.js';

let folder: string;
let service: Service;
let sample: ReadSample;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-e2e-'));
  const { files } = await simulate({ out: join(folder, 'sample'), markets: 1200, wallets: 60, fills: 20_000 });
  await ingest({ folder, inputs: files });
  sample = await readSample(join(folder, 'sample'));
  service = await serve({ folder, port: 0, open: true });
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

it('every wallet has the profit that a naive replay of the raw records finds', async () => {
  const expected = replay(sample, 'arriving').wallets;
  const client = connect({ baseUrl: service.url });
  const lifetimes = await client.lifetime({ wallet: [...expected.keys()] }).frame();
  await client.close();
  const wallets = column(lifetimes, 'proxy_wallet');
  expect([...wallets].sort()).toEqual([...expected.keys()].sort());
  const [pnl, invested] = [column(lifetimes, 'total_pnl'), column(lifetimes, 'total_invested')];
  wallets.forEach((wallet, row) => {
    // The replay rounds nothing, the ledger each cost to the micro-dollar.
    expect(pnl[row], wallet).toBeCloseTo(expected.get(wallet)?.pnl ?? Number.NaN, 2);
    expect(invested[row], wallet).toBeCloseTo(expected.get(wallet)?.invested ?? Number.NaN, 2);
  });
});

it('the buckets of every granularity add up to the lifetime', async () => {
  const client = connect({ baseUrl: service.url });
  const [wallet = ''] = replay(sample).wallets.keys();
  const total = column(await client.lifetime({ wallet }).frame(), 'total_pnl')[0];
  for (const granularity of ['1d', '3d', '1w', '1m', 'all'] as const) {
    const pnl = column(await client.pnl({ wallet, granularity }).frame(), 'pnl');
    expect(pnl.reduce((sum, value) => sum + value, 0)).toBeCloseTo(total ?? Number.NaN, 6);
  }
  await client.close();
});

it('says exactly whether more follows, also at the largest limit', async () => {
  const page = async (limit: number, offset: number) => {
    const { json } = await ask(service.url, { agent_id: 574, pagination: { limit, offset } });
    return { rows: json.data.results.length, has_more: json.pagination.has_more };
  };
  expect(await page(1000, 0)).toEqual({ rows: 1000, has_more: true });
  expect(await page(1000, 200)).toEqual({ rows: 1000, has_more: false });
  expect(await page(1000, 1000)).toEqual({ rows: 200, has_more: false });
  expect(await page(200, 1200)).toEqual({ rows: 0, has_more: false });
});

it('pages of any size are the same frame', async () => {
  const ids = async (pageSize: number) => {
    const client = connect({ baseUrl: service.url, pageSize });
    const frame = await client.markets().frame();
    await client.close();
    return column(frame, 'condition_id');
  };
  const whole = await ids(1000);
  expect(whole.length).toBe(1200);
  expect(await ids(37)).toEqual(whole);
});
