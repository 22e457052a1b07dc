import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openLab } from '../../src/lab.js';
import { isAbsent } from '../support/is-absent.js';
import { activity } from '../support/raw-records.js';
import { COMMAND, endOf, runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { smallRecords } from '../support/small-market.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';
import { withoutNative } from '../support/without-native.js';

const records = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

it.skipIf(isAbsent(records, 'the report over real records'))('accounts for each row of the real records', async () => {
  const folder = await temporaryFolder();
  const names = ['gamma_markets.json', 'data_api_trades.json', 'data_api_activity.json', 'trades.csv'];
  const ended = await runCommand(['ingest', '--data', folder, ...names.map((name) => join(records, name))]);
  expect(ended.code).toBe(0);
  const manifest = JSON.parse(readFileSync(ended.out.trim(), 'utf8'));
  const lines = readFileSync(join(records, 'trades.csv'), 'utf8').trim().split(/\r?\n/).length - 1;
  const sizes = names.slice(0, 3).map((name) => JSON.parse(readFileSync(join(records, name), 'utf8')).length);
  expect(manifest.inputs.map(({ rows }: { rows: number }) => rows)).toEqual([...sizes, lines]);
  for (const { rows, kept, skipped } of manifest.inputs) {
    const lost = Object.values<number>(skipped).reduce((sum, n) => sum + n, 0);
    expect(kept + lost).toBe(rows);
  }
  const kept = manifest.inputs.map((input: { kept: number }) => input.kept);
  expect(manifest.totals).toMatchObject({ events: kept[1] + kept[2] + kept[3] });
  expect(ended.err).toContain('Gamma /markets JSON, 289 rows');
  const again = await runCommand(['ingest', '--data', folder, join(records, 'trades.csv')]);
  expect(again).toMatchObject({
    code: 0,
    out: ended.out,
    err: expect.stringMatching(/was read before[\s\S]*\nNothing new: the data folder holds /),
  });
});

it('may be run again where nothing of an input is right, and says what is wrong with it', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const { markets, trades } = smallRecords();
  const held = await runHere(['ingest', '--data', data, await put(folder, 'm.json', markets)]);
  const bad = await put(folder, 'bad.json', [{ ...trades[0], side: 'HOLD' }]);
  const why = `${bad}: Data API /trades JSON or CSV, 1 row, 0 kept\n  skipped 1: side is neither BUY nor SELL (line 1)\n`;
  for (const options of [[], ['--dry-run'], []]) {
    const { code, out, err } = await runHere(['ingest', '--data', data, ...options, bad]);
    expect([code, out]).toEqual([0, options.length > 0 ? '' : held.out]);
    expect(err).toContain(why);
    expect((await readdir(data)).sort()).toEqual(['current', 'versions']);
  }
  const more = ['ingest', '--data', data, await put(folder, 't.json', trades), bad];
  const { inputs } = JSON.parse(readFileSync((await runHere(more)).out.trim(), 'utf8'));
  expect(inputs).toMatchObject([{ kept: 12 }, { kept: trades.length }, { kept: 0 }]);
  expect(await runHere(more)).toMatchObject({
    code: 0,
    err: expect.stringMatching(/bad.json: its content was read before; nothing to do[\s\S]*\nNothing new: /),
  });
});

it('names a doubtful row of many files with its own format alone', async () => {
  const folder = await temporaryFolder();
  const { trades } = smallRecords();
  const paths = await Promise.all(trades.slice(0, 20).map((trade, n) => put(folder, `${n}.json`, [trade])));
  const wrong = { ...trades[0], side: 'HOLD' };
  const fills = await put(folder, 'fills.json', [trades[20], wrong]);
  const all = await put(folder, 'all.json', [activity('TRADE', 1, { ...wrong, type: 'TRADE' })]);
  const { err } = await runHere(['ingest', '--data', join(folder, 'data'), ...paths, fills, all]);
  const why = 'skipped 1: side is neither BUY nor SELL';
  expect(err).toContain(`21 files: Data API /trades JSON or CSV, 22 rows, 21 kept\n  ${why} (${fills} record 2)\n`);
  expect(err).toContain(`1 file: Data API /activity JSON, 1 row, 0 kept\n  ${why} (${all} line 1)\n`);
});

it('says that the engine is not installed, and does not blame the folder', async () => {
  const folder = await temporaryFolder();
  const markets = await put(folder, 'm.json', smallRecords().markets);
  const env = { NODE_OPTIONS: await withoutNative(/duckdb\.node$/) };
  expect(await runCommand(['ingest', '--data', join(folder, 'data'), markets], env)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^oddslab: @duckdb\/node-api cannot be loaded on .* npm install again .*\n$/),
  });
});

it.skipIf(process.platform === 'win32')('says how to raise the limit of open files', async () => {
  const folder = await temporaryFolder();
  const markets = await put(folder, 'm.json', smallRecords().markets);
  const words = ['-c', 'ulimit -n 48; exec "$@"', 'sh', process.execPath, COMMAND, 'ingest', '--data', folder, markets];
  const { code, err } = await endOf(spawn('sh', words));
  // Newer Node.js opens fewer files at a time.
  const told = 'oddslab: too many files are open. Raise the limit: ulimit -n NUMBER\n';
  expect([code, err]).toEqual(code === 0 ? [0, expect.stringContaining('12 markets')] : [1, told]);
});

it.each(['md:x', 's3:x', 'file:x', '~'])('reads and writes the folder %s where the system sees it', async (data) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, data));
  await put(folder, join(data, 'm.json'), smallRecords().markets);
  const cwd = process.cwd();
  onTestFinished(() => process.chdir(cwd));
  process.chdir(folder);
  const words = ['ingest', '--data', join(data, 'data'), join(data, 'm.json')];
  const { code, out, err } = await runHere(words, { HOME: '/nowhere' });
  expect([code, out, err]).toEqual([0, expect.stringContaining(data), expect.stringContaining('12 markets')]);
});

it('refuses a data folder whose path has a ?, which the engine cannot write', async () => {
  const folder = join(await temporaryFolder(), 'a?b');
  expect(await runHere(['ingest', '--data', join(folder, 'data'), 'm.json'])).toEqual({
    code: 1,
    out: '',
    err: `oddslab: The data folder ${folder}/data cannot be written, as the database takes the ? in its path for the end of a name: choose a folder without one.\n`,
  });
});

it('begins its report with what is missing where trades were read without their markets, and a lab says it, too', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'my data');
  const { markets, trades } = smallRecords();
  const [m, t] = [await put(folder, 'm.json', markets), await put(folder, 't.json', trades)];
  const headline = new RegExp(
    `^MARKETS ARE MISSING\\. All trades and other events \\(${trades.length}\\) [\\s\\S]+\\n {2}\\$ oddslab ingest --data '${data}' markets\\.json\\n\\n${t}: `,
  );
  expect((await runHere(['ingest', '--data', data, t, '--dry-run'])).err).toMatch(headline);
  expect((await runHere(['ingest', '--data', data, t])).err).toMatch(headline);
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const opened = async () => (await openLab({ data })).close();
  await opened();
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/^MARKETS ARE MISSING[\s\S]+not to be relied on\.\n/)]]);
  const both = await runHere(['ingest', '--data', data, m]);
  expect(both.err).not.toContain('MISSING');
  await opened();
  expect(warned).toHaveBeenCalledTimes(1);
  const { totals } = JSON.parse(readFileSync(both.out.trim(), 'utf8'));
  expect(totals).toMatchObject({ markets: markets.length, events: trades.length });
});

it('names a wrong input, a missing one and an unknown option, and leaves nothing', async () => {
  const folder = await temporaryFolder();
  const page = await put(folder, 'page.html', '<html><body>Too many requests, sorry</body></html>');
  const data = join(folder, 'data');
  expect(await runHere(['ingest', '--data', data, page])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(page),
  });
  expect(await runHere(['ingest', '--data', data, join(folder, 'none')])).toMatchObject({ code: 1, out: '' });
  expect(await runHere(['ingest', '--dta', data, page])).toMatchObject({ code: 64, out: '' });
  expect(await runHere(['ingest', '--data', data])).toMatchObject({ code: 64, out: '' });
  expect(await readdir(folder)).toEqual(['page.html']);
});

it('reads what it knows and ends with 3 if something else was named, but not for a folder or the empty last page', async () => {
  const folder = await temporaryFolder();
  const raw = join(folder, 'raw');
  await mkdir(raw);
  const { markets, trades } = smallRecords();
  const [m, page] = [
    await put(raw, 'm.json', markets),
    await put(raw, 'page.html', '<html>Too many requests, sorry</html>'),
  ];
  const last = await put(raw, 'last.json', { markets: [] });
  const lastOfTwo = await put(raw, 'last-v2.json', { data: [], pagination: { has_more: false, next_cursor: '' } });
  const other = await put(raw, 'other.json', [{ a: 1 }]);
  const named = (data: string, ...words: string[]) => runHere(['ingest', '--data', join(folder, data), ...words]);
  expect(await named('a', raw)).toMatchObject({ code: 0, err: expect.stringContaining(`left: ${page} has no format`) });
  expect(await named('b', m, last)).toMatchObject({ code: 0, err: expect.stringContaining('a page without a record') });
  expect(await named('d', m, lastOfTwo)).toMatchObject({
    code: 0,
    err: expect.stringContaining(`${lastOfTwo} is a page without a record`),
  });
  for (const words of [[], ['--dry-run'], []]) {
    const { code, out, err } = await named('c', m, page, other, last, ...words);
    expect([code, out === '']).toEqual([3, words.length > 0]);
    expect(err).toContain(`oddslab: Not ingested, since ingest knows no format like theirs: ${page}, ${other}. `);
  }
  expect(await named('c', raw, await put(folder, 't.json', trades))).toMatchObject({
    code: 0,
    err: expect.stringMatching(/The data folder now holds 12 markets, \d+ events/),
  });
  expect(await named('d', page)).toMatchObject({ code: 1, out: '' });
});

it("says what poly_data's fills lack by their nature", async () => {
  const folder = await temporaryFolder();
  const header = 'timestamp,market_id,maker,nonusdc_side,maker_direction,usd_amount,token_amount';
  const row = `2026-05-01T12:00:00.000000,0x${'1'.repeat(64)},0x${'2'.repeat(40)},token1,BUY,40,100`;
  const fills = await put(folder, 'trades.csv', `${header}\n${row}\n`);
  const { err } = await runHere(['ingest', '--data', join(folder, 'data'), fills]);
  expect(err).toMatch(/, 1 row, 1 kept\nnote: poly_data trades.csv: these files state no fees and, .*missing\n/);
});

/** Mounts a small memory disk; false where this user may not. */
function mount(place: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'none', place], { stdio: 'pipe' });
  } catch (error) {
    console.warn(`skipped: cannot mount a disk here: ${(error as Error).message.split('\n').at(-1)}`);
    return false;
  }
  onTestFinished(() => void execFileSync('umount', [place]));
  return true;
}

it.each([
  ['full', 'size=1m', 'the disk is full'],
  ['read-only', 'ro,size=1m', 'the file system is read-only'],
])('says that the disk is %s, and leaves nothing there', async (_, options, message) => {
  const folder = await temporaryFolder();
  const disk = join(folder, 'disk');
  await mkdir(disk);
  const { markets, trades } = smallRecords();
  const inputs = [await put(folder, 'm.json', markets), await put(folder, 't.json', trades)];
  if (!mount(disk, options)) return;
  const ended = await runCommand(['ingest', '--data', disk, ...inputs]);
  expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
  expect(await readdir(disk)).toEqual([]);
  const keys = await runCommand(['keys', 'create', '--data', disk]);
  expect(options.startsWith('ro') ? keys.err : message).toContain(message);
});
