import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../src/base/whole-file.js';
import { ownWallets } from '../../src/cli/prepare-lab.js';
import { gammaMarket, trade } from '../support/raw-records.js';
import { runHere } from '../support/run-here.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

const fill = { market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: 1_767_225_600 } as const;

it('tells notebooks of the wallets of data of one’s own, and where the data are', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const trades = [1, 2, 2].map((wallet, at) => trade({ ...fill, wallet, time: fill.time + at }));
  const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 't.json', trades)];
  expect(await ownWallets(data)).toEqual([]);
  expect(await runHere(['ingest', '--data', data, ...inputs])).toMatchObject({ code: 0 });
  const busiest = [trades[1]?.proxyWallet, trades[0]?.proxyWallet];
  expect(await ownWallets(data)).toEqual(busiest);
  const script = await put(folder, 'told.ts', 'console.log(process.env.ODDSLAB_WALLETS, process.env.ODDSLAB_DATA);\n');
  const own = { ODDSLAB_DATA: relative('.', data) };
  const run = await runHere(['run', script, '--out', join(folder, 'out')], own);
  expect(run).toMatchObject({ code: 0 });
  const told = await readFile(join(folder, 'out', 'told.ipynb'), 'utf8');
  expect(told).toContain(`${busiest.join(',')} ${data}`);
  await makeFolder(join(data, 'sample'));
  await writeFile(join(data, 'sample', 'trades.json'), '[]');
  expect(await ownWallets(data)).toEqual([]);
});

it('tells notebooks of the wallets that were fetched, also beside the sample', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const [one, other] = [1, 2].map((wallet) => trade({ ...fill, wallet, time: fill.time + wallet }));
  const raw = join(folder, `wallet-${one?.proxyWallet}`);
  await makeFolder(raw);
  const ended = '2026-01-02T00:00:00.000Z';
  const status = { started: ended, ended, complete: true, until: fill.time + 9, missing: [] };
  await put(raw, 'fetch.json', { oddslab_fetch: 1, kind: 'wallet', target: one?.proxyWallet, ...status });
  await put(raw, 'activity.ndjson', JSON.stringify({ ...one, type: 'TRADE', usdcSize: 4 }));
  const trades = [other, { ...other, timestamp: fill.time + 5 }];
  const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 't.json', trades), raw];
  expect(await runHere(['ingest', '--data', data, ...inputs])).toMatchObject({ code: 0 });
  await makeFolder(join(data, 'sample'));
  await writeFile(join(data, 'sample', 'trades.json'), '[]');
  expect(await ownWallets(data)).toEqual([one?.proxyWallet]);
});
