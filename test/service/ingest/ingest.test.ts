import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.js';
import type { InputReport } from '../../../src/service/folder/version.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../../src/service/sample/simulate-sample.js';
import { leaveLock } from '../../support/leave-lock.js';
import { activity, conditionOf, ended, gammaMarket, tokenOf, trade, walletOf } from '../../support/raw-records.js';
import { ingestSmall, smallRecords } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { tablesOf } from './tables-of.js';

const fill = { wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: 1_767_225_600 } as const;

function reversed<T>(list: readonly T[]): T[] {
  return [...list].reverse();
}

/** The report of each content, all ingested at once: building a version takes most of the time of a small ingest. */
async function reportsOf(contents: readonly unknown[]): Promise<InputReport[]> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
  try {
    const inputs = await Promise.all(contents.map((content, n) => put(folder, `in-${n}.json`, content)));
    const { reports, left } = await ingest({ folder: join(folder, 'data'), inputs });
    expect({ files: reports.map(({ file }) => file), left }).toEqual({ files: inputs, left: [] });
    return reports;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The tables of a data folder that is made of some contents and removed. */
async function tablesFrom(...contents: readonly unknown[]): Promise<Record<string, unknown[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
  try {
    const inputs = await Promise.all(contents.map((content, n) => put(folder, `in-${n}`, content)));
    await ingest({ folder: join(folder, 'data'), inputs });
    return await tablesOf(join(folder, 'data'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A text of wallet 1's records as one of another wallet. */
function ofWallet(n: number, text: string): string {
  return text.replaceAll(walletOf(1), walletOf(n));
}

/** The rows of one wallet in each table, as if they were wallet 1's. */
function rowsOf(n: number, tables: Record<string, unknown[]>): unknown {
  const ofOne = (rows: unknown[]) => rows.filter((row) => Reflect.get(Object(row), 'wallet') === walletOf(n));
  return Object.entries(tables).map(([name, rows]) => [
    name,
    ofOne(rows).map((row) => ({ ...Object(row), wallet: walletOf(1) })),
  ]);
}

describe('skipped rows', () => {
  const fills: [string, Record<string, unknown>][] = [
    ['proxyWallet is missing or malformed', { proxyWallet: '0x12' }],
    ['timestamp is missing or malformed', { timestamp: 'yesterday' }],
    ['timestamp is missing or malformed', { timestamp: 'infinity' }],
    ['timestamp is missing or malformed', { timestamp: '99999-01-01' }],
    ['conditionId is malformed', { conditionId: '0x12' }],
    ['side is neither BUY nor SELL', { side: 'HOLD' }],
    ['asset is missing', { asset: '' }],
    ['asset is a rounded number, which no longer tells the token', { asset: 7.1e76 }],
    ['asset is a rounded number, which no longer tells the token', { asset: '7.1E76' }],
    ['asset is a rounded number, which no longer tells the token', { asset: '7e+76' }],
    ['asset is a rounded number, which no longer tells the token', { asset: '71321045679252212.0' }],
    ['size is missing or no number of 0 or more', { size: '-1' }],
    ['size is missing or no number of 0 or more', { size: 'many' }],
    ['size or usdcSize is above 9e9', { size: '1e300' }],
    ['size is zero', { size: 0 }],
    ['price is outside 0 to 1', { price: 1.5 }],
    ['usdcSize is no number of 0 or more', { usdcSize: -5 }],
    ['price is missing or no number', { price: null }],
    ['usdcSize is more than a dollar a share', { usdcSize: 500 }],
    ['usdcSize is more than a dollar a share', { side: 'SELL', usdcSize: 10.02 }],
  ];
  const markets: [string, Record<string, unknown>][] = [
    ['conditionId is missing or malformed', { conditionId: 'x' }],
    ['slug is missing', { slug: '' }],
    ['closed is missing or neither true nor false', { closed: 'perhaps' }],
    ['outcomes are not two', { outcomes: '["A","B","C"]' }],
    ['clobTokenIds are not two', { clobTokenIds: '["1","1"]' }],
    ['clobTokenIds: one is a rounded number, which no longer tells the token', { clobTokenIds: '[1, 7.1e76]' }],
    ['volume is no number from 0 to 9e9', { volume: '-3' }],
    ['volume is no number from 0 to 9e9', { volume: 'much' }],
    ['volume is no number from 0 to 9e9', { volume: 'infinity' }],
    ['closedTime or endDate is no date', { ...ended(0), closedTime: '20 January 2026' }],
    ['closedTime or endDate is no date', { ...ended(0), closedTime: null, endDate: '2026-02-30T00:00:00Z' }],
  ];
  let reports: InputReport[];
  beforeAll(async () => {
    reports = await reportsOf([
      ...fills.map(([, wrong]) => [trade(fill), { ...trade(fill), ...wrong }]),
      ...markets.map(([, wrong]) => [gammaMarket(1), gammaMarket(2, wrong)]),
    ]);
  }, 600_000);

  it.each(fills.map(([reason, wrong], at) => [reason, wrong, at] as const))('of fills: %s %j', (reason, _, at) => {
    const { rows, kept, skipped } = reports[at] ?? expect.unreachable();
    expect({ rows, kept, skipped }).toEqual({ rows: 2, kept: 1, skipped: { [reason]: 1 } });
  });

  it.each(markets.map(([reason], at) => [reason, at] as const))('of markets: %s', (reason, at) => {
    expect(reports[fills.length + at]?.skipped).toEqual({ [reason]: 1 });
  });

  it('of fills are not those whose dollars are rounded or hold a fee, nor markets without a volume', async () => {
    const folder = await temporaryFolder();
    const fills = [{ usdcSize: 10.01 }, { usdcSize: 4.12 }, { type: 'TRADE', usdcSize: 10 }, { price: 1 }];
    const inputs = [
      await put(
        folder,
        'in.json',
        fills.map((each) => ({ ...trade(fill), ...each })),
      ),
      await put(
        folder,
        'm.json',
        [null, '', 'NaN', undefined].map((volume, n) => gammaMarket(n, { volume })),
      ),
    ];
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs });
    expect(reports.map(({ kept, skipped }) => ({ kept, skipped }))).toEqual([
      { kept: 4, skipped: {} },
      { kept: 4, skipped: {} },
    ]);
  });

  it('of a conversion whose event is not known leaves it out of the ledger and says so', async () => {
    const folder = await temporaryFolder();
    const rows = [
      activity('CONVERSION', 1, { size: 5, usdcSize: 0, conditionId: conditionOf(1), asset: tokenOf(1, 1) }),
    ];
    const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 'a.json', rows)];
    const { version } = await ingest({ folder: join(folder, 'data'), inputs });
    expect(version.manifest.doubtful).toEqual({
      'conversion left out: its token is no NO of an event whose markets exclude each other': 1,
    });
    expect(version.manifest.totals.wallets).toBe(0);
  });

  it('of activity: income (kept apart), unknown types and what lacks its market', async () => {
    const folder = await temporaryFolder();
    const rows = [
      activity('REWARD', 1, { size: 5, usdcSize: 5.25 }),
      activity('MAKER_REBATE', 2, { size: 5, usdcSize: undefined }),
      activity('YIELD', 1, { usdcSize: -1 }),
      activity('DANCE', 1, { size: 5 }),
      activity('SPLIT', 1, { size: 5 }),
      activity('CONVERSION', 1, { size: 5 }),
      activity('CONVERSION', 1, { size: 5, conditionId: conditionOf(1) }),
      activity('MIGRATION', 1, { size: 5 }),
      activity('MIGRATION', 1, { size: 5, conditionId: conditionOf(1) }),
      activity('TIP', 1, { size: 5 }),
      activity('SPLIT', 1, { size: 5, usdcSize: 5, conditionId: conditionOf(1) }),
    ];
    const inputs = [await put(folder, 'a.json', rows)];
    const { version, reports } = await ingest({ folder: join(folder, 'data'), inputs });
    expect(reports[0]).toMatchObject({
      kept: 5,
      income: { rows: 2, usd: 10_250_000 },
      skipped: {
        'usdcSize is no number from 0 to 9e9': 1,
        'type DANCE is not known': 1,
        'type TIP: dollars that moved, no trade': 1,
        'conditionId is missing': 3,
      },
    });
    expect(version.manifest).toMatchObject({
      totals: { events: 5, wallets: 1 },
      doubtful: {
        'event of a market without a market record (settles only when redeemed)': 3,
        'conversion left out: it names no token, and its condition is no question of an event that is known': 1,
        'migration whose new token ids are not known (its shares leave without a profit or a loss)': 1,
      },
    });
  });
});

describe('a malformed input', () => {
  /** Fills, the last value of each line as it is. */
  const table = (...titles: string[]) => {
    const { conditionId: _, transactionHash: __, ...row } = trade(fill);
    const lines = titles.map((title) => [...Object.values(row), title].join(','));
    return [[...Object.keys(row), 'title'].join(','), ...lines].join('\n');
  };
  const whole = JSON.stringify([trade(fill), trade({ ...fill, time: fill.time + 1 })]);
  let shared: string;
  let good: string;
  beforeAll(async () => {
    shared = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
    good = await put(shared, 'good.json', whole);
    await ingest({ folder: join(shared, 'data'), inputs: [good] });
  });
  afterAll(() => rm(shared, { recursive: true }));

  it.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['blank', ' \n '],
    ['truncated in its first record', whole.slice(0, 80)],
    ['truncated in its last record', whole.slice(0, -40)],
    ['truncated between records', whole.slice(0, whole.indexOf('},') + 2)],
    ['binary', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0xff, 0xfe])],
    ['a CSV whose every line is broken', 'proxyWallet,side,asset,size,price,timestamp\n0x1,"BUY\n'],
    ['a CSV with a quote that nothing closes', table('"Yes', 'No')],
    ['a CSV with a quote that the next one closes', table('"Yes', '"No"')],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le')],
    ['a CSV in UTF-16', Buffer.from(`\uFEFF${table('Yes')}`, 'utf16le')],
    ['parted by semicolons', table('Yes').replaceAll(',', ';')],
    ['an empty list', '[]'],
    ['numbers', '[1, 2, 3]'],
  ])('that is %s is one error that names it, and the folder stays as it was', async (_, content) => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in.json', content);
    const deep = join(folder, 'not', 'there');
    const failure = await ingest({ folder: deep, inputs: [input] }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InputError);
    expect((failure as Error).message).toContain(input);
    expect(await readdir(folder)).toEqual(['in.json']);
    const data = join(shared, 'data');
    const before = await readdir(data, { recursive: true });
    await expect(ingest({ folder: data, inputs: [good, input] })).rejects.toThrow(input);
    expect(await readdir(data, { recursive: true })).toEqual(before);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['the line of a quote without an end', table('Yes', '"Yes', 'No', '"No"'), 'quoted value on line 3'],
    ['UTF-16', Buffer.from(`\uFEFF${table('Yes')}`, 'utf16le'), 'iconv -f UTF-16 -t UTF-8'],
    ['tabs', table('Yes').replaceAll(',', '\t'), 'between commas, not tabs'],
  ])('is told what is wrong with it: %s', async (_, content, told) => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in.csv', content);
    await expect(ingest({ folder: join(folder, 'data'), inputs: [input] })).rejects.toThrow(told);
  });

  it('is not a CSV with quotes in the middle of values, or cut off in the last one', async () => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in.csv', table('6" of snow', '"a ""b"""', '"c\n\n"', 'a""b', 'Yes', '"No'));
    const { reports } = await ingest({ folder: join(folder, 'data'), inputs: [input] });
    expect(reports).toMatchObject([{ rows: 6, kept: 5, skipped: { 'not a line of this CSV': 1 } }]);
  });

  const useless = [
    ['an HTML page', '<!DOCTYPE html><html><body>Too many requests, sorry</body></html>'],
    ['a CSV with another header', 'a,b,c\n1,2,3\n'],
    ['other records', '[{"a": 1}]'],
    ['an error body', '{"error": "rate limited"}'],
  ] as const;
  it(`that is ${useless.map(([what]) => what).join(', ')} is refused alone, and among others named and left`, async () => {
    const folder = await temporaryFolder();
    const [data, good] = [join(folder, 'data'), await put(folder, 'good.json', whole)];
    const inputs = await Promise.all(useless.map(([, content], n) => put(folder, `in${n}.json`, content)));
    const before = await readdir(folder);
    for (const input of inputs) {
      await expect(ingest({ folder: data, inputs: [input] })).rejects.toThrow(`${input} has no format`);
      expect(await readdir(folder)).toEqual(before);
    }
    const { left, reports } = await ingest({ folder: data, inputs: [...inputs, good] });
    expect(left).toMatchObject(inputs.map((path) => ({ path })));
    expect(reports).toMatchObject([{ file: good, kept: 2 }]);
  });

  it('that simulate wrote beside its sample is left without a word, but not alone', async () => {
    const folder = await temporaryFolder();
    const [data, sample] = [join(folder, 'data'), join(folder, 'sample')];
    await simulate({ out: sample, markets: 5, wallets: 5, fills: 50 });
    await expect(ingest({ folder: data, inputs: [join(sample, 'sample.json')] })).rejects.toThrow(
      /has no format.* Ingest knows Gamma .*, and any other columns by --mapping: see oddslab ingest --help\.$/,
    );
    const { left, reports } = await ingest({ folder: data, inputs: [sample] });
    expect([left, reports.length]).toEqual([[], 3]);
    await put(folder, 'sample.json', '[{"a": 1}]');
    expect((await ingest({ folder: data, inputs: [sample, join(folder, 'sample.json')] })).left).toHaveLength(1);
  });

  it('that is missing, or the data folder, is named', async () => {
    const folder = await temporaryFolder();
    await expect(ingest({ folder, inputs: [join(folder, 'none.json')] })).rejects.toThrow('no such file');
    await expect(ingest({ folder, inputs: [folder] })).rejects.toThrow('is the data folder itself');
  });
});

describe('the form of an input', () => {
  const fills = [trade(fill), trade({ ...fill, does: 'SELL', time: fill.time + 90_000 })];
  const keys = Object.keys(fills[0] ?? {});
  const csv = [keys.join(','), ...fills.map((each) => keys.map((key) => each[key]).join(','))];
  const quoted = csv.map((line, i) => `${line},${i === 0 ? 'title' : '"a ""b"",\nc\r\n]["'}`);
  const pages = fills.map((each) => JSON.stringify([{ ...each, title: ']["\\' }]));
  const forms: [string, string, string][] = [
    ['an array', 'in.json', JSON.stringify(fills)],
    ['times with a fraction', 'in.json', JSON.stringify(fills).replace(/"timestamp":\d+/g, '$&.7')],
    [
      'times right before the next second',
      'in.json',
      JSON.stringify(fills).replace(/"timestamp":(\d+)/g, '"timestamp":"$1.9999999999"'),
    ],
    ['an indented array', 'in.json', JSON.stringify(fills, null, 2)],
    ['a line each', 'in.json', fills.map((each) => JSON.stringify(each)).join('\n')],
    ['CSV', 'in.csv', csv.join('\n')],
    ['CSV with CRLF', 'in.csv', `${csv.join('\r\n')}\r\n`],
    ['CSV with CRLF behind its header alone', 'in.csv', csv.join('\n').replace('\n', '\r\n')],
    ['CSV with CRLF behind other rows', 'in.csv', `${csv.join('\n')}\r\n`],
    ['CSV with quoted line ends of another kind', 'in.csv', quoted.join('\r\n')],
    ['CSV with line ends of two kinds, also quoted', 'in.csv', `${quoted.join('\r\n')}\n`],
    ['CSV with a BOM', 'in.csv', `\uFEFF${csv.join('\n')}`],
    ['JSON with a BOM', 'in.json', `\uFEFF${JSON.stringify(fills)}`],
    ['records on one line', 'in.json', fills.map((each) => JSON.stringify(each)).join('')],
    ['records with a comma at each line', 'in.json', fills.map((each) => `${JSON.stringify(each)},\n`).join('')],
    ['records with commas on one line', 'in.json', fills.map((each) => JSON.stringify(each)).join(' , ')],
    ['indented records', 'in.json', fills.map((each) => JSON.stringify(each, null, 2)).join(' ')],
    ['lists one behind the other', 'in.json', `${fills.map((each) => JSON.stringify([each])).join('')}\n`],
    ['a list a line, the last of them empty', 'in.json', `\uFEFF${[...pages, '[]'].join('\n')}`],
    ['lists of pages', 'in.json', fills.map((each) => JSON.stringify([{ data: [each] }, { data: [] }])).join('\n')],
    ['indented lists', 'in.json', fills.map((each) => JSON.stringify([each], null, 2)).join('\n')],
    ['a name with brackets', 'in[1]*.json', JSON.stringify(fills)],
    ['a name with a quote', "it's.json", JSON.stringify(fills)],
    ['CSV with a column of no name', 'in.csv', csv.map((line, i) => `${i === 0 ? '' : i},${line}`).join('\n')],
    ['CSV with a comma at its lines ends', 'in.csv', csv.map((line) => `${line},`).join('\n')],
    [
      'CSV with a name twice but for its case',
      'in.csv',
      csv.map((line, i) => `${line},${i === 0 ? 'Side' : 'SELL'}`).join('\n'),
    ],
  ];
  let reports: InputReport[];
  let tables: Record<string, unknown[]>;
  // Without the tables of fills, which number wallets and tokens in the order of all of them.
  const LEDGER = ['market_rows', 'wallet_days', 'wallet_market_days', 'lifetimes', 'wallet_records'];
  // Each form tells the fills of a wallet of its own, so that one ledger holds them all; wallet 1's are alone in another.
  let plain: Record<string, unknown[]>;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oddslab-test-'));
    try {
      const inputs = forms.map(async ([, name, content], n) => {
        await mkdir(join(folder, String(n)));
        return put(join(folder, String(n)), name, ofWallet(n + 2, content));
      });
      reports = (await ingest({ folder: join(folder, 'data'), inputs: await Promise.all(inputs) })).reports;
      tables = await tablesOf(join(folder, 'data'), LEDGER);
    } finally {
      await rm(folder, { recursive: true });
    }
    const all = await tablesFrom(fills);
    plain = Object.fromEntries(LEDGER.map((table) => [table, all[table] ?? []]));
  });

  it.each(forms.map(([form], n) => [form, n] as const))('%s gives the same ledger', (_, n) => {
    expect(reports[n]).toMatchObject({ rows: 2, kept: 2, skipped: {} });
    expect(rowsOf(n + 2, tables)).toEqual(rowsOf(1, plain));
  });

  it('adds nothing else', () => {
    const sizesOf = (of: Record<string, unknown[]>) => Object.values(of).map((rows) => rows.length);
    expect(sizesOf(plain)).toEqual([0, 2, 2, 1, 1]);
    expect(sizesOf(tables)).toEqual(sizesOf(plain).map((rows) => rows * forms.length));
  });
});

it('keeps every record of lines that hold several, also far behind the first', async () => {
  const folder = await temporaryFolder();
  const line = (n: number) => JSON.stringify(trade({ ...fill, wallet: n }));
  const lines = Array.from({ length: 4000 }, (_, n) => line(n + 1));
  const input = await put(folder, 'in.jsonl', `${lines.join('\n')}${line(5001)}\n{}${line(5002)}`);
  const { reports } = await ingest({ folder: join(folder, 'data'), inputs: [input] });
  expect(reports).toMatchObject([{ rows: 4003, kept: 4002, skipped: { 'not a record': 1 } }]);
});

const HALVES: [string, (records: readonly object[]) => string][] = [
  ['a list', (records) => JSON.stringify(records)],
  ['an indented list', (records) => JSON.stringify(records, null, 2)],
  ['lines', (records) => records.map((each) => JSON.stringify(each)).join('\n')],
  ['lines with several records', (records) => records.map((each) => JSON.stringify(each)).join('')],
  ['indented records', (records) => records.map((each) => JSON.stringify(each, null, 2)).join('\n')],
  ['lists', (records) => records.map((each) => JSON.stringify([each])).join('\n')],
  ['a page', (records) => JSON.stringify({ data: records })],
];
it(`reads half a character as U+FFFD: ${HALVES.map(([form]) => form).join(', ')}`, async () => {
  const folder = await temporaryFolder();
  const markets = [{ question: 'Half \ud83d?' }, { description: '\ude00' }, { question: '\ud83d\ude00' }];
  // Each form tells three markets of its own.
  const inputs = HALVES.map(([, textOf], at) =>
    put(folder, `${at}.json`, textOf(markets.map((changes, n) => gammaMarket(3 * at + n + 1, changes)))),
  );
  const { reports } = await ingest({ folder: join(folder, 'data'), inputs: await Promise.all(inputs) });
  expect(reports).toMatchObject(HALVES.map(() => ({ rows: 3, kept: 3, skipped: {} })));
  const { market_rows = [] } = await tablesOf(join(folder, 'data'));
  // They come in the order of their volumes, the greatest first.
  const questions = market_rows.map((row) => Reflect.get(Object(row), 'question')).reverse();
  expect(questions).toEqual(
    HALVES.flatMap((_, at) => ['Half \ufffd?', `Will it happen (${3 * at + 2})?`, '\ud83d\ude00']),
  );
});

it.each<[string, string, string]>([
  ['lists with a comma between them', `[${JSON.stringify(trade(fill))}],\n[]`, 'commas'],
  ['a record behind a list', `[${JSON.stringify(trade(fill))}]\n${JSON.stringify(trade(fill))}`, 'Expected ARRAY'],
])('refuses %s', async (_, content, why) => {
  const folder = await temporaryFolder();
  const input = await put(folder, 'in.json', content);
  await expect(ingest({ folder: join(folder, 'data'), inputs: [input] })).rejects.toThrow(why);
});

describe('the names of files', () => {
  const fills = [trade(fill), trade({ ...fill, does: 'SELL', time: fill.time + 90_000 })];
  const header = 'proxyWallet,side,asset,size,price,timestamp';
  const csv = [
    header,
    ...fills.map((each) =>
      header
        .split(',')
        .map((key) => each[key])
        .join(','),
    ),
  ].join('\n');

  it('stand for one file each, whatever lies beside it', async () => {
    const folder = await temporaryFolder();
    const inputs = [
      await put(folder, 'x[1].json', fills),
      await put(folder, 'x1.json', [trade({ ...fill, wallet: 2 })]),
      await put(folder, 'x*.json', [trade({ ...fill, wallet: 3 })]),
      await put(folder, 'x?.json', [trade({ ...fill, wallet: 4 })]),
    ];
    const { reports, version } = await ingest({ folder: join(folder, 'data'), inputs });
    expect(reports.map(({ kept }) => kept)).toEqual([2, 1, 1, 1]);
    expect(version.manifest.totals).toMatchObject({ events: 5, wallets: 4 });
  });

  let plain: Awaited<ReturnType<typeof tablesOf>>;
  beforeAll(async () => {
    plain = await tablesFrom([gammaMarket(1)], fills, csv);
  });
  it.each(['side=SELL', 'kind=3', 'reason=x', 'wallet=0', 'market=5', 'day=5', 'timestamp=2024-06-01'])(
    'make no column of the folder %s, neither of inputs nor of the data',
    async (named) => {
      const folder = await temporaryFolder();
      const other = join(folder, named, 'data');
      await mkdir(join(folder, named));
      const same = [await put(join(folder, named), 'in.json', fills), await put(join(folder, named), 'in.csv', csv)];
      await ingest({ folder: other, inputs: [await put(join(folder, named), 'm.json', [gammaMarket(1)]), ...same] });
      expect(await tablesOf(other)).toEqual(plain);
    },
  );
});

describe('the data folder', () => {
  it('has the same tables for any order and batching, at once or one after the other', async () => {
    const folder = await temporaryFolder();
    const { markets, trades } = smallRecords();
    const at = (name: string) => join(folder, name);
    await ingestSmall(at('a'));
    const parts = [
      await put(folder, 't2.json', reversed(trades.slice(50))),
      await put(folder, 'm2.json', reversed(markets)),
      await put(folder, 't1.json', reversed(trades.slice(0, 50))),
    ];
    await ingest({ folder: at('b'), inputs: parts });
    for (const part of parts) await ingest({ folder: at('c'), inputs: [part] });
    expect(await tablesOf(at('b'))).toEqual(await tablesOf(at('a')));
    expect(await tablesOf(at('c'))).toEqual(await tablesOf(at('a')));
  });

  it('does not change when the same content comes again', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const input = await put(folder, 'in.json', [trade(fill)]);
    const first = await ingest({ folder: data, inputs: [input] });
    const again = await put(folder, 'copy.json', [trade(fill)]);
    expect(await ingest({ folder: data, inputs: [input, again] })).toEqual({
      version: first.version,
      reports: [],
      known: [input, again],
      left: [],
      examples: new Map(),
    });
  });

  it('is refused while another live process writes it, and taken over from a dead one', async () => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in.json', [trade(fill)]);
    await leaveLock(folder, 'ingest.lock', { pid: process.ppid, born: '' });
    await expect(ingest({ folder, inputs: [input] })).rejects.toThrow(`process ${process.ppid}`);
    await rm(join(folder, 'ingest.lock'));
    await leaveLock(folder, 'ingest.lock', { pid: 4_194_305 });
    await ingest({ folder, inputs: [input] });
    expect((await readdir(folder)).sort()).toEqual(['current', 'in.json', 'versions']);
  });

  it('takes two ingests at once one at a time', async () => {
    const folder = await temporaryFolder();
    const inputs = [
      await put(folder, '1.json', [trade(fill)]),
      await put(folder, '2.json', [trade({ ...fill, side: 1 })]),
    ];
    const done = await Promise.allSettled(inputs.map((input) => ingest({ folder, inputs: [input] })));
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('names a damaged version', async () => {
    const folder = await temporaryFolder();
    const input = await put(folder, 'in.json', [trade(fill)]);
    const { version } = await ingest({ folder, inputs: [input] });
    await rm(version.database);
    await expect(ingest({ folder, inputs: [input] })).rejects.toThrow(/Version 000001 .* missing or damaged/);
  });
});

it('keeps tokens with a point whose digits a double holds, and 7e76, which may be hexadecimal', async () => {
  const folder = await temporaryFolder();
  const trades = ['71.0', '1234.1', '7e76'].map((asset) => ({ ...Object(trade(fill)), asset }));
  const { reports } = await ingest({ folder: join(folder, 'data'), inputs: [await put(folder, 't.json', trades)] });
  expect(reports).toMatchObject([{ kept: 3, skipped: {} }]);
});

it('reads amounts that are written with an exponent, however many digits they have', async () => {
  const folder = await temporaryFolder();
  const usual = { size: '10', price: '0.5' };
  const rows = [usual, { size: '12345678901234567e-15', price: '50e-2' }, { size: '1e1', price: '5E-1' }];
  const inputs = [await put(folder, 'm.json', [gammaMarket(1)])];
  inputs.push(
    await put(
      folder,
      't.json',
      rows.map((row, n) => ({ ...trade({ ...fill, tx: n }), ...row })),
    ),
  );
  await ingest({ folder: join(folder, 'data'), inputs });
  const { lifetimes = [] } = await tablesOf(join(folder, 'data'));
  expect(lifetimes).toMatchObject([{ trades: 3, invested: 5_000_000n + 6_172_839n + 5_000_000n }]);
});

it('keeps markets that say nothing of a date, or what is none of one that nothing hangs on', async () => {
  const folder = await temporaryFolder();
  const markets = [
    gammaMarket(1, { closedTime: 'None', startDate: 'soon' }),
    gammaMarket(2, { ...ended(0), closedTime: 'null', endDate: '2026-01-20T00:00Z' }),
  ];
  await ingest({ folder: join(folder, 'data'), inputs: [await put(folder, 'm.json', markets)] });
  const { market_rows = [] } = await tablesOf(join(folder, 'data'));
  expect(market_rows).toMatchObject([
    { close_ms: BigInt(Date.UTC(2026, 0, 20)), end_ms: BigInt(Date.UTC(2026, 0, 20)) },
    { start_ms: null, close_ms: null },
  ]);
});

it('leaves out a redemption that does not say what it paid', async () => {
  const folder = await temporaryFolder();
  const redeemed = activity('REDEEM', 1, { conditionId: conditionOf(1), size: 10, usdcSize: null });
  const { reports } = await ingest({
    folder: join(folder, 'data'),
    inputs: [await put(folder, 'a.json', [redeemed, { ...redeemed, usdcSize: 10 }])],
  });
  expect(reports).toMatchObject([{ rows: 2, kept: 1, skipped: { 'usdcSize is missing or no number': 1 } }]);
});

it('counts a trade of a wallet with itself once in the volume of a market that states none', async () => {
  const folder = await temporaryFolder();
  const self = { wallet: 4, market: 1, side: 0, size: 1, price: 0.5, time: fill.time, tx: 3 } as const;
  const fills = [
    trade({ ...fill, wallet: 1, size: 10, price: 0.5, tx: 1 }),
    trade({ ...fill, wallet: 2, size: 20, price: 0.5, tx: 1 }),
    trade({ ...fill, wallet: 3, does: 'SELL', size: 30, price: 0.5, tx: 1 }),
    trade({ ...self, does: 'SELL' }),
    trade({ ...self, does: 'BUY' }),
  ];
  const inputs = [await put(folder, 'm.json', [gammaMarket(1, { volume: null })]), await put(folder, 't.json', fills)];
  await ingest({ folder: join(folder, 'data'), inputs });
  const { market_rows = [] } = await tablesOf(join(folder, 'data'));
  expect(market_rows).toMatchObject([{ volume: 15_500_000n }]);
});

it('gives a token that two markets name to the first by id, and counts the strangers', async () => {
  const folder = await temporaryFolder();
  const stranger = { ...trade(fill), asset: tokenOf(7, 0), conditionId: '' };
  const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 't.json', [trade(fill), stranger])];
  const { version } = await ingest({ folder, inputs });
  expect(version.manifest.doubtful).toEqual({
    'event left out: its token belongs to no known side of a market': 1,
  });
});

it('counts every wallet and day where the ledger is larger than the engine holds back', async () => {
  const folder = await temporaryFolder();
  const [wallets, days] = [400, 600];
  const lines = ['proxyWallet,side,asset,conditionId,size,price,timestamp,transactionHash'];
  for (let wallet = 1; wallet <= wallets; wallet++) {
    for (let day = 0; day < days; day++) {
      const { proxyWallet, side, asset, conditionId } = trade({ ...fill, wallet });
      lines.push([proxyWallet, side, asset, conditionId, 10, 0.4, fill.time - day * 86_400, `0x${wallet}`].join(','));
    }
  }
  const input = join(folder, 'trades.csv');
  await writeFile(input, lines.join('\n'));
  const { version } = await ingest({ folder: join(folder, 'data'), inputs: [input] });
  expect(version.manifest.totals).toMatchObject({ events: wallets * days, wallets, wallet_days: wallets * days });
  const files = await readdir(join(folder, 'data', 'versions', '000001'));
  expect(files.filter((name) => !/^[\w-]+\.(bin|duckdb|json)$/.test(name))).toEqual([]);
});

it('refuses amounts of a day, or a position of several, that can no longer be counted exactly, and names wallet and market', async () => {
  const folder = await temporaryFolder();
  const market = await put(folder, 'm.json', [gammaMarket(1)]);
  const large = { ...fill, size: '8999999999.999999', price: '1' };
  const buyOn = (day: number, tx: number) => trade({ ...large, time: fill.time + day * 86_400, tx });
  const sell = trade({ ...fill, does: 'SELL', size: 1, price: 1, time: fill.time + 2 * 86_400 });
  for (const days of [
    [0, 0],
    [0, 1],
  ]) {
    const inputs = [market, await put(folder, 't.json', [...days.map(buyOn), sell])];
    await expect(ingest({ folder: join(folder, 'data'), inputs })).rejects.toThrow(
      `The events of wallet ${walletOf(fill.wallet)} in market ${conditionOf(1)} come to more than 9007199254.740991 dollars`,
    );
    await rm(join(folder, 'data'), { recursive: true, force: true });
  }
  const one = [market, await put(folder, 'one.json', [buyOn(0, 0), sell])];
  await ingest({ folder: join(folder, 'data'), inputs: one });
  expect((await tablesOf(join(folder, 'data'))).lifetimes).toMatchObject([
    { invested: 8_999_999_999_999_999n, pnl: 0n },
  ]);
});

it('counts fractions of a second before 1970 to the second that they are in', async () => {
  const folder = await temporaryFolder();
  const last = '1969-12-31T23:59:59.5Z';
  const inputs = [
    await put(folder, 'm.json', [gammaMarket(1, ended(0, '1969-12-31T23:59:59.9999Z'))]),
    await put(folder, 't.json', [{ ...trade(fill), timestamp: last }]),
  ];
  await ingest({ folder: join(folder, 'data'), inputs });
  const { market_rows, wallet_days } = await tablesOf(join(folder, 'data'));
  expect(market_rows).toMatchObject([{ close_ms: -1n }]);
  expect(wallet_days).toMatchObject([{ day: -1, trades: 1, wins: 1 }]);
});

it('reads the volumes that markets state exactly, halves of a millionth away from zero', async () => {
  const folder = await temporaryFolder();
  const volumes = {
    '8999999999.999999': 8_999_999_999_999_999n,
    '4503599627.3704965': 4_503_599_627_370_497n,
    '1.0000005': 1_000_001n,
    '5e-7': 1n,
    '1.5E3': 1_500_000_000n,
    '12345.678901234567890123': 12_345_678_901n,
    '9e9': 9_000_000_000_000_000n,
  };
  const markets = Object.keys(volumes).map((volume, n) => gammaMarket(n + 1, { volume }));
  markets.push(...['9000000000.01', '1e12', '-1', 'inf', 'much'].map((volume, n) => gammaMarket(n + 50, { volume })));
  const { reports } = await ingest({ folder: join(folder, 'data'), inputs: [await put(folder, 'm.json', markets)] });
  expect(reports).toMatchObject([{ skipped: { 'volume is no number from 0 to 9e9': 5 } }]);
  const rows = (await tablesOf(join(folder, 'data'))).market_rows as { condition_id: string; volume: bigint }[];
  const read = new Map(rows.map(({ condition_id, volume }) => [condition_id, volume]));
  expect(read).toEqual(new Map(Object.values(volumes).map((volume, n) => [conditionOf(n + 1), volume])));
});
