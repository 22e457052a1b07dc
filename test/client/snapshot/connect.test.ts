import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerError, DataError, UsageError } from '../../../src/base/errors.js';
import { connect } from '../../../src/client/connect.js';
import type { ConnectOptions } from '../../../src/client/connect-options.js';
import { recordsOf } from '../../../src/frame/tabular/column-values.js';
import { columnsOf } from '../../../src/frame/tabular/columns-of.js';
import type { DataFrame } from '../../../src/frame/tabular/data-frame.js';
import { provenanceOf } from '../../../src/frame/tabular/provenance.js';
import { openLab } from '../../../src/lab.js';
import { createKey } from '../../../src/service/accounts/api-keys.js';
import { walletOf } from '../../support/raw-records.js';
import { serveFolder } from '../../support/serve-folder.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { faultServer, sendPage } from '../fault-server.js';
import { contentOf, stateOf } from './recording.js';

beforeEach(() => {
  vi.stubEnv('ODDSLAB_SNAPSHOT', undefined);
  vi.stubEnv('ODDSLAB_SNAPSHOT_MODE', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Everything about a frame. */
function whole(frame: DataFrame) {
  const { columns, shape, dtypes } = frame;
  return { columns, shape, dtypes, meaning: columnsOf(frame), rows: recordsOf(frame), provenance: provenanceOf(frame) };
}

const wallets = [walletOf(1), walletOf(2), walletOf(77)];

/** One study: frames of all kinds. */
async function study(options: ConnectOptions) {
  const client = connect(options);
  try {
    const frames = [
      await client.markets({ closed: true }).frame(),
      await client.markets().first(4),
      await client.pnl({ wallet: wallets }).frame(),
      await client.pnl({ wallet: walletOf(1) }, { exact: true }).frame(),
      await client.lifetime({ wallet: walletOf(2) }).frame(),
      await client.dataset(555, { closed: 'False' }).frame(),
    ];
    const rows = [];
    for await (const row of client.pnl({ wallet: walletOf(2), granularity: '1w' }).records()) rows.push(row);
    return { frames: frames.map((frame) => whole(frame as DataFrame)), rows, count: await client.markets().count() };
  } finally {
    await client.close();
  }
}

describe('connect with a snapshot', () => {
  it('replays a study with the service gone: values, columns, dtypes and provenance are the same', async () => {
    const [data, snapshot] = [await temporaryFolder(), await temporaryFolder()];
    await ingestSmall(data);
    const baseUrl = await serveFolder(data);
    const recorded = await study({ baseUrl, snapshot, pageSize: 7 });
    const replayed = await study({ snapshot, mode: 'replay' });
    const auto = await study({ baseUrl: 'http://127.0.0.1:9', snapshot, pageSize: 3, concurrency: 1 });
    expect(replayed).toEqual(recorded);
    expect(auto).toEqual(recorded);
    const live = await study({ baseUrl, snapshot, mode: 'live' });
    const plain = (of: typeof live) => ({ ...of, frames: of.frames.map(({ provenance: _, ...frame }) => frame) });
    expect(plain(live)).toEqual(plain(recorded));
    expect(recorded.frames[2]?.provenance).toEqual(
      wallets.map((wallet, at) => ({
        service: baseUrl,
        dataset: 569,
        params: { wallet },
        records: [40, 40, 0][at],
        queriedAt: expect.stringMatching(/^2\d{3}-.*Z$/),
        dataVersion: expect.any(String),
        completeness: {
          [wallet]: at === 2 ? { seen: false } : expect.objectContaining({ seen: true, last: expect.any(String) }),
        },
        snapshot: basename(snapshot),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
    );
    const { queries } = await stateOf(snapshot);
    const asked = queries.map(({ dataset, params, maxRecords }: Record<string, unknown>) => [
      dataset,
      params,
      maxRecords,
    ]);
    expect(asked).toEqual([
      [555, { closed: 'False' }, undefined],
      [569, { granularity: '1w', wallet: walletOf(2) }, undefined],
      ...wallets.map((wallet) => [569, { wallet }, undefined]),
      [574, {}, undefined],
      [574, {}, 4],
      [574, { closed: 'True' }, undefined],
      [586, { wallet_address: walletOf(2) }, undefined],
    ]);
  });

  it('names the nearest query where one is not recorded, and lists a wallet of several', async () => {
    const [data, snapshot] = [await temporaryFolder(), await temporaryFolder()];
    await ingestSmall(data);
    const baseUrl = await serveFolder(data);
    await connect({ baseUrl, snapshot })
      .pnl({ wallet: walletOf(1) })
      .frame();
    const replay = connect({ snapshot, mode: 'replay' });
    const failure = await replay
      .pnl({ wallet: [walletOf(1), walletOf(2)] })
      .frame()
      .catch((error) => error);
    expect(failure).toBeInstanceOf(DataError);
    expect(failure.message).toContain(`wallet is ${walletOf(1)} there, ${walletOf(2)} here`);
    const both = connect({ baseUrl, snapshot });
    expect((await both.pnl({ wallet: [walletOf(1), walletOf(2)] }).frame()).shape).toEqual([80, 8]);
    expect((await replay.pnl({ wallet: [walletOf(2), walletOf(1)] }).frame()).shape).toEqual([80, 8]);
  });

  it('keeps odd numbers and repeated records as a service sent them', async () => {
    const row = (n: number) => `{ "id": "${n}", "big": 12345678901234567890, "price": 1.50, "2": "0x10", "1": "" }`;
    const { url } = await faultServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const results = `[ ${row(1)},\n ${row(1)} , ${row(2)} ]`;
      response.end(`{"pagination":{"limit":3,"offset":0,"has_more":false},"data":{"results":${results}}}`);
    });
    const snapshot = await temporaryFolder();
    const live = whole((await connect({ baseUrl: url }).dataset(999).frame()) as DataFrame);
    const recorded = whole((await connect({ baseUrl: url, snapshot }).dataset(999).frame()) as DataFrame);
    const replayed = whole((await connect({ snapshot, mode: 'replay' }).dataset(999).frame()) as DataFrame);
    expect(replayed).toEqual(recorded);
    expect({ ...recorded, provenance: [] }).toEqual({ ...live, provenance: [] });
    const [answer] = (await stateOf(snapshot)).answers;
    expect(answer?.text.split('\n')[0]).toBe('{"id":"1","big":12345678901234567890,"price":1.50,"2":"0x10","1":""}');
  });

  it('records nothing of an answer that contradicts the contract', async () => {
    const { url } = await faultServer((_, response) => sendPage(response, [{ date: 'never' }], false));
    const snapshot = await temporaryFolder();
    await expect(
      connect({ baseUrl: url, snapshot })
        .pnl({ wallet: walletOf(1) })
        .frame(),
    ).rejects.toThrow();
    await expect.poll(() => contentOf(snapshot)).toEqual({});
  });

  it('writes no key into the folder', async () => {
    const [data, snapshot] = [await temporaryFolder(), await temporaryFolder()];
    await ingestSmall(data);
    const { key } = await createKey(data, 'snapshot');
    const baseUrl = await serveFolder(data, { open: false });
    await study({ baseUrl, apiKey: key, snapshot });
    const content = Object.entries(await contentOf(snapshot));
    expect(content.length).toBeGreaterThan(5);
    for (const [name, bytes] of content) expect(name + bytes.toString('latin1')).not.toContain(key);
    for (const { text } of (await stateOf(snapshot)).answers) expect(text).not.toContain(key);
    expect(await readFile(join(snapshot, 'manifest.json'), 'utf8')).not.toContain(snapshot);
  });

  it('refuses records in which the service repeats the key', async () => {
    const apiKey = 'key-of-many-letters';
    const { url } = await faultServer((_, response) => sendPage(response, [{ id: 1, note: `of ${apiKey}` }], false));
    const folder = join(await temporaryFolder(), 'snapshot');
    const error = await connect({ baseUrl: url, apiKey, snapshot: folder })
      .dataset(999)
      .frame()
      .catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(AnswerError);
    expect(String(error)).toContain('Dataset 999, offset 0: the service repeats your API key in its records');
    expect(inspect(error)).not.toContain(apiKey);
    await expect(contentOf(folder)).rejects.toThrow('ENOENT');
    const live = connect({ baseUrl: url, apiKey, snapshot: folder, mode: 'live' });
    expect((await live.dataset(999).frame()).shape).toEqual([1, 2]);
    // A short one may stand in records by chance.
    const short = connect({ baseUrl: url, apiKey: 'key', snapshot: folder });
    expect((await short.dataset(999).frame()).shape).toEqual([1, 2]);
  });

  it('needs an address except in a replay', () => {
    expect(() => connect({ snapshot: 'x' })).toThrow(UsageError);
    connect({ snapshot: 'x', mode: 'replay' });
  });
});

describe('openLab', () => {
  it('takes the snapshot and its mode from the environment, for unchanged notebooks', async () => {
    const [data, snapshot] = [await temporaryFolder(), await temporaryFolder()];
    await ingestSmall(data);
    vi.stubEnv('ODDSLAB_URL', await serveFolder(data));
    vi.stubEnv('ODDSLAB_SNAPSHOT', snapshot);
    const notebook = async () => {
      const lab = await openLab();
      const frame = await lab.markets({ minVolume: 3000 }).frame();
      await lab.close();
      return whole(frame as DataFrame);
    };
    const recorded = await notebook();
    vi.stubEnv('ODDSLAB_URL', undefined);
    vi.stubEnv('ODDSLAB_DATA', '/nowhere/at/all');
    vi.stubEnv('ODDSLAB_SNAPSHOT_MODE', 'replay');
    expect(await notebook()).toEqual(recorded);
    expect(recorded.rows).toHaveLength(10);
  });
});
