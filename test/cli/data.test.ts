import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readCsv } from '../../src/frame/files/read-csv.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { publishTiny } from '../service/folder/tiny-version.js';
import { gammaMarket, trade } from '../support/raw-records.js';
import { runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

async function threeVersions(): Promise<string> {
  const folder = join(await temporaryFolder(), 'data');
  for (const text of ['one', 'two', 'three']) await publishTiny(folder, text);
  return folder;
}

it('lists versions with tabs between, and as JSON', async () => {
  const data = await threeVersions();
  await rm(join(data, 'versions', '000002', 'wallets.bin'));
  const created = '2026-01-01T00:00:00.000Z';
  expect(await runCommand(['data', 'list', '--data', data])).toEqual({
    code: 0,
    out: `000001\t${created}\t1\t2\t17\t\t\n000002\t\t\t\t\tdamaged\t\n000003\t${created}\t1\t2\t21\tcurrent\t000002\n`,
    err: '',
  });
  const { out } = await runHere(['data', 'list', '--data', data, '--json']);
  expect(JSON.parse(out)).toEqual([
    {
      name: '000001',
      current: false,
      rejected: false,
      base: null,
      created,
      inputs: 1,
      rows: 2,
      bytes: 17,
      problem: null,
    },
    {
      name: '000002',
      current: false,
      rejected: false,
      base: null,
      created: null,
      inputs: null,
      rows: null,
      bytes: null,
      problem: expect.stringContaining('wallets.bin is not there'),
    },
    {
      name: '000003',
      current: true,
      rejected: false,
      base: '000002',
      created,
      inputs: 1,
      rows: 2,
      bytes: 21,
      problem: null,
    },
  ]);
  const empty = await temporaryFolder();
  expect(await runHere(['data', 'list', '--data', empty])).toEqual({ code: 0, out: '', err: '' });
  expect((await runHere(['data', 'list', '--data', empty, '--json'])).out).toBe('[]\n');
});

it('verifies every version or one, and ends with 1 where something is wrong', async () => {
  const data = await threeVersions();
  const words = ['data', 'verify', '--data', data];
  expect(await runHere(words)).toEqual({ code: 0, out: '000001\tok\n000002\tok\n000003\tok\n', err: '' });
  const path = join(data, 'versions', '000002', 'lab.duckdb');
  await chmod(path, 0o644);
  await writeFile(path, 'twa');
  expect(await runCommand(words)).toEqual({
    code: 1,
    out: '000001\tok\n000002\tlab.duckdb\tholds other bytes than were written\n000003\tok\n',
    err: `oddslab: Version 000002 of ${data} is damaged. The current one is whole; the next ingests replace the older ones.
`,
  });
  const told = async (...more: string[]) => (await runHere([...words, ...more])).err;
  expect(await told('000002')).toMatch(
    / is damaged\. The current one was not read; the next ingests replace the older/,
  );
  const current = join(data, 'current');
  const named = await readFile(current);
  await rm(current);
  const lost =
    `The data folder ${data} no longer names its current version: "current" is gone. Switch to one by ` +
    `"oddslab data rollback --data ${data}".`;
  expect(await told()).toBe(`oddslab: Version 000002 of ${data} is damaged. ${lost}\n`);
  const whole = await runHere([...words, '000003']);
  expect(whole).toEqual({ code: 1, out: '000003\tok\n', err: `oddslab: ${lost}\n` });
  await writeFile(current, '');
  expect(await runHere(words)).toMatchObject({
    out: expect.stringMatching(/\n\?\tcurrent\tnames no version\n$/),
    err:
      `oddslab: Versions 000002, ? of ${data} are damaged. The current one is. ` +
      `Switch to a whole one by "oddslab data rollback 000003 --data ${data}".\n`,
  });
  await writeFile(current, named);
  expect(await runHere(['data', 'verify', '000003', '--data', data])).toMatchObject({
    code: 0,
    out: '000003\tok\n',
  });
  expect(await runHere(['data', 'verify', '7', '--data', data])).toMatchObject({
    code: 64,
    err: expect.stringContaining('There is no version 7'),
  });
});

it('rolls back and forth, and says what was and what is', async () => {
  const data = await threeVersions();
  const rollback = (...words: string[]) => runHere(['data', 'rollback', ...words, '--data', data]);
  expect(await rollback()).toEqual({
    code: 0,
    out: '000002\n',
    err: 'Version 000002 is current; it was 000003.\n',
  });
  expect((await runHere(['data', 'list', '--data', data])).out).toMatch(/\trejected\t000002\n$/);
  expect(await rollback('000003')).toMatchObject({ code: 0, err: 'Version 000003 is current; it was 000002.\n' });
  expect(await rollback('000003')).toMatchObject({ code: 0, err: 'Version 000003 is current already.\n' });
  expect(await rollback('3')).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining('it has 000001, 000002'),
  });
  expect(await readFile(join(data, 'current'), 'utf8')).toBe('000003\n');
});

it('names the one to switch to where the current version is damaged, also one that was rolled back from', async () => {
  const data = await threeVersions();
  await runHere(['data', 'rollback', '000001', '--data', data]);
  await rm(join(data, 'versions', '000001', 'lab.duckdb'));
  await rm(join(data, 'versions', '000003', 'lab.duckdb'));
  const [verify, rollback] = [
    ['data', 'verify', '--data', data],
    ['data', 'rollback', '--data', data],
  ];
  const advice = `Switch to a whole one by "oddslab data rollback 000002 --data ${data}".\n`;
  expect((await runCommand(verify)).err).toBe(
    `oddslab: Versions 000001, 000003 of ${data} are damaged. The current one is. ${advice}`,
  );
  expect((await runHere(rollback)).err).toBe(
    `oddslab: There is no whole version before 000001 in ${data} to go back to. ${advice}`,
  );
  await rm(join(data, 'versions', '000002', 'lab.duckdb'));
  const { err } = await runHere(verify);
  expect(err).toMatch(/ The current one is\. No other one is whole: ingest its inputs again into a new folder\.\n$/);
});

it('names a mistyped folder and makes none, nor does "keys"', async () => {
  const folder = await temporaryFolder();
  const typo = join(folder, 'dta');
  const commands = [
    ['data', 'list'],
    ['data', 'rollback'],
    ['keys', 'create'],
    ['keys', 'revoke', 'x'],
  ];
  for (const words of commands) {
    expect(await runHere([...words, '--data', typo]), words.join(' ')).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /There is no data folder .*dta: check its name, or fetch a wallet's record with "oddslab fetch wallet 0x… --data .*load files with "oddslab ingest/,
      ),
    });
  }
  expect(await readdir(folder)).toEqual([]);
  await writeFile(typo, '');
  expect((await runHere(['keys', 'create', '--data', typo])).err).toContain('is a file');
  expect((await stat(typo)).isFile()).toBe(true);
});

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
  const inputs = [
    await put(folder, 'm.json', [{ ...gammaMarket(1), feesEnabled: false }]),
    await put(folder, 't.json', trades),
  ];
  expect(await runHere(['ingest', '--data', data, ...inputs])).toMatchObject({ code: 0 });
  const [one, two] = [trades[0]?.proxyWallet, trades[2]?.proxyWallet];
  const plain = await runHere(['data', 'untracked', '--data', data]);
  const lines = [`${two}\t1000\t1,000`, `${one}\t2.25\t2`].map(
    (line) => `${line} shares left that were never seen to come\n`,
  );
  expect(plain).toEqual({ code: 0, out: lines.join(''), err: '' });
  const { out } = await runHere(['data', 'untracked', '--data', data, '--csv']);
  expect(recordsOf(await readCsv(await put(folder, 'untracked.csv', out)))).toMatchObject([
    { proxy_wallet: two, untracked_shares: 1000, over_redeemed_shares: 0, feeless_fills: 0, unknown_markets: 0 },
    { proxy_wallet: one, untracked_shares: 2.25, last: '2026-01-01T00:01:00Z' },
  ]);
});

it('says that nothing is known to be missing, beside an output without a line', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const inputs = [
    await put(folder, 'm.json', [{ ...gammaMarket(1), feesEnabled: false }]),
    await put(folder, 't.json', [
      trade({ wallet: 1, market: 1, side: 0, does: 'BUY', size: 5, price: 0.5, time: 1_767_225_600 }),
    ]),
  ];
  await runHere(['ingest', '--data', data, ...inputs]);
  const err = `Nothing is known to be missing of any wallet in ${data}.\n`;
  expect(await runHere(['data', 'untracked', '--data', data])).toEqual({ code: 0, out: '', err });
});

it('says where there is nothing to look at', async () => {
  const data = join(await temporaryFolder(), 'my data');
  await mkdir(data);
  const { code, err } = await runHere(['data', 'untracked', '--data', data]);
  const said = `${data} holds no data yet: oddslab ingest FILES --data '${data}'`;
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(said) });
});
