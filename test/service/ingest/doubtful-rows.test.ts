import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ingest, rehearseIngest } from '../../../src/service/ingest/ingest-inputs.js';
import { activity, type FillOf, gammaMarket, trade } from '../../support/raw-records.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { csvOf, orderFilled, parquetOf, pmaBlock, pmaTrade, polyTrade } from './other-formats.js';

const T = 1_767_225_600;
const good = (n: number, changes: object = {}) => ({
  ...trade({ wallet: 1, market: 1, side: 0, does: 'BUY', size: 1 + n, price: 0.5, time: T + n }),
  title: 'a "title",\nover two lines',
  ...changes,
});
const ZERO = 'size is zero';
const SIDE = 'side is neither BUY nor SELL';
const BROKEN = 'not a line of this CSV';
const records = [good(0), good(1, { size: 0 }), good(2), good(3, { side: 'HOLD' }), good(4, { size: 0 })];

it('are told by reason, file, record and line, and all of them in a file', async () => {
  const folder = await temporaryFolder();
  const csv = csvOf(records).split('\n');
  // Header, then two lines a record; a broken line after the first one.
  csv.splice(3, 0, 'broken,line', 'x');
  const inputs = [
    await put(folder, '1.csv', gzipSync(csv.join('\n'))),
    await put(folder, '2.json', JSON.stringify(records, null, 1)),
    await put(folder, '3.jsonl', records.map((each) => JSON.stringify(each)).join('\n\n')),
    await put(folder, '4.json', JSON.stringify(records)),
    await put(folder, 'm.json', [gammaMarket(1)]),
  ];
  const report = join(folder, 'doubtful.jsonl');
  const { reports, examples, version } = await ingest({ folder: join(folder, 'data'), inputs, report });
  expect(version.manifest.merged).toEqual({ 'event that more than one download holds (counted once)': 6 });
  expect(reports[0]).toMatchObject({ rows: 7, kept: 2, skipped: { [ZERO]: 2, [SIDE]: 1, [BROKEN]: 2 } });
  const lines = (await readFile(report, 'utf8')).trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line)) as {
    file: string;
    record: number;
    line: number;
    reason: string;
  }[];
  const size = Object.keys(good(0)).length + 2;
  expect(rows.filter(({ file }) => file).map(({ file, record, line, reason }) => [file, record, line, reason])).toEqual(
    [
      [inputs[0], 2, 4, BROKEN],
      [inputs[0], 3, 5, BROKEN],
      [inputs[0], 4, 6, ZERO],
      [inputs[0], 6, 10, SIDE],
      [inputs[0], 7, 12, ZERO],
      ...[2, 4, 5].map((record) => [inputs[1], record, 2 + (record - 1) * size, record === 4 ? SIDE : ZERO]),
      ...[2, 4, 5].map((record) => [inputs[2], record, 2 * record - 1, record === 4 ? SIDE : ZERO]),
      ...[2, 4, 5].map((record) => [inputs[3], record, undefined, record === 4 ? SIDE : ZERO]),
    ],
  );
  expect(examples.get(ZERO)).toEqual(rows.filter(({ reason }) => reason === ZERO).slice(0, 3));
});

it('are told by their own lines among broken and blank ones', async () => {
  const folder = await temporaryFolder();
  const [header = '', ...rows] = csvOf(records.map(({ title: _, ...row }) => row)).split('\n');
  const [first, zero, second, side] = rows;
  for (const ends of [['\n'], ['\r\n'], ['\n', '\r\n']]) {
    const lines = [header, '', first, 'x', '', '', zero, 'y,z', second, '', side, ''];
    const input = await put(folder, 'in.csv', lines.map((line, i) => `${line}${ends[i % ends.length]}`).join(''));
    const report = join(folder, 'report.jsonl');
    await ingest({ folder: await temporaryFolder(), inputs: [input], report });
    const told = (await readFile(report, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told.filter(({ file }) => file).map(({ record, line, reason }) => [record, line, reason])).toEqual([
      [2, 4, BROKEN],
      [3, 7, ZERO],
      [4, 8, BROKEN],
      [6, 11, SIDE],
    ]);
  }
});

it('are told by their lines in lists one behind the other, and in lines of several records', async () => {
  const folder = await temporaryFolder();
  const [a, b, c, d] = [good(0), good(1, { size: 0 }), 5, good(2, { size: 0 })].map((each) => JSON.stringify(each));
  const inputs = [
    await put(folder, '1.json', `[${a},\n${b}]\n[${c}]\n\n[\n${d}]`),
    await put(folder, '2.json', `${a}\n${b}\n${a}${a}\n${d}\n`),
    await put(folder, '3.json', `[{"data":[${a},\n${b}]}]\n[{"data":[${c}]}, {"data":[\n${d}]}]`),
  ];
  const { reports, examples } = await ingest({ folder: join(folder, 'data'), inputs });
  expect(reports.map(({ rows, kept }) => [rows, kept])).toEqual([
    [4, 1],
    [5, 3],
    [4, 1],
  ]);
  expect([ZERO, 'not a record'].flatMap((reason) => examples.get(reason))).toMatchObject([
    { file: inputs[0], record: 2, line: 2 },
    { file: inputs[0], record: 4, line: 6 },
    { file: inputs[1], record: 2, line: 2 },
    { file: inputs[0], record: 3, line: 3 },
    { file: inputs[2], record: 3, line: 3 },
  ]);
});

it('are pages without a list of records, such as errors, between others', async () => {
  const folder = await temporaryFolder();
  const page = (...data: object[]) => JSON.stringify({ limit: 1, data, next_cursor: 'x' });
  const [a, b, zero] = [page(good(0)), page(good(1)), page(good(2, { size: 0 }))];
  const pages = [a, '{"error":"too many requests"}', page(), '{"data":null}', b, zero];
  const inputs = [
    await put(folder, '1.json', pages.join('\n')),
    await put(folder, '2.json', `[\n${[...pages, 'null'].join(',\n')}\n]`),
  ];
  for (const [at, lines] of [
    [2, 4],
    [3, 5, 8],
  ].entries()) {
    const { reports, examples } = await ingest({ folder: join(folder, `data${at}`), inputs: inputs.slice(at, at + 1) });
    expect(reports).toMatchObject([{ kept: 2, skipped: { 'not a record': lines.length, [ZERO]: 1 } }]);
    expect(examples.get('not a record')).toMatchObject(lines.map((line) => ({ line })));
    expect(examples.get(ZERO)).toMatchObject([{ line: 6 + at }]);
  }
});

it.each([
  '{"error":{"code":429,"message":"too many requests"}}',
  '{"errors":["a","b"]}',
  '{"errors":[],"kind":"data"}',
])('are told by their lines where a page holds more than records, such as %s', async (error) => {
  const folder = await temporaryFolder();
  const page = (data: object) =>
    JSON.stringify({ limit: 1, data: [data], next: { cursor: 'x', left: 2 }, tags: ['y'] });
  const pages = [page(good(0)), error, page(good(1, { size: 0 })), page(good(2, { size: 0 })), page(good(3))];
  const inputs = [await put(folder, '1.json', pages.join('\n'))];
  const { examples } = await ingest({ folder: join(folder, 'data'), inputs });
  expect(examples.get('not a record')).toMatchObject([{ record: 2, line: 2 }]);
  expect(examples.get(ZERO)).toMatchObject([3, 4].map((line) => ({ record: line, line })));
});

it('are the torn lines alone where others hold several records', async () => {
  const folder = await temporaryFolder();
  const [a, b, zero] = [good(0), good(1), good(2, { size: 0 })].map((each) => JSON.stringify(each));
  const lines = [`${a}${a?.slice(0, 90)}`, b, '', ' ', `${a}, x`, `${b} ,${a}`, '5 {}', zero, ''];
  const input = await put(folder, 'in.jsonl', lines.join('\n'));
  const report = join(folder, 'report.jsonl');
  const options = { folder: join(folder, 'data'), inputs: [input], report };
  const { reports } = await ingest(options);
  expect(reports).toMatchObject([{ rows: 9, kept: 5, skipped: { 'not a record': 3, [ZERO]: 1 } }]);
  const told = (await readFile(report, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(told.filter(({ file }) => file).map(({ record, line, reason }) => [record, line, reason])).toEqual([
    [2, undefined, 'not a record'],
    [5, undefined, 'not a record'],
    [8, 7, 'not a record'],
    [9, 8, ZERO],
  ]);
});

it('are what is no record in a list, too', async () => {
  const folder = await temporaryFolder();
  const listed = [good(0), 5, good(1), 'text', null, [good(2)]];
  const inputs = [await put(folder, '1.json', listed), await put(folder, '2.json', JSON.stringify(listed, null, 1))];
  const { reports, examples } = await ingest({ folder: join(folder, 'data'), inputs });
  const size = Object.keys(good(0)).length + 2;
  for (const report of reports) expect(report).toMatchObject({ rows: 6, kept: 2, skipped: { 'not a record': 4 } });
  expect(examples.get('not a record')).toEqual(
    [2, 4, 5].map((record) => ({ file: inputs[0], record, reason: 'not a record' })),
  );
  const second = await ingest({ folder: join(folder, 'second'), inputs: inputs.slice(1) });
  expect(second.examples.get('not a record')).toEqual(
    [
      [2, size + 2],
      [4, 2 * size + 3],
      [5, 2 * size + 4],
    ].map(([record, line]) => ({ file: inputs[1], record, line, reason: 'not a record' })),
  );
});

it('are refused by strict, and a rehearsal changes nothing', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const markets = await put(folder, 'm.json', [gammaMarket(1)]);
  const inputs = [markets, await put(folder, 't.json', records)];
  const { manifest, reports } = await rehearseIngest({ folder: data, inputs });
  expect(manifest?.totals).toMatchObject({ markets: 1, events: 2, wallets: 1 });
  expect(reports[1]?.skipped).toEqual({ [ZERO]: 2, [SIDE]: 1 });
  expect((await readdir(folder)).sort()).toEqual(['m.json', 't.json']);
  const report = join(folder, 'all.jsonl');
  const refused = ingest({ folder: data, inputs, strict: true, report });
  await expect(refused).rejects.toThrow(`2: ${ZERO}`);
  expect((await readFile(report, 'utf8')).trim().split('\n')).toHaveLength(3);
  expect(await readdir(data)).toEqual(['staging']);
  const alone = [await put(folder, 'alone.json', [good(0)])];
  await expect(ingest({ folder: data, inputs: alone, strict: true })).rejects.toThrow('without a market record');
  await ingest({ folder: data, inputs: [markets, ...alone], strict: true });
  expect((await readdir(data)).sort()).toEqual(['current', 'versions']);
});

it('are not refused by strict where the folder had as many before: of what its inputs bring, each is', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const fills = { side: 0, does: 'BUY', size: 10, price: 0.4 } as const;
  const fillOf = (market: number, time: number) => trade({ ...fills, wallet: 1, market, time });
  const reading = async (name: string, ...rows: object[]) =>
    ingest({ folder: data, inputs: [await put(folder, name, rows)], strict: name !== 'doubtful' });
  await reading('doubtful', fillOf(1, 1_767_225_600));
  await reading('markets', gammaMarket(2));
  const { version } = await reading('fills', fillOf(2, 1_767_225_601));
  await expect(reading('more', fillOf(1, 1_767_225_602))).rejects.toThrow(
    'nothing was changed.\n  1: event of a market without a market record (settles only when redeemed)\nMend',
  );
  expect(version.manifest.doubtful).toEqual({
    'event of a market without a market record (settles only when redeemed)': 1,
  });
});

it('are refused by strict where nothing else comes; income is none', async () => {
  const folder = await temporaryFolder();
  const options = { folder: join(folder, 'data'), strict: true, report: join(folder, 'all.jsonl') };
  await ingest({ ...options, inputs: [await put(folder, 'm.json', [gammaMarket(1)])] });
  const bad = await put(folder, 'bad.json', [good(0, { side: 'HOLD' })]);
  await expect(ingest({ ...options, inputs: [bad] })).rejects.toThrow(`nothing was changed.\n  1: ${SIDE}`);
  const income = await put(folder, 'income.json', [activity('REWARD', 1, { usdcSize: 1 })]);
  expect(await ingest({ ...options, inputs: [income] })).toMatchObject({
    version: { manifest: { doubtful: {}, totals: { events: 1, wallets: 0 } } },
    reports: [{ rows: 1, kept: 1, income: { rows: 1, usd: 1e6 }, skipped: {} }],
  });
});

it('are no fills that another format told, with an id or without a token of its own, unless only that knows the fee', async () => {
  const folder = await temporaryFolder();
  const fills = ([0, 1] as const).map(
    (side): FillOf => ({ wallet: 1, market: 1, side, does: 'BUY', size: 2, price: 0.5, time: T }),
  );
  const told = async (changes: object, name: string, other: string) => {
    const pma = [...fills, ...fills].map((fill, n) => JSON.stringify({ ...pmaTrade(fill, n), ...changes }));
    const inputs = [
      await put(folder, 'markets.json', [gammaMarket(1)]),
      await put(folder, 'blocks.csv', csvOf([pmaBlock(T)])),
      await parquetOf(await put(folder, 'pma.jsonl', pma.join('\n')), join(folder, `${name}.parquet`)),
      await put(folder, 'orders.csv', csvOf(fills.map(orderFilled))),
      await put(folder, 'other', other),
    ];
    const { version, examples } = await ingest({ folder: join(folder, name), inputs });
    const { doubtful, merged, totals } = version.manifest;
    return { doubtful, merged, events: totals.events, told: examples.get(equal)?.length };
  };
  const equal = 'event equal to another one (kept: the format has no id to tell a repeat)';
  const mixed = 'wallet with fills whose fee is known and fills whose fee is not (its profit mixes both)';
  const several = 'event that more than one download holds (counted once)';
  const withId = 'fill that also comes with an id (the one with the id stays)';
  const withFee = 'fill that also comes with its fee (the one with the fee stays)';
  expect(await told({}, 'data', csvOf(fills.map(polyTrade)))).toEqual({
    doubtful: {},
    merged: { [several]: 2, [withId]: 2 },
    events: 4,
    told: undefined,
  });
  const activities = fills
    .flatMap((fill) => [fill, fill])
    .map((fill) => ({ ...trade(fill), usdcSize: 1, type: 'TRADE' }));
  expect(await told({ fee: '' }, 'without-fees', JSON.stringify(activities))).toEqual({
    doubtful: { [equal]: 4, [mixed]: 1 },
    merged: { [withFee]: 2 },
    events: 8,
    told: 3,
  });
});
