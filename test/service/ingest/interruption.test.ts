import { createReadStream } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.js';
import { DoubtReport } from '../../../src/service/ingest/doubts.js';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { Progress } from '../../../src/service/ingest/ingest-progress.js';
import { openInputs } from '../../../src/service/ingest/open-inputs.js';
import { readInputs } from '../../../src/service/ingest/read-inputs.js';
import { Staging } from '../../../src/service/ingest/stage.js';
import { gammaMarket, trade } from '../../support/raw-records.js';
import { smallRecords } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';
import { tablesOf } from './tables-of.js';

const fill = { wallet: 1, market: 1, side: 0, does: 'BUY', size: 10, price: 0.4, time: 1_767_225_600 } as const;

/** The folders of inputs that were read whole. That of scratch files may outlive an abort while the engine writes. */
async function stagedIn(data: string): Promise<string[]> {
  return (await readdir(join(data, 'staging'))).filter((name) => !name.startsWith('.'));
}

it('leaves inputs that were read whole, which the next ingest does not read again', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const { markets, trades } = smallRecords();
  const inputs = [await put(folder, 'm.json', markets), await put(folder, 't.json', trades)];
  const stop = new AbortController();
  const onProgress = (doing: string) => {
    if (doing.startsWith('building')) stop.abort(new Error('enough'));
  };
  await expect(ingest({ folder: data, inputs, onProgress, signal: stop.signal })).rejects.toThrow('enough');
  // What the engine was writing when it was told to stop may keep its folder until the next ingest.
  expect((await readdir(data)).filter((name) => name !== 'versions')).toEqual(['staging']);
  const [place = ''] = await stagedIn(data);
  expect((await readdir(join(data, 'staging', place))).sort()).toEqual(['report.json', 'rows.parquet']);
  const { reports } = await ingest({ folder: data, inputs });
  expect(reports.map(({ rows }) => rows)).toEqual([markets.length, trades.length]);
  const plain = join(folder, 'plain');
  await ingest({ folder: plain, inputs });
  expect(await tablesOf(data)).toEqual(await tablesOf(plain));
  expect((await readdir(data)).sort()).toEqual(['current', 'versions']);
});

it('evens out nothing that was staged', async () => {
  const folder = await temporaryFolder();
  const line = JSON.stringify(trade(fill));
  const path = await put(folder, 't.jsonl', `${line}\n${line}${line}`);
  const { inputs } = await openInputs([path], { folder, scratch: folder, stdin: Readable.from([]) });
  const options = {
    held: [],
    rebuilding: 0,
    staging: new Staging(join(folder, 'staging')),
    engine: {},
    progress: new Progress(() => {}),
    doubts: await DoubtReport.open(undefined),
    signal: undefined,
  };
  const first = await readInputs(inputs, { ...options, scratch: folder });
  expect(first.reports).toMatchObject([{ rows: 3, kept: 3 }]);
  expect(await readInputs(inputs, { ...options, scratch: join(folder, 'none') })).toEqual(first);
});

it('reads an input anew whose rows are no longer what was written', async () => {
  const folder = await temporaryFolder();
  const [data, plain] = [join(folder, 'data'), join(folder, 'plain')];
  const inputs = [await put(folder, 'm.json', smallRecords().markets), await put(folder, 't.json', [trade(fill)])];
  await ingest({ folder: plain, inputs });
  const stop = new AbortController();
  const onProgress = (doing: string) => {
    if (doing.startsWith('building')) stop.abort(new Error('enough'));
  };
  await expect(ingest({ folder: data, inputs, onProgress, signal: stop.signal })).rejects.toThrow('enough');
  for (const place of await stagedIn(data)) {
    const rows = join(data, 'staging', place, 'rows.parquet');
    const bytes = await readFile(rows);
    const middle = bytes.length >> 1;
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 4, middle);
    await writeFile(rows, bytes);
  }
  await ingest({ folder: data, inputs });
  expect(await tablesOf(data)).toEqual(await tablesOf(plain));
});

it('takes away what an ingest left that was killed right after its switch', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const inputs = [await put(folder, 'm.json', smallRecords().markets)];
  const other = await put(folder, 't.json', [trade(fill)]);
  const stop = new AbortController();
  const onProgress = (doing: string) => {
    if (doing.startsWith('building')) stop.abort(new Error('enough'));
  };
  await expect(ingest({ folder: data, inputs: [...inputs, other], onProgress, signal: stop.signal })).rejects.toThrow();
  await cp(join(data, 'staging'), join(folder, 'staging'), { recursive: true });
  await ingest({ folder: data, inputs });
  await cp(join(folder, 'staging'), join(data, 'staging'), { recursive: true });
  await writeFile(join(data, 'versions', '.publishing'), '000001\n');
  const { known } = await ingest({ folder: data, inputs });
  expect(await readdir(join(data, 'versions'))).toEqual(['000001']);
  expect(known).toEqual(inputs);
  // What no version holds yet stays for the ingest that needs it.
  expect(await readdir(join(data, 'staging'))).toHaveLength(1);
  await ingest({ folder: data, inputs: [other] });
  expect((await readdir(data)).sort()).toEqual(['current', 'versions']);
});

it('takes away what an ingest left that was killed while it read, also of inputs that do not come again', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const half = join(data, 'staging', `${'0'.repeat(32)}.part`);
  await mkdir(half, { recursive: true });
  await writeFile(join(half, 'rows.parquet'), 'PAR1');
  const bad = await put(folder, 'bad.json', JSON.stringify([trade(fill)]).slice(0, -1));
  await expect(ingest({ folder: data, inputs: [bad] })).rejects.toThrow('bad.json is cut off');
  expect(await readdir(data)).toEqual([]);
});

it('of a malformed input keeps what was read before it', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const good = await put(folder, 'good.json', [trade(fill)]);
  const bad = await put(folder, 'bad.json', JSON.stringify([trade(fill)]).slice(0, -1));
  await expect(ingest({ folder: data, inputs: [good, bad] })).rejects.toThrow('bad.json is cut off');
  expect(await readdir(data)).toEqual(['staging']);
});

it('says that stdin cannot be read, and does not blame the folder', async () => {
  const folder = await temporaryFolder();
  const stdin = createReadStream(folder);
  const reading = ingest({ folder: join(folder, 'data'), inputs: ['-'], stdin });
  await expect(reading).rejects.toThrow(new InputError('Cannot read stdin: EISDIR.'));
});

it('reads stdin, of the format that is asked for alone', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const stdin = () => Readable.from([Buffer.from(JSON.stringify([trade(fill)]))]);
  const wrong = ingest({ folder: data, inputs: ['-'], stdin: stdin(), format: 'gamma' });
  await expect(wrong).rejects.toThrow('stdin holds Data API /trades JSON or CSV, not what --format gamma says');
  const markets = await put(folder, 'm.json', [gammaMarket(1)]);
  await ingest({ folder: data, inputs: [markets] });
  const { reports } = await ingest({ folder: data, inputs: ['-'], stdin: stdin(), format: 'trades' });
  expect(reports).toMatchObject([{ file: 'stdin', rows: 1, kept: 1 }]);
});
