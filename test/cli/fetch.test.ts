import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Reply, smallSource } from '../fetch/small-source.js';
import { answersOf, type Known, market, trade, WALLET } from '../fetch/small-wallet.js';
import { COMMAND, endOf, runCommand, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** @param old Whether only the Data API v1 gives activity. */
async function served(known: Known, { old = false } = {}) {
  const answer = answersOf(known);
  const source = await smallSource((asked) => (old && asked.path === '/v2/activity' ? { status: 404 } : answer(asked)));
  const folder = await temporaryFolder();
  const env = {
    ODDSLAB_GAMMA_URL: source.url,
    ODDSLAB_DATA_API_URL: source.url,
    ODDSLAB_CLOB_URL: source.url,
    ODDSLAB_FETCH_RATE: 'unlimited',
  };
  const raw = join(folder, 'raw');
  const run = (...words: string[]) =>
    runHere(['fetch', 'wallet', ...words, '--out', raw, '--data', join(folder, 'data')], env);
  return { source, folder, raw, env, run };
}

const activity = [trade(0), trade(86_400, { side: 'SELL', usdc_size: 50 })];

it('goes from an address to an answer, and says the next command', async () => {
  const { folder, raw, run } = await served({ activity, markets: [market(1)] }, { old: true });
  const { code, out, err } = await run(WALLET.toUpperCase().replace('X', 'x'), '--user-agent', 'me@example.org');
  expect(err).toContain(`${WALLET}: 2 rows of activity, up to `);
  expect(err).toContain('The data folder now holds 1 market, 2 events and 1 wallet (version 000001).');
  const data = join(folder, 'data');
  expect(err).toContain(`Next:\n  $ npx oddslab query pnl --wallet ${WALLET} --granularity 1w --data ${data}\n`);
  expect({ code, out }).toEqual({ code: 0, out: `${join(raw, `wallet-${WALLET}`)}\n` });
  const query = ['query', 'pnl', '--wallet', WALLET, '--granularity', '1w', '--data', data, '--format', 'ndjson'];
  expect(JSON.parse((await runCommand(query)).out)).toMatchObject({ pnl: 10, invested: 40, trades: 2 });
});

it('ends with 3 and what is missing, with dates, where no source has a market; what came is ingested', async () => {
  const known = { activity, markets: [market(2)] };
  const { raw, folder, run } = await served(known, { old: true });
  const { code, err } = await run(WALLET);
  expect(code).toBe(3);
  expect(err.slice(err.indexOf('oddslab:'))).toBe(
    [
      `oddslab: ${join(raw, `wallet-${WALLET}`)} is not complete.`,
      '  missing markets from 2026-04-24 03:06 to 2026-04-25 03:06: no source has a record of 1 market: ' +
        `0x${'1'.padStart(64, '0')}`,
      '  What was fetched is kept; the same command asks for the rest.\n',
    ].join('\n'),
  );
  expect(existsSync(join(folder, 'data', 'current'))).toBe(true);
  known.markets.push(market(1));
  expect(await run(WALLET)).toMatchObject({ code: 0 });
});

it('names the files within the folder of the fetch, and says that a sample lies beside', async () => {
  const { folder, run } = await served({ activity, markets: [market(1)] });
  const data = join(folder, 'data');
  const { err } = await run(WALLET);
  expect(err).toMatch(/^activity\.ndjson: Data API v2 \/activity JSON, 2 rows, 2 kept$/m);
  expect(err).not.toContain('simulated');
  const demo = await runHere(['demo', '--data', data, '--out', join(folder, 'out')]);
  expect(demo).toMatchObject({
    code: 1,
    err: `oddslab: ${data} holds data of your own, and the simulated market would stand among them: name another folder, such as --data sample-data.\n`,
  });
  await mkdir(join(data, 'sample'));
  const again = await run(`https://polymarket.com/profile/${WALLET}?tab=positions`);
  // That a fetch ran again and found nothing new makes no version.
  expect(again.err).toContain('Nothing new: the data folder holds 1 market, 2 events and 1 wallet (version 000001).');
  expect(again.err).toContain(`${WALLET}: 2 rows of activity, 0 of them new, up to `);
  expect(again.err).toContain('The record is complete.');
  expect(again.err).toContain(`${data} also holds the simulated market, whose markets and wallets stand among yours:`);
  expect(again.err).not.toContain('activity.ndjson');
});

it('says that what was fetched is kept, if it is interrupted', async () => {
  const { source, folder, raw, env } = await served({ activity, markets: [market(1)] });
  const words = ['fetch', 'wallet', WALLET, '--out', raw, '--data', join(folder, 'data')];
  const command = startCommand(words, env);
  const answer = source.answer;
  source.answer = async (asked) => {
    if (asked.path.startsWith('/markets')) command.kill('SIGINT');
    return answer(asked);
  };
  const { err } = await endOf(command);
  expect(command.signalCode).toBe('SIGINT');
  expect(err.trim().split('\n').at(-1)).toBe(
    'oddslab: ended by SIGINT; what was fetched is kept, and the same command goes on from there.',
  );
  expect(await runCommand(words, env)).toMatchObject({ code: 0 });
});

it('fetches the others where one of several wallets cannot be fetched', async () => {
  const other = `0x${'2'.repeat(40)}`;
  const { raw, run, source } = await served({ activity, markets: [market(1)] });
  const answer = source.answer;
  source.answer = (asked): Reply | Promise<Reply> =>
    asked.query.get('user') === other ? { json: { data: [], pagination: {} } } : answer(asked);
  const { code, err, out } = await run(other, WALLET, '--no-ingest');
  expect(code).toBe(1);
  expect(err).toContain(`oddslab: ${other} has no activity on Polymarket`);
  expect(out).toBe(`${join(raw, `wallet-${WALLET}`)}\n`);
  expect(await readdir(raw)).toEqual([`wallet-${WALLET}`]);
});

it.each([
  [['jane'], 64, /A wallet is 0x and 40 hex digits; got "jane"\. The address of your wallet stands on your profile/],
  [[`0x${'1'.repeat(64)}`], 64, /that is the id of a market or a transaction/],
  [[WALLET, '--rate', '2'], 64, /--rate must be a number above 0 and up to 1, or "unlimited"; got "2"\./],
  [[WALLET, '--gamma-url', 'gamma'], 64, /--gamma-url or ODDSLAB_GAMMA_URL must be an http or https address/],
  [[WALLET, '--out', '/dev/null/raw'], 1, /Cannot write \/dev\/null\/raw/],
])('refuses %j with one clear message', async (words, code, message) => {
  const { env, folder } = await served({ activity, markets: [] });
  const data = ['--data', join(folder, 'data')];
  const ended = await runHere(['fetch', 'wallet', ...words, ...data], env);
  expect(ended.err).toMatch(message);
  expect(ended.code).toBe(code);
  expect(await readdir(folder)).toEqual([]);
});

/** Much activity and a whole fetch of it, to compare with. */
async function muchFetched() {
  const rows = Array.from({ length: 6000 }, (_, at) => trade(at * 20, { size: at % 7 }));
  const { raw, env, run, source } = await served({ activity: rows, markets: [market(1)], pageSize: 100 });
  expect((await run(WALLET, '--no-ingest')).code).toBe(0);
  const [whole, other] = [raw, join(raw, 'other')].map((out) => join(out, `wallet-${WALLET}`));
  const words = ['fetch', 'wallet', WALLET, '--no-ingest', '--out', join(raw, 'other')];
  const same = async () => {
    for (const name of ['activity.ndjson', 'activity.cursor.json', 'markets.ndjson', 'markets.cursor.json']) {
      expect(await readFile(join(String(other), name), 'utf8'), name).toBe(
        await readFile(join(String(whole), name), 'utf8'),
      );
    }
  };
  return { env, source, words, same, other: String(other) };
}

it('gives the same files, byte for byte, after it was killed again and again', async () => {
  const { env, source, words, same } = await muchFetched();
  const { answer } = source;
  // Slow enough that every kill hits it at work.
  source.answer = async (asked) => {
    await new Promise((done) => setTimeout(done, 100));
    return answer(asked);
  };
  for (const delayMs of [700, 1900, 2600]) {
    const child = startCommand(words, env);
    const ended = endOf(child);
    const asked = source.asked.length;
    await vi.waitFor(() => expect(source.asked.length).toBeGreaterThan(asked), 20_000);
    await new Promise((done) => setTimeout(done, delayMs));
    child.kill('SIGKILL');
    await ended;
  }
  source.answer = answer;
  source.asked.length = 0;
  expect((await runCommand(words, env)).code).toBe(0);
  expect(source.asked[0]?.query.get('cursor')).toMatch(/^c\d+00$/);
  await same();
});

it.skipIf(process.platform === 'win32')('keeps the last whole page on a full disk', async () => {
  const { env, words, same, other } = await muchFetched();
  const full = `trap '' XFSZ; ulimit -f 400; exec ${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} ${words.join(' ')}`;
  const child = spawn('sh', ['-c', full], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const { code, err } = await endOf(child);
  expect(err).toMatch(/^oddslab: Cannot write .*activity\.ndjson: .*\. What was fetched before is kept\.\n$/);
  expect(code).toBe(1);
  const kept = await readFile(join(other, 'activity.ndjson'), 'utf8');
  expect(kept.endsWith('}\n') && kept.split('\n').length % 100).toBe(1);
  expect((await runCommand(words, env)).code).toBe(0);
  await same();
});
