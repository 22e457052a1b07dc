import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCsv } from '../../src/frame/files/read-csv.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { gammaMarket, trade } from '../support/raw-records.js';
import { runCommand } from '../support/run-command.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

const time = 1_767_225_600;

it('prints the wallets that sold what they were not seen to get', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const shared = { market: 1, side: 0, price: 0.5, time } as const;
  const trades = [
    trade({ ...shared, wallet: 1, does: 'BUY', size: 10 }),
    trade({ ...shared, wallet: 1, does: 'SELL', size: 12.25, time: time + 60 }),
    trade({ ...shared, wallet: 2, does: 'SELL', size: 1000 }),
    trade({ ...shared, wallet: 3, does: 'BUY', size: 5 }),
  ];
  const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 't.json', trades)];
  expect(await runCommand(['ingest', '--data', data, ...inputs])).toMatchObject({ code: 0 });
  const [one, two] = [trades[0]?.proxyWallet, trades[2]?.proxyWallet];
  const plain = await runCommand(['data', 'untracked', '--data', data]);
  expect(plain).toEqual({ code: 0, out: `${two}\t1000\n${one}\t2.25\n`, err: '' });
  const { out } = await runCommand(['data', 'untracked', '--data', data, '--csv']);
  expect(recordsOf(await readCsv(await put(folder, 'untracked.csv', out)))).toEqual([
    { proxy_wallet: two, untracked_shares: 1000 },
    { proxy_wallet: one, untracked_shares: 2.25 },
  ]);
});

it('says where there is nothing to look at', async () => {
  const data = join(await temporaryFolder(), 'my data');
  await mkdir(data);
  const { code, err } = await runCommand(['data', 'untracked', '--data', data]);
  const said = `${data} holds no data yet: oddslab ingest FILES --data '${data}'`;
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(said) });
});
