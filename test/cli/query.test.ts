import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/accounts/api-keys.js';
import { type Service, serve } from '../../src/service/serve-folder.js';
import { activity, gammaMarket, trade, walletOf } from '../support/raw-records.js';
import { COMMAND, endOf, runCommand, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { serveFolder } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-cli-'));
  await ingestSmall(folder);
  service = await serve({ folder, port: 0, open: true });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const query = (...words: string[]) => runHere(['query', ...words], { ODDSLAB_URL: service.url });
/** For what is about the process itself, or its own service over the data. */
const spawned = (...words: string[]) => runCommand(['query', ...words], { ODDSLAB_URL: service.url });
const embedded = (...words: string[]) => runCommand(['query', ...words], { ODDSLAB_DATA: folder });
/** Nothing on stderr but what wallets' records lack. */
const WARNED = expect.stringMatching(/^(0x[0-9a-f]{40}: .*\n)*$/);
/** A line for a shell. */
const line = (...words: string[]) => [`"${process.execPath}" "${COMMAND}" query`, ...words].join(' ');

describe('oddslab query', () => {
  it('prints records alone on stdout, in each form', async () => {
    const filters = ['markets', '--closed', 'True', '--min-volume=2000'];
    const ndjson = await embedded(...filters, '--format', 'ndjson');
    const table = await spawned(...filters, '--format', 'table');
    const json = await query(...filters, '--format', 'json');
    const csv = await query(...filters, '--format', 'csv');
    expect([ndjson, json, csv, table].map((each) => [each.code, each.err])).toEqual(Array(4).fill([0, '']));
    const records = JSON.parse(json.out);
    expect(records.map(({ slug }: { slug: string }) => slug)).toEqual(['will-it-happen-3', 'will-it-happen-2']);
    expect(
      ndjson.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(records);
    expect(csv.out.split(/\r?\n/, 1)[0]).toBe(Object.keys(records[0]).join(','));
    expect(table.out).toMatch(/event-3.*\n.*event-2/);
  });

  it('writes a file whole, prints its path, and leaves nothing beside it', async () => {
    const out = join(folder, 'out.csv');
    expect(await spawned('pnl', '--wallet', walletOf(1), '--format', 'csv', '--out', out)).toMatchObject({
      code: 0,
      out: `${out}\n`,
    });
    expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(41);
    const failed = await spawned('markets', '--out', join(folder, 'none', 'x.csv'));
    expect(failed).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^oddslab: Cannot write .*folder does not exist/),
    });
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('writes the form that the name of the file says, compressed where it ends in .gz', async () => {
    const filters = ['pnl', '--wallet', `${walletOf(1)},${walletOf(2)}`];
    const records = (await query(...filters, '--format', 'ndjson')).out;
    const written = async (name: string) => {
      const out = join(folder, name);
      expect(await query(...filters, '--out', out)).toEqual({ code: 0, out: `${out}\n`, err: WARNED });
      return readFile(out);
    };
    expect(records.split('\n').length).toBeGreaterThan(41);
    expect((await written('all.ndjson')).toString()).toBe(records);
    expect(gunzipSync(await written('all.jsonl.gz')).toString()).toBe(records);
    const lines = records.trim().split('\n');
    expect((await written('all.json')).toString()).toBe(`[${lines.join(',\n')}]\n`);
    const csv = (await query(...filters, '--format', 'csv')).out;
    expect(gunzipSync(await written('all.csv.gz')).toString()).toBe(csv);
    expect(csv.trim().split('\n')).toHaveLength(lines.length + 1);
    expect((await written('all.parquet')).subarray(0, 4).toString()).toBe('PAR1');
    expect((await written('all.arrow')).subarray(0, 6).toString()).toBe('ARROW1');
    const piped = (await spawned(...filters, '--format', 'parquet')).out;
    expect([piped.slice(0, 4), piped.slice(-4)]).toEqual(['PAR1', 'PAR1']);
  });

  it('chooses columns and a number of records, and keeps amounts exact', async () => {
    const chosen = ['--columns', 'trades,pnl,date', '--limit', '3', '--format', 'csv'];
    const { out } = await query('pnl', '--wallet', walletOf(1), ...chosen, '--exact');
    expect(out.split('\n').slice(0, 2)).toEqual(['trades,pnl,date', expect.stringMatching(/^2,0\.4,2026-01-01/)]);
    expect(out.trim().split('\n')).toHaveLength(4);
    expect((await query('markets', '--limit', '2', '--columns', 'slug')).out.split('\n').slice(2)).toEqual([
      'will-it-happen-12',
      'will-it-happen-11',
      '2 rows × 1 column',
      '',
    ]);
    const none = await query('markets', '--min-volume', '1e9', '--columns', 'slug,closed', '--format', 'csv');
    expect(none).toMatchObject({ code: 0, out: 'slug,closed\n', err: '' });
  });

  it('takes each of several wallets, named one by one', async () => {
    const format = ['--format', 'csv'];
    const both = ['--wallet', walletOf(1), '--granularity', '1w', `--wallet=${walletOf(2)}`];
    const listed = ['--wallet', `${walletOf(1)},${walletOf(2)}`, '--granularity', '1w'];
    const { code, out } = await query('pnl', ...both, ...format);
    expect([code, out]).toEqual([0, (await query('pnl', ...listed, ...format)).out]);
    expect([out.includes(walletOf(1)), out.includes(walletOf(2))]).toEqual([true, true]);
  });

  it('lists wallets, tells their positions, and their profit by market', async () => {
    const csv = ['--format', 'csv'];
    const { code, out } = await query('wallets', '--top', '2', '--by', 'pnl', '--columns', 'rank,address', ...csv);
    expect([code, out]).toEqual([0, expect.stringMatching(/^rank,address\n1,0x[0-9a-f]{40}\n2,0x[0-9a-f]{40}\n$/)]);
    const listed = await query('leaderboard', '--limit', '2', '--sort-by', 'pnl', '--columns', 'rank,address', ...csv);
    expect(listed.out).toBe(out);
    const wallet = /0x\w+/.exec(out)?.[0] ?? '';
    const held = await query('positions', '--wallet', wallet, '--columns', 'proxy_wallet,outcome,shares', ...csv);
    expect(held.out).toContain(wallet);
    const by = ['--by', 'market', '--granularity', 'all', '--columns', 'condition_id,event_slug,category,pnl', ...csv];
    expect((await query('pnl', '--wallet', wallet, ...by)).out).toMatch(/^condition_id,event_slug,category,pnl\n0x/);
  });

  it('says in one line what a leaderboard covers: its days, of how many wallets, and how complete the records are', async () => {
    for (const words of [
      ['wallets', '--top', '1'],
      ['leaderboard', '--limit', '1', '--format', 'csv'],
    ]) {
      const { code, err } = await query(...words);
      expect(code).toBe(0);
      expect(err.split('\n')[0]).toMatch(
        /^2026-01-01 to 2026-02-\d\d, 1 of 2 wallets, (1 record of those listed not complete|all records listed complete)$/,
      );
    }
    const none = await query('wallets', '--min-trades', '999999');
    expect([none.code, none.err]).toEqual([
      0,
      expect.stringMatching(/^2026-01-01 to 2026-02-\d\d, none of 2 wallets\n$/),
    ]);
    const { err } = await query('wallets', '--leaderboard-period', '1d', '--format', 'csv');
    expect(err).toMatch(/^2026-02-(\d\d) to 2026-02-\1, \d of \d wallets?, /);
  });

  it('shows in a table of 80 columns what profit is told by, and takes sides and choices in any case', async () => {
    for (const [by, column] of [
      ['category', 'category'],
      ['event', 'event_slug'],
      ['MARKET', 'question'],
    ] as const) {
      const { code, out } = await query('pnl', '--wallet', walletOf(1), '--by', by, '--granularity', 'all');
      expect(code).toBe(0);
      expect(out.split('\n')[0]?.split(/ +/).slice(0, 3)).toContain(column);
      expect(out.split('\n')[0]).toMatch(/ pnl\b/);
    }
    const csv = ['--wallet', walletOf(1), '--format', 'csv'];
    const bought = await query('trades', ...csv, '--side', 'BUY');
    expect(bought.out.split('\n').length).toBeGreaterThan(30);
    expect((await query('trades', ...csv, '--side', 'buy')).out).toBe(bought.out);
    expect((await query('trades', ...csv, '--side', 'all')).out).toBe((await query('trades', ...csv)).out);
  });

  it('gives another program all rows and columns of a table', async () => {
    const wallet = ['--wallet', walletOf(1)];
    const all = (await query('trades', ...wallet, '--format', 'csv')).out.trim().split(/\r?\n/);
    for (const full of [[], ['--full']]) {
      const [heads = '', , ...lines] = (await query('trades', ...wallet, ...full)).out.trim().split('\n');
      const names = (all[0] ?? '').split(',');
      // An id says what wallet and time say, in more room.
      expect(heads.trim().split(/ +/)).toEqual([...names.slice(1), 'id']);
      expect(lines.filter((line) => !/^[!…]| × /.test(line))).toHaveLength(all.length - 1);
    }
  });

  it('notes once, in its own words, that a day as the end of fills is its first second', async () => {
    const day = ['trades', '--start-time', '2026-01-05', '--format', 'ndjson', '--columns', 'timestamp'];
    const times = ({ out }: { out: string }) => out.split('\n').filter((line) => line !== '');
    const [second, whole] = [
      await spawned(...day, '--end-time', '2026-01-05'),
      await spawned(...day, '--end-time', '2026-01-05T23:59:59Z'),
    ];
    const note = 'note: --end-time 2026-01-05 is the first second of that day in UTC, ';
    const remedy = ': to have the whole day, write 2026-01-05T23:59:59Z.\n';
    expect([second.code, second.err]).toEqual([0, `${note}so that second alone is asked for${remedy}`]);
    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(new Set(times(second))).toEqual(new Set(['{"timestamp":"2026-01-05T00:00:00Z"}']));
    expect(times(whole).length).toBeGreaterThan(times(second).length);
    const until = await query('trades', '--endTime', '2026-01-05', '--format', 'csv');
    expect(until.err).toBe(
      `${note.replace('--end-time', '--endTime')}so the day is left out but for that second${remedy}`,
    );
    const pnl = await query('pnl', '--wallet', walletOf(1), '--end-time', '2026-01-05', '--format', 'csv');
    expect(pnl.err).toEqual(WARNED);
  });

  it('tells of a list of markets which are not known, beside the records of the others', async () => {
    const known = JSON.parse((await query('markets', '--limit', '1', '--format', 'json')).out)[0].condition_id;
    const stranger = `0x${'f'.repeat(64)}`;
    const { code, out, err } = await query('trades', '--condition-id', `${known},${stranger}`, '--format', 'csv');
    expect([code, err]).toEqual([5, `oddslab: not known: no market of the data has the condition id "${stranger}"\n`]);
    expect(out.split('\n').length).toBeGreaterThan(2);
  });

  it('answers again from a snapshot, without a service', async () => {
    const snapshot = join(folder, 'snapshot');
    const words = ['markets', '--closed', 'True', '--format', 'csv', '--snapshot', snapshot];
    const recorded = await query(...words);
    expect(recorded.code).toBe(0);
    const replayed = await runHere(['query', ...words, '--mode', 'replay', '--data', '/nowhere/at/all']);
    expect(replayed).toEqual(recorded);
  });

  it('writes a table into a file with all its rows and columns', async () => {
    const out = join(folder, 'pnl.txt');
    expect((await query('pnl', '--wallet', walletOf(1), '--out', out)).code).toBe(0);
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
    expect([lines.length, lines.at(-2), lines.filter((line) => line.includes('…') && !/\w…\w/.test(line))]).toEqual([
      // Below the size stands the mark of what the record lacks.
      44,
      '40 rows × 8 columns',
      [],
    ]);
    const markets = join(folder, 'markets.txt');
    await query('markets', '--out', markets);
    const [heads = '', , ...rows] = (await readFile(markets, 'utf8')).trimEnd().split('\n');
    expect([heads.split(/ +/).filter((head) => head !== '').length, rows.at(-1)]).toEqual([
      14,
      `${rows.length - 1} rows × 14 columns`,
    ]);
  });

  it('leaves stdout to the records where it is named as the file', async () => {
    const words = ['pnl', '--wallet', walletOf(1), '--format', 'ndjson'];
    const records = await query(...words);
    expect(await spawned(...words, '--out', '/dev/stdout')).toEqual(records);
    const piped = `${line(...words, '--url', service.url)} --out /proc/self/fd/1 | cat`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', piped]);
    expect([stdout, stderr]).toEqual([records.out, WARNED]);
  });

  it('says why it could not write to stdout', async () => {
    for (const format of ['ndjson', 'table', 'parquet']) {
      const place = format === 'table' ? `--data "${folder}"` : `--url ${service.url}`;
      const full = `${line('markets', place, '--format', format)} > /dev/full`;
      const failed = await promisify(execFile)('bash', ['-c', full]).catch((error: unknown) => error);
      expect(failed).toMatchObject({
        code: 1,
        stderr: 'oddslab: Cannot write to stdout: the disk is full; free some space or choose another folder.\n',
      });
    }
  });

  it('leaves no file behind when it is interrupted, and an older one as it was', async () => {
    const out = await put(folder, 'kept.csv', 'older');
    const silent = createServer(() => {});
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as AddressInfo;
    const child = startCommand(['query', 'markets', '--url', `http://127.0.0.1:${port}`, '--out', out]);
    const ended = endOf(child);
    await once(silent, 'connection');
    child.kill('SIGINT');
    expect((await ended).err).toContain('ended by SIGINT');
    expect(child.signalCode).toBe('SIGINT');
    silent.closeAllConnections();
    silent.close();
    expect(await readFile(out, 'utf8')).toBe('older');
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('teaches by examples', async () => {
    const { out } = await query('--help');
    expect(out).toMatch(/Examples:\n {2}.*\n {2}\$ oddslab query markets/);
    expect(out).toContain('--min-volume');
  });

  it.each<[string[], number, RegExp]>([
    [['markets', '--out', 'markets'], 64, /does not say which form/],
    [['markets', '--columns', 'slugs'], 64, /"slugs", which is no column of this dataset\. Did you mean "slug"/],
    [['markets', '--limit', '0'], 64, /--limit must be a whole number from 1/],
    [['markets', '--mode', 'replay'], 64, /there is no snapshot/],
    [['wallets', '--top', 'x'], 64, /--top needs a whole number of 1 or more, such as --top 20; got "x"/],
    [['wallets', '--by', 'luck'], 64, /^oddslab: --by must be one of pnl, roi, .*sharpe; got "luck"/],
    [['wallets', '--sort-by', 'luck'], 64, /^oddslab: --sort-by must be one of/],
    [['market'], 64, /no dataset "market"; did you mean "markets"\? Give one of markets, /],
    [['nothing'], 64, /no dataset "nothing": give one of markets, .*, or a number\.\n/],
    [['markets', '--min-volume', '1e99'], 64, /--min-volume must be a number from 0 to 1000000000000; got "1e99"/],
    [['markets', '--format', 'csv', '--out', 'q.parquet'], 64, /q\.parquet says parquet, but --format says csv/],
    [
      ['markets', '--min-volum', '5'],
      64,
      /--min-volum is neither an option nor a filter of markets; did you mean --min-volume\?/,
    ],
    [['--', 'markets', '--data', 'd'], 64, /--data is an option, which behind -- is none: give it before\./],
    [['markets', '--formt', 'csv'], 64, /did you mean --format\?/],
    [['markets', '--closed', '--closed', 'false'], 64, /--closed is given twice, as true and false/],
    [['markets', '--min-volume', '1', '--min_volume=2'], 64, /--min_volume is given twice, as 1 and 2, but takes one/],
    [['999', '--any', '1', '--any', '2'], 64, /--any is given twice/],
    [['markets', '--limit', '1', '--limit', '2'], 64, /--limit is given twice: give it once/],
    [['markets', '--format', 'csv', '--min-volume', '1', '--format=json'], 64, /--format is given twice/],
    [['pnl', '--wallet'], 64, /--wallet needs a value, such as --wallet 0x[0-9a-f]{40}\.\n/],
    [['markets', '--market-slug', ''], 64, /--market-slug is empty: give it a value, or leave it out\./],
    [['markets', '--event-slug='], 64, /--event-slug is empty/],
    [['markets', '--min-volume', '--closed'], 64, /--min-volume needs a value, such as/],
    [['markets', 'closed'], 64, /"closed" is no filter/],
    [['markets', '--closed', 'perhaps'], 64, /closed must be true or false; got "perhaps"/],
    [['pnl'], 64, /A query of pnl \(dataset 569\) needs --wallet: name one\.\n$/],
    [['candles'], 64, /^oddslab: A query of candles \(dataset 568\) needs --token-id: name one\.\n$/],
    [
      ['trades', '--start-time', 'x'],
      64,
      /^oddslab: --start-time must be a date \(2025-11-05\), a time in UTC \(2025-11-05T14:30:00Z\) or Unix seconds; got "x"\.\n$/,
    ],
    [
      ['pnl', '--wallet', walletOf(1), '--end-time', '2025-02-30'],
      64,
      /^oddslab: --end-time must be a date that exists, as YYYY-MM-DD; got "2025-02-30"\.\n$/,
    ],
    [
      ['trades', '--start-time', '1767225601', '--end-time', '1767225600'],
      64,
      /^oddslab: --end-time lies before --start-time\.\n$/,
    ],
    [
      ['pnl', '--wallet', walletOf(1), '--start-time', '2026-01-02', '--end-time', '2026-01-01'],
      64,
      /^oddslab: --end-time lies before --start-time\.\n$/,
    ],
    [['pnl', '--wallet', '0x12'], 64, /^oddslab: --wallet must be "0x" and 40 hexadecimal digits, .*; got "0x12"\.\n$/],
    [['trades', '--condition-id', '0x12'], 64, /^oddslab: --condition-id must be "0x" and 64 .*; got "0x12"\.\n$/],
    [
      ['trades', '--wallet', '0x5500…cdef'],
      64,
      /^oddslab: --wallet must be whole, but "0x5500…cdef" is shortened.*--full/,
    ],
    [['candles', '--token-id', '7133…3333'], 64, /--token-id must be whole, but "7133…3333" is shortened/],
    [['trades', '--side', 'hold'], 64, /--side must be one of BUY, SELL, ALL; got "hold"/],
    [['wallets', '--top', '2', '--limit', '3'], 64, /--top and --limit both say how many records are wanted: give one/],
    [['trades', '--event-slug', 'event-33'], 5, /not known: .* has the event "event-33"; did you mean "event-3"\?\n$/],
    [['markets', '--event-slug', 'vent-3'], 5, /not known: .* has the event "vent-3"; did you mean "event-3"\?\n$/],
    [['candles', '--token-id', '7'], 5, /^oddslab: not known: no market of the data has the token id "7"\n$/],
    [['markets', '--condition-id', `0x${'0'.repeat(64)}`], 5, /not known: .* the condition id "0x0{64}"\n$/],
    [['trades', '--wallet', walletOf(77)], 5, /^oddslab: not seen: no record mentions 0x0*4d\n$/],
    [['positions', '--wallet', walletOf(77)], 5, /^oddslab: not seen: no record mentions/],
    [['wallets', '--wallet-address', walletOf(77)], 5, /oddslab: not seen: no record mentions/],
    [['trades', '--category', 'no such'], 5, /not known: no market of the data has the category "no such"\n$/],
    [['999'], 1, /404 There is no dataset 999/],
    [['markets', '--format', 'xml'], 64, /xml/],
    [['markets', '--data', '/nowhere/at/all'], 1, /The data folder \/nowhere\/at\/all is missing\.[\s\S]*oddslab demo/],
  ])('%j ends with %i and one message', async (words, code, message) => {
    const ended = await query(...words);
    expect(ended).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
    expect(ended.err).not.toMatch(/\n {4}at /);
  });

  it('ends well where its reader has seen enough', async () => {
    const records = line('pnl', `--data "${folder}"`, '--wallet', walletOf(1), '--format ndjson');
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `set -o pipefail; ${records} | head -1`]);
    expect([stdout.trim().split('\n').length, stderr]).toEqual([1, WARNED]);
  });

  it.each(['parquet', 'arrow'])('leaves no file behind where nobody reads its %s', async (format) => {
    const temporary = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
    const place = format === 'parquet' ? `--data "${folder}"` : `--url ${service.url}`;
    const records = line('pnl', place, '--wallet', walletOf(1), '--format', format);
    const env = { ...process.env, TMPDIR: temporary };
    await promisify(execFile)('bash', ['-c', `${records} | true`], { env });
    expect(await readdir(temporary)).toEqual([]);
    await rm(temporary, { recursive: true });
  });

  it('asks the service that the environment names, with its key and with a wrong one', async () => {
    const { key } = await createKey(folder, 'cli');
    const env = { ODDSLAB_URL: await serveFolder(folder, { open: false }), ODDSLAB_API_KEY: key };
    expect(await runHere(['query', '555', '--closed', '--format', 'ndjson'], env)).toMatchObject({
      code: 0,
      err: '',
    });
    const refused = await runHere(['query', 'markets'], { ...env, ODDSLAB_API_KEY: 'odl_wrong' });
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('401 This API key is not valid.') });
    expect(refused.err).not.toContain('odl_wrong');
    const keyless = await runHere(['query', 'markets'], { ODDSLAB_URL: env.ODDSLAB_URL });
    expect(keyless.err).toContain('ODDSLAB_API_KEY');
  });
});

describe('oddslab query of a wallet', () => {
  const fill = { market: 1, side: 0, price: 0.5, time: 1_767_225_600 } as const;

  it('warns of what its record lacks, in any form, and ends well', async () => {
    const data = join(await temporaryFolder(), 'data');
    const trades = [
      trade({ ...fill, wallet: 1, does: 'SELL', size: 12.5 }),
      trade({ ...fill, wallet: 2, market: 9, does: 'BUY', size: 1 }),
    ];
    const inputs = [await put(folder, 'one.json', [gammaMarket(1)]), await put(folder, 'few.json', trades)];
    expect(await runHere(['ingest', '--data', data, ...inputs])).toMatchObject({ code: 0 });
    const wallets = ['--wallet', walletOf(1), '--wallet', walletOf(2)];
    for (const format of ['table', 'csv', 'json', 'parquet']) {
      const out = join(folder, `warned-${format}`);
      const { code, err } = await runHere([
        'query',
        'pnl',
        ...wallets,
        '--data',
        data,
        '--out',
        out,
        '--format',
        format,
      ]);
      expect(code).toBe(0);
      expect(err).toMatch(new RegExp(`^${walletOf(1)}: .*\\b13 shares left that were never seen to come`, 'm'));
      expect(err).toMatch(new RegExp(`^${walletOf(2)}: .*\\b1 market without a record`, 'm'));
    }
    // The mark stays beside the figures where only these are kept.
    const mark = `\n! Incomplete: figures of ${walletOf(1)}, ${walletOf(2)} may be wrong, since the record lacks something.\n`;
    expect(await readFile(join(folder, 'warned-table'), 'utf8')).toContain(mark);
    expect((await runHere(['query', 'positions', ...wallets, '--data', data])).out).toContain(mark);
  });

  it('notes once that none of its fills states a fee where takers pay, which is no fault of its record', async () => {
    const place = await temporaryFolder();
    const data = join(place, 'data');
    const feeSchedule = { rate: 0.05, exponent: 1, takerOnly: true };
    const bought = { ...trade({ ...fill, wallet: 1, does: 'BUY', size: 76 }), type: 'TRADE', usdcSize: 38 };
    const inputs = [
      await put(place, 'one.json', [gammaMarket(1, { feesEnabled: true, feeSchedule })]),
      await put(place, 'few.json', [bought]),
    ];
    expect(await runHere(['ingest', '--data', data, ...inputs])).toMatchObject({ code: 0 });
    const { code, err } = await runHere(['query', 'pnl', '--wallet', walletOf(1), '--data', data]);
    expect([code, err]).toEqual([
      0,
      `${walletOf(1)}: note: no fee is stated in the one fill in markets where takers pay: either it was a maker's or the source leaves fees out\n`,
    ]);
  });

  it('says which fees come from a schedule, and of a wallet with rewards alone that no trade is known', async () => {
    const own = await temporaryFolder();
    const feeSchedule = { rate: 0.05, exponent: 1, takerOnly: false };
    const time = 1_767_225_600;
    const inputs = [
      await put(own, 'm.json', [gammaMarket(1, { feesEnabled: true, feeSchedule })]),
      await put(own, 't.json', [trade({ wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.5, time })]),
      await put(own, 'a.json', [activity('REWARD', 2, { usdcSize: 7, timestamp: time })]),
    ];
    const data = join(own, 'data');
    const { err } = await runHere(['ingest', '--data', data, ...inputs]);
    expect(err).toContain('1 wallet, beside 1 wallet with rewards alone (version 000001)');
    const asked = ['query', 'pnl', '--wallet', walletOf(1), '--wallet', walletOf(2), '--data', data];
    expect(await runHere(asked)).toMatchObject({
      code: 0,
      err:
        `${walletOf(1)}: note: the fees of 1 of 1 fill were computed from the market's fee schedule\n` +
        `${walletOf(2)}: only $7.00 of rewards are known: no trade\n`,
    });
  });

  it('that no record mentions says so instead of an empty table, and ends with 5', async () => {
    const [seen, unseen] = [walletOf(2), walletOf(77)];
    const advice = ` \\(run: npx oddslab fetch wallet ${unseen} --data .*\\)`;
    const none = await runHere(['query', 'lifetime', '--wallet', unseen, '--data', folder]);
    expect(none).toEqual({
      code: 5,
      out: '',
      err: expect.stringMatching(new RegExp(`^oddslab: not seen: no record mentions ${unseen}${advice}\n$`)),
    });
    const both = await runHere([
      'query',
      'pnl',
      '--wallet',
      seen,
      '--wallet',
      unseen,
      '--data',
      folder,
      '--format',
      'csv',
    ]);
    expect([both.code, both.out.split('\n').length]).toEqual([5, 42]);
    expect(both.err).toContain(`not seen: no record mentions ${unseen}`);
    // What a service holds, fetching here would not change.
    const remote = await query('pnl', '--wallet', unseen, '--format', 'json');
    expect(remote).toEqual({ code: 5, out: '[]\n', err: `oddslab: not seen: no record mentions ${unseen}\n` });
    const filtered = await query('pnl', '--wallet', seen, '--start-time', '2030-01-01', '--format', 'csv');
    expect(filtered).toMatchObject({ code: 0, err: WARNED });
  });
});
