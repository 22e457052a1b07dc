import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest, writeManifest } from '../../../src/service/folder/version.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { conditionOf, ended, type FillOf, gammaMarket, tokenOf, trade, walletOf } from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { writeWideDecimals } from '../../support/write-wide-decimals.js';
import { csvOf, parquetOf } from './other-formats.js';
import { tablesOf } from './tables-of.js';

const T = 1_767_225_600;
const FILLS: FillOf[] = [
  { wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: T },
  { wallet: 1, market: 1, side: 0, does: 'SELL', size: 4, price: 0.55, time: T + 90_000 },
];
const MAPPING = {
  name: 'my venue',
  records: 'fills',
  columns: { wallet: 'who', side: 'did', token: 'what', size: 'qty', price: 'px', time: 'at', id: 'no' },
  units: { size: 'millionths', price: 'cents', time: 'milliseconds' },
  sides: { buy: ['Long'], sell: ['short'] },
};
const rows = FILLS.map(({ wallet, market, side, does, size, price, time }, n) => ({
  no: n + 1,
  who: walletOf(wallet).toUpperCase().replace('0X', '0x'),
  did: does === 'BUY' ? 'LONG' : 'SHORT',
  what: tokenOf(market, side),
  qty: Number(size) * 1e6,
  px: Math.round(Number(price) * 100),
  at: time * 1000,
  'a, "quoted" name': 'x',
}));

describe('a mapping', () => {
  it('reads CSV, Parquet and JSON lines of any columns, each row once by its id', async () => {
    const folder = await temporaryFolder();
    const mapping = await put(folder, 'map.json', MAPPING);
    const markets = await put(folder, 'm.json', [gammaMarket(1)]);
    const lines = await put(folder, 'rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
    const inputs = [await put(folder, 'rows.csv', csvOf(rows)), lines, await parquetOf(lines, join(folder, 'p'))];
    const plain = join(folder, 'plain');
    // The mapping names no column of transactions.
    const fills = FILLS.map((fill) => ({ ...trade(fill), transactionHash: undefined }));
    await ingest({ folder: plain, inputs: [markets, await put(folder, 't.json', fills)] });
    const all = join(folder, 'all');
    const { reports, version } = await ingest({ folder: all, inputs: [markets, ...inputs], mapping });
    expect(reports.slice(1)).toMatchObject(Array(3).fill({ format: 'mapping "my venue"', rows: 2, kept: 2 }));
    expect(version.manifest.doubtful).toEqual({ 'event with the id of another one (dropped: one of them stays)': 4 });
    expect(await tablesOf(all)).toEqual(await tablesOf(plain));
  });

  it('repeats ids, of which strict refuses each, though the folder had dropped as many before', async () => {
    const folder = await temporaryFolder();
    const options = { folder: join(folder, 'data'), mapping: await put(folder, 'map.json', MAPPING) };
    const fillsOf = async (name: string, ...of: Record<string, unknown>[]) => [await put(folder, name, csvOf(of))];
    const [first = {}, second = {}] = rows;
    const markets = await put(folder, 'm.json', [gammaMarket(1)]);
    await ingest({ ...options, inputs: [markets, ...(await fillsOf('a.csv', first, first))] });
    const inputs = await fillsOf('b.csv', first, second);
    await expect(ingest({ ...options, inputs, strict: true })).rejects.toThrow('  1: event with the id of another one');
    await ingest({ ...options, inputs: await fillsOf('c.csv', second), strict: true });
  });

  it('that was corrected reads a file again of which the wrong one kept no row', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const inputs = [await put(folder, 'rows.csv', csvOf(rows))];
    const mapping = await put(folder, 'map.json', MAPPING);
    const wrong = await put(folder, 'wrong.json', { ...MAPPING, units: { ...MAPPING.units, price: 'dollars' } });
    const first = await ingest({ folder: data, inputs, mapping: wrong });
    expect(first.reports).toMatchObject([{ kept: 0, skipped: { 'px is outside 0 to 1': 2 } }]);
    expect(await ingest({ folder: data, inputs, mapping: wrong })).toMatchObject({ reports: [], known: inputs });
    const { reports, version } = await ingest({ folder: data, inputs, mapping });
    expect(reports).toMatchObject([{ kept: 2 }]);
    expect(version.manifest.inputs.map(({ kept }) => kept)).toEqual([0, 2]);
    expect(await ingest({ folder: data, inputs, mapping })).toMatchObject({ version, reports: [], known: inputs });
  });

  it('reads markets out of a file whose fills were read, and no fills twice', async () => {
    const folder = await temporaryFolder();
    const market = [conditionOf(1), 'a', true, tokenOf(1, 0), tokenOf(1, 1), 'Yes', 'No', '2026-02-01', 'YES'];
    const columns = Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    const inputs = [await put(folder, 'both.csv', csvOf(rows.map((row) => ({ ...row, ...columns }))))];
    const options = { folder: join(folder, 'data'), inputs };
    const buys = await put(folder, 'buys.json', { ...MAPPING, sides: { buy: ['long'], sell: ['sold'] } });
    const first = await ingest({ ...options, mapping: buys });
    const why =
      'mapping "my venue", as that stood then, kept 1 of its 2 rows before, and they would stay beside those of mapping ' +
      '"my venue". Roll back to a version without it (oddslab data rollback), or read it into another data folder.';
    expect(await ingest({ ...options, mapping: await put(folder, 'map.json', MAPPING) })).toMatchObject({
      version: { name: first.version.name },
      left: [{ path: inputs[0], why }],
    });
    const { reports, version } = await ingest({ ...options, mapping: await put(folder, 'm.json', marketMapping) });
    expect(reports).toMatchObject([{ kept: 2 }]);
    expect(version.manifest.totals).toMatchObject({ markets: 1, events: 1 });
    const turned = { ...marketMapping.columns, outcome_a: 'my outcome_b', outcome_b: 'my outcome_a' };
    const copy = await put(folder, 'copy.csv', await readFile(join(folder, 'both.csv'), 'utf8'));
    const again = await ingest({
      folder: options.folder,
      inputs: [...inputs, copy],
      mapping: await put(folder, 'turned.json', { ...marketMapping, columns: turned }),
    });
    const stays = expect.stringContaining(
      'kept 2 of its 2 rows before, and they would stay beside those of mapping "m".',
    );
    expect(again).toMatchObject({ version: { name: version.name }, known: [], left: [{ why: stays }, { why: stays }] });
  });

  it.each([0, 2])('leaves alone what an earlier release read if that kept rows: %i', async (kept) => {
    const options = await temporaryFolder().then(async (folder) => ({
      folder: join(folder, 'data'),
      inputs: [await put(folder, 'rows.csv', csvOf(rows))],
      mapping: await put(folder, 'map.json', MAPPING),
    }));
    const { version } = await ingest(options);
    const path = join(options.folder, 'versions', version.name);
    const { files, ...manifest } = await readManifest(path);
    const inputs = manifest.inputs.map((report) => ({ ...report, format_id: undefined, records: undefined, kept }));
    await writeManifest(path, { ...manifest, inputs }, files);
    const { reports, known } = await ingest(options);
    expect([reports.length, known.length]).toEqual(kept === 0 ? [1, 0] : [0, 1]);
  });

  it('refuses decimals of more digits than can be read, where it names their column', async () => {
    const folder = await temporaryFolder();
    const mapping = await put(folder, 'map.json', {
      ...MAPPING,
      columns: { ...MAPPING.columns, usd: 'paid' },
      units: {},
    });
    const row = { no: '1', who: walletOf(1), did: 'long', what: tokenOf(1, 0), qty: '10', at: String(T) };
    const options = { folder: join(folder, 'data'), mapping };
    const wide = await writeWideDecimals(join(folder, 'wide.parquet'), { ...row, px: '0.5', paid: 4.25 });
    await expect(ingest({ ...options, inputs: [wide] })).rejects.toThrow(
      `${wide} has decimals of more than 38 digits in "paid", which cannot be read: write this column as ` +
        'DECIMAL(38, …) or as text.',
    );
    const beside = await writeWideDecimals(join(folder, 'beside.parquet'), {
      ...row,
      px: '0.5',
      paid: '4.25',
      fee: 0.5,
      'extra.paid': 0.5,
    });
    const { reports } = await ingest({ ...options, inputs: [beside] });
    expect(reports).toMatchObject([{ rows: 1, kept: 1, skipped: {} }]);
  });

  it.each(['dollars', 'cents', 'micro-dollars'])('leaves out what is no number where %s are stated', async (unit) => {
    const folder = await temporaryFolder();
    const of = async (name: string, content: unknown) => put(folder, name, content);
    const fills = ['1,000', 'abc', '1e300', '', '1'].map((paid, no) => ({ ...rows[0], no, paid }));
    const mapping = {
      ...MAPPING,
      columns: { ...MAPPING.columns, usd: 'paid' },
      units: { ...MAPPING.units, usd: unit },
    };
    const inputs = [await of('fills.csv', csvOf(fills))];
    const data = join(folder, 'data');
    expect((await ingest({ folder: data, inputs, mapping: await of('f.json', mapping) })).reports).toMatchObject([
      { kept: 2, skipped: { 'paid is no number of 0 or more': 2, 'qty or paid is above 9e9': 1 } },
    ]);
    const market = [conditionOf(1), 'a', true, tokenOf(1, 0), tokenOf(1, 1), 'Yes', 'No', '', 'YES'];
    const row = Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    const markets = ['1,000', 'abc', '1e300', '', 'nan', '5'].map((paid) => ({ ...row, paid }));
    const columns = { ...marketMapping.columns, volume: 'paid' };
    const marked = await of('m.json', { ...marketMapping, columns, units: { volume: unit } });
    const read = await ingest({ folder: data, inputs: [await of('m.csv', csvOf(markets))], mapping: marked });
    expect(read.reports).toMatchObject([{ kept: 3, skipped: { 'volume is no number from 0 to 9e9': 3 } }]);
  });

  it('makes dollars of shares and price exactly, halves of a millionth away from zero, in any units', async () => {
    const folder = await temporaryFolder();
    // By doubles some of these products lie on the other side of a half: together they are 7 millionths less.
    const fills = Array.from({ length: 3000 }, (_, n) => ({
      qty: 1_000_001 + ((n * 7_919_311) % 9_000_000),
      px: 1 + (n % 99),
    }));
    fills.push({ qty: 8_899_999_999_123_457, px: 37 }, { qty: 10_980_911_728_675, px: 99 });
    const paid = fills.reduce((sum, { qty, px }) => sum + (BigInt(qty) * BigInt(px) + 50n) / 100n, 0n);
    const invested: unknown[] = [];
    for (const units of [MAPPING.units, { ...MAPPING.units, size: 'shares', price: 'dollars' }]) {
      const isWhole = units === MAPPING.units;
      const all = fills.map(({ qty, px }, n) => ({
        ...{ no: n, who: walletOf(1), did: 'long', what: tokenOf(1, 0), at: T * 1000 },
        qty: isWhole ? qty : `${qty}`.replace(/\d{6}$/, '.$&'),
        px: isWhole ? px : (px / 100).toFixed(2),
      }));
      const data = join(folder, units.size);
      const mapping = await put(folder, 'map.json', { ...MAPPING, units });
      const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 'rows.csv', csvOf(all))];
      await ingest({ folder: data, inputs, mapping });
      const [row] = (await tablesOf(data)).wallet_days ?? [];
      invested.push(Reflect.get(Object(row), 'invested'));
    }
    expect(invested.map(String)).toEqual([String(paid), String(paid)]);
  });

  const names = ['condition_id', 'slug', 'closed', 'token_a', 'token_b', 'outcome_a', 'outcome_b', 'close', 'winner'];
  const marketMapping = {
    name: 'm',
    records: 'markets',
    columns: Object.fromEntries(names.map((name) => [name, `my ${name}`])),
  };
  const close = BigInt(T + 95_000);
  const date = new Date(Number(close) * 1000).toISOString();
  const noUnixTime = 'at is a number that is no Unix time after 2001: write it as a date, such as 2025-05-01T14:30:00Z';
  const times: [string | undefined, unknown[]][] = [
    ['seconds', [close, `${close}.999`, date]],
    ['milliseconds', [close * 1000n]],
    ['microseconds', [close * 1_000_000n]],
    ['nanoseconds', [close * 1_000_000_000n + 999_999_999n]],
    ['date', [date]],
    [
      undefined,
      [
        close,
        `${close}.0`,
        `${close}.7`,
        `${close * 1000n}.7`,
        close * 1000n,
        close * 1_000_000n,
        close * 1_000_000_000n + 999_999_999n,
        date,
      ],
    ],
  ];
  it.each(times)('reads times in %s: %s', async (time, ats) => {
    const folder = await temporaryFolder();
    const units = time === undefined ? {} : { time };
    // Each time is that of a market and of a wallet of its own.
    const markets = ats.map((at, n) => {
      const market = [conditionOf(n), 'a', true, tokenOf(n, 0), tokenOf(n, 1), 'Yes', 'No', at, 'YES'];
      return Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    });
    const data = join(folder, 'data');
    const inputs = [await put(folder, 'm.csv', csvOf(markets))];
    await ingest({ folder: data, inputs, mapping: await put(folder, 'm.json', { ...marketMapping, units }) });
    const fills = ats.map((at, n) => ({ ...rows[0], no: n, who: walletOf(n), what: tokenOf(n, 0), at }));
    const fill = await put(folder, 'f.csv', csvOf(fills));
    const mapping = await put(folder, 'f.json', { ...MAPPING, units: { ...MAPPING.units, time: undefined, ...units } });
    const { reports } = await ingest({ folder: data, inputs: [fill], mapping });
    const { market_rows, lifetimes } = await tablesOf(data);
    expect(market_rows).toMatchObject(
      ats.map((at, n) => ({
        condition_id: conditionOf(n),
        close_ms: close * 1000n + (`${at}`.endsWith('9') ? 999n : at === `${close}.7` ? 700n : 0n),
      })),
    );
    const isRead = (at: unknown) => time !== 'seconds' || at !== date;
    const unread = ats.filter((at) => !isRead(at)).length;
    const skipped = unread > 0 ? { 'at is missing or malformed': unread } : {};
    expect(reports).toMatchObject([{ kept: ats.length - unread, skipped }]);
    const wallets = ats.flatMap((at, n) => (isRead(at) ? [walletOf(n)] : []));
    expect(lifetimes).toMatchObject(wallets.map((wallet) => ({ wallet, last_ts: close })));
  });

  it('reads a close before 1970 to the millisecond that it is in, and no fill there', async () => {
    const folder = await temporaryFolder();
    const market = [conditionOf(1), 'a', true, tokenOf(1, 0), tokenOf(1, 1), 'Yes', 'No', -1, 'YES'];
    const markets = csvOf([Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]))]);
    const data = join(folder, 'data');
    const units = { time: 'nanoseconds' };
    const mapping = await put(folder, 'm.json', { ...marketMapping, units });
    await ingest({ folder: data, inputs: [await put(folder, 'm.csv', markets)], mapping });
    expect((await tablesOf(data)).market_rows).toMatchObject([{ close_ms: -1n }]);
    const fills = await put(folder, 'f.csv', csvOf([-1, 0].map((at, no) => ({ ...rows[0], no, at }))));
    const other = await put(folder, 'f.json', { ...MAPPING, units: { ...MAPPING.units, ...units } });
    const { reports } = await ingest({ folder: data, inputs: [fills], mapping: other });
    expect(reports).toMatchObject([{ kept: 0, skipped: { 'at is missing or malformed': 1, [noUnixTime]: 1 } }]);
  });

  it.each(['seconds', 'milliseconds', undefined])('skips numbers that are no Unix times, in %s', async (time) => {
    const folder = await temporaryFolder();
    // A day as Excel counts it, the same with its hour, dates without dashes, and Unix times of another unit.
    const ats = [45778, 45779.5, 20250501, '020250501', 999999999, '0045778000', '0', date];
    const fills = csvOf(ats.map((at, no) => ({ ...rows[0], no, at })));
    const units = { ...MAPPING.units, time };
    const mapping = await put(folder, 'f.json', { ...MAPPING, units });
    const inputs = [await put(folder, 'f.csv', fills)];
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs, mapping });
    expect(reports).toMatchObject([
      time === undefined
        ? { kept: 1, skipped: { [noUnixTime]: 7 } }
        : { kept: 0, skipped: { [noUnixTime]: 7, 'at is missing or malformed': 1 } },
    ]);
  });

  it('skips markets whose close is no Unix time', async () => {
    const folder = await temporaryFolder();
    const markets = [45778, 20250501, date].map((at, n) => {
      const market = [conditionOf(n), 'a', true, tokenOf(n, 0), tokenOf(n, 1), 'Yes', 'No', at, 'YES'];
      return Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    });
    const mapping = await put(folder, 'm.json', marketMapping);
    const inputs = [await put(folder, 'm.csv', csvOf(markets))];
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs, mapping });
    expect(reports).toMatchObject([{ kept: 1, skipped: { 'my close is no date': 2 } }]);
  });

  it('leaves out markets whose times cannot be read', async () => {
    const folder = await temporaryFolder();
    const market = [conditionOf(1), 'a', true, tokenOf(1, 0), tokenOf(1, 1), 'Yes', 'No', 'soon', 'YES'];
    const row = Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    const never = { ...row, 'my close': '9223372036854775807' };
    const inputs = [
      await put(folder, 'm.csv', csvOf([row, never, { ...row, 'my close': '' }, { ...row, 'my close': 'NaN' }])),
    ];
    for (const time of ['seconds', 'milliseconds', 'microseconds']) {
      const mapping = await put(folder, 'm.json', { ...marketMapping, units: { time } });
      const { reports } = await ingest({ folder: join(folder, time), inputs, mapping });
      expect(reports).toMatchObject([{ kept: 2, skipped: { 'my close is no date': 2 } }]);
    }
  });

  it('reads no number as a date where dates are stated', async () => {
    const folder = await temporaryFolder();
    const market = [conditionOf(1), 'a', true, tokenOf(1, 0), tokenOf(1, 1), 'Yes', 'No', 20260131, 'YES'];
    const markets = csvOf([Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]))]);
    const data = join(folder, 'data');
    const units = { time: 'date' };
    const mapping = await put(folder, 'm.json', { ...marketMapping, units });
    const { reports } = await ingest({ folder: data, inputs: [await put(folder, 'm.csv', markets)], mapping });
    expect(reports).toMatchObject([{ skipped: { 'my close is no date': 1 } }]);
    const fills = await put(folder, 'f.csv', csvOf([{ ...rows[0], at: 20260131 }]));
    const other = await put(folder, 'f.json', { ...MAPPING, units: { ...MAPPING.units, ...units } });
    const read = await ingest({ folder: data, inputs: [fills], mapping: other });
    expect(read.reports).toMatchObject([{ skipped: { 'at is missing or malformed': 1 } }]);
  });

  it('reads who won by number also where the numbers are doubles', async () => {
    const folder = await temporaryFolder();
    const inputs = ['0.0', '1.0', '0.5'].map((won, n) => {
      const market = [conditionOf(n), 'a', true, tokenOf(n, 0), tokenOf(n, 1), 'Yes', 'No', '2026-02-01', won];
      return Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    });
    const data = join(folder, 'data');
    await ingest({
      folder: data,
      inputs: [await put(folder, 'm.csv', csvOf(inputs))],
      mapping: await put(folder, 'm.json', marketMapping),
    });
    expect((await tablesOf(data)).market_rows?.map((row) => Reflect.get(Object(row), 'winner'))).toEqual([0, 1, 2]);
  });

  it('reads markets with their result', async () => {
    const folder = await temporaryFolder();
    const mapping = await put(folder, 'map.json', { ...marketMapping, units: { time: 'seconds' } });
    const market = [
      conditionOf(1),
      'will-it-happen-1',
      true,
      tokenOf(1, 0),
      tokenOf(1, 1),
      'Yes',
      'No',
      T + 95_000,
      'YES',
    ];
    const row = Object.fromEntries(names.map((name, i) => [`my ${name}`, market[i]]));
    const gamma = gammaMarket(1, ended(0, new Date((T + 95_000) * 1000).toISOString()));
    const trades = await put(folder, 't.json', FILLS.map(trade));
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await ingest({ folder: a, inputs: [trades, await put(folder, 'g.json', [gamma])] });
    await ingest({ folder: b, inputs: [trades, await put(folder, 'in.csv', csvOf([row]))], mapping });
    expect((await tablesOf(b)).wallet_market_days).toEqual((await tablesOf(a)).wallet_market_days);
  });

  it.each<[string, unknown, string[]]>([
    ['is no JSON', '{"name":', ['map.json is no JSON']],
    ['knows no such records', { ...MAPPING, records: 'fill' }, ['at /records: should be "fills" or "markets"']],
    [
      'lacks and misspells a column',
      { ...MAPPING, columns: { ...MAPPING.columns, wallet: undefined, walet: 'who' } },
      ['at /columns/wallet: should be the name of a column', 'at /columns: "walet" is not known here'],
    ],
    [
      'has a unit that does not exist',
      { ...MAPPING, units: { size: 'lots' } },
      ['at /units/size: should be "shares" or'],
    ],
    [
      'names neither price nor dollars',
      { ...MAPPING, columns: { ...MAPPING.columns, price: undefined } },
      ['at /columns: should name price, usd or both'],
    ],
    [
      'has a word for both sides',
      { ...MAPPING, sides: { buy: ['Long', 'b'], sell: [' B'] } },
      ['at /sides: should not share a word'],
    ],
    ['fits no input', { ...MAPPING, columns: { ...MAPPING.columns, wallet: 'wer' } }, ['lacks columns', 'wer']],
  ])('that %s is refused, and where', async (_, content, messages) => {
    const folder = await temporaryFolder();
    const mapping = await put(folder, 'map.json', content);
    const inputs = [await put(folder, 'rows.csv', csvOf(rows))];
    const failure = await ingest({ folder: join(folder, 'data'), inputs, mapping }).catch((error: unknown) => error);
    for (const message of messages) expect((failure as Error).message).toContain(message);
  });

  it('that fits no input says what one of them lacks, also where others are read without it', async () => {
    const folder = await temporaryFolder();
    const mapping = await put(folder, 'map.json', { ...MAPPING, columns: { ...MAPPING.columns, transaction: 'tx' } });
    const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 'rows.csv', csvOf(rows))];
    await expect(ingest({ folder: join(folder, 'data'), inputs, mapping })).rejects.toThrow(
      'lacks columns that the mapping names: tx; it has no, who',
    );
  });
});
