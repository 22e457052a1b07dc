import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DataError, UsageError } from '../../src/base/errors.js';
import { connect } from '../../src/client/connect.js';
import type { ConnectOptions } from '../../src/client/connect-options.js';
import { recordsOf } from '../../src/frame/tabular/column-values.js';
import { provenanceOf } from '../../src/frame/tabular/provenance.js';
import { openLab } from '../../src/lab.js';
import { walletOf } from '../support/raw-records.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { pagedServer, until } from './paged-server.js';

const wallet = walletOf(1);

/** Sets an environment variable until the test ends. */
function setEnv(name: string, value: string | undefined): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('connect', () => {
  it.each<[Partial<ConnectOptions>, string]>([
    [{ concurrency: 0 }, 'concurrency must be a whole number from 1 to 64; got 0.'],
    [{ concurrency: 65 }, 'concurrency must be a whole number from 1 to 64; got 65.'],
    [{ concurrency: 2.5 }, 'concurrency must be a whole number from 1 to 64; got 2.5.'],
    [{ pageSize: 1001 }, 'pageSize must be a whole number from 1 to 1000; got 1001.'],
    [{ retries: -1 }, 'retries must be'],
    [{ baseUrl: undefined }, 'baseUrl must be an http or https address such as http://127.0.0.1:8787; got none.'],
    [{ baseUrl: 'https://example.org/odds/?key=1#top' }, 'paths are added to it: write https://example.org/odds.'],
    [{ mode: 'replay' }, 'there is no snapshot'],
  ])('refuses %j', (options, message) => {
    const connecting = () => connect({ baseUrl: 'http://127.0.0.1:9', ...options });
    expect(connecting).toThrow(UsageError);
    expect(connecting).toThrow(message);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ apikey: 'k' }, '"apikey" is no option of connect. Did you mean "apiKey"?'],
    [{ path: 5 }, 'path of connect must be text'],
  ])('refuses %j, which TypeScript would have told', (options, message) => {
    const connecting = () => connect({ baseUrl: 'http://127.0.0.1:9', ...options });
    expect(connecting).toThrow(UsageError);
    expect(connecting).toThrow(message);
  });

  it('takes every option by its name', () => {
    const options: Required<ConnectOptions> = {
      ...{ baseUrl: 'http://127.0.0.1:9', apiKey: 'k', path: '/query', pageSize: 1, concurrency: 1 },
      ...{ onWarning() {}, onWait() {}, progress: false, snapshot: 'x', mode: 'live' },
      ...{ retries: 1, backOffMs: 1, timeoutMs: 1, attemptTimeoutMs: 1, connectTimeoutMs: 1 },
      ...{ headersTimeoutMs: 1, bodyTimeoutMs: 1, maxAnswerBytes: 1 },
    };
    expect(connect(options).baseUrl).toBe('http://127.0.0.1:9');
  });

  it('of a lab refuses options of other names', async () => {
    const opening = (options: object) => openLab({ data: '/nowhere', ...options });
    await expect(opening({ dat: 'x' })).rejects.toEqual(
      new UsageError('"dat" is no option of openLab. Did you mean "data"?'),
    );
    await expect(opening({ baseUrl: 'http://127.0.0.1:9' })).rejects.toThrow('"baseUrl" is no option of openLab.');
  });

  it.each([Number.NaN, -1, 1.5, '555'])('has no dataset %s', (id) => {
    const asking = () => connect({ baseUrl: 'http://127.0.0.1:9' }).dataset(id as number);
    expect(asking).toThrow(UsageError);
    expect(asking).toThrow('The number of a dataset must be a whole number of 0 or more; got ');
  });

  it.each([
    [wallet, 'a value of type string'],
    [[wallet], 'a list'],
    [true, 'a value of type boolean'],
  ])('refuses filters that are no object, such as %j', (given, got) => {
    const client = connect({ baseUrl: 'http://127.0.0.1:9' });
    const said = (of: string, name: string) =>
      new UsageError(`The filters of ${of} must be an object that names them, as in { ${name}: … }; got ${got}.`);
    expect(() => client.pnl(given as never)).toThrow(said('pnl', 'wallet'));
    expect(() => client.markets(given as never)).toThrow(said('markets', 'closed'));
  });

  it('closed, lets a request under way end, and fails a query that needs further pages', async () => {
    const seen = await pagedServer({ records: 20, delay: () => 50 });
    const client = connect({ baseUrl: seen.url, pageSize: 10 });
    const [long, short] = [client.pnl({ wallet }).frame(), client.pnl({ wallet }, { maxRecords: 5 }).frame()];
    long.catch(() => {});
    await until(() => seen.inFlight === 2);
    await client.close();
    expect((await short).shape[0]).toBe(5);
    await expect(long).rejects.toThrow('This connection was closed');
  });

  it.each(['/query', 'query'])('asks the path that it is given, %s', async (path) => {
    const seen = await pagedServer({ records: 1 });
    await expect(connect({ baseUrl: seen.url, path }).pnl({ wallet }).count()).resolves.toBe(1);
  });

  it('gives each kind of filter as the wire has it', async () => {
    const seen = await pagedServer({ records: 0 });
    const client = connect({ baseUrl: seen.url });
    await client.markets({ closed: true, minVolume: 1e5, endDateMin: new Date('2026-01-01') }).frame();
    await client.pnl({ wallet: [wallet], granularity: '1w', startTime: '2025-06-01' }).frame();
    await client.lifetime({ wallet }).frame();
    await client.dataset(555, { closed: 'True' }).frame();
    expect(seen.asked.map(({ agent_id, params }) => [agent_id, params])).toEqual([
      [574, { closed: 'True', min_volume: '100000', end_date_min: '1767225600' }],
      [569, { wallet, granularity: '1w', start_time: '2025-06-01' }],
      [586, { wallet_address: wallet }],
      [555, { closed: 'True' }],
    ]);
  });
});

describe('a snapshot', () => {
  it('is recorded and replayed without a service, by the options or the environment', async () => {
    const folder = join(await temporaryFolder(), 'snapshot');
    const seen = await pagedServer({ records: 35 });
    const recording = connect({ baseUrl: seen.url, pageSize: 10, snapshot: folder });
    const wallets = [wallet, walletOf(2)];
    const live = await recording.pnl({ wallet: wallets }).frame();
    const few = await recording.pnl({ wallet: [walletOf(3), walletOf(4)] }, { maxRecords: 40 }).frame();
    const asked = seen.asked.length;

    const replaying = connect({ snapshot: folder, mode: 'replay' });
    const again = await replaying.pnl({ wallet: wallets }).frame();
    expect(recordsOf(again)).toEqual(recordsOf(live));
    expect(provenanceOf(again)).toEqual(provenanceOf(live));
    expect(provenanceOf(again)).toMatchObject([
      { records: 35, service: seen.url, snapshot: 'snapshot' },
      { records: 35 },
    ]);

    setEnv('ODDSLAB_SNAPSHOT', folder);
    setEnv('ODDSLAB_SNAPSHOT_MODE', 'replay');
    setEnv('ODDSLAB_URL', undefined);
    setEnv('ODDSLAB_DATA', join(folder, 'none'));
    const lab = await openLab();
    const fewAgain = await lab.pnl({ wallet: [walletOf(3), walletOf(4)] }, { maxRecords: 40 }).frame();
    expect([few.shape[0], recordsOf(fewAgain)]).toEqual([40, recordsOf(few)]);
    await expect(lab.pnl({ wallet: walletOf(9) }).frame()).rejects.toThrow(walletOf(9));
    await lab.close();
    expect(seen.asked).toHaveLength(asked);
  });

  it('refuses a folder without data at once, and opens it where a snapshot may answer', async () => {
    const [data, snapshot] = [await temporaryFolder(), await temporaryFolder()];
    // A client alone would wait for data as long as the service asks it to: four times five seconds.
    await expect(openLab({ data })).rejects.toEqual(
      new DataError(`The data folder ${data} holds no data yet.
If your data are elsewhere, say where: ODDSLAB_DATA=FOLDER, or ODDSLAB_URL=ADDRESS for a service that runs.
If you have none yet: "oddslab fetch wallet 0x… --data ${data}" fetches a wallet's record, "oddslab ingest --data ${data} FILE…" loads files, "oddslab demo --data ${data}" makes the sample market.`),
    );
    const none = join(data, 'none');
    await expect(openLab({ data: none })).rejects.toThrow(
      `The data folder ${none} is missing.\nIf your data are elsewhere, say where: ODDSLAB_DATA=FOLDER, or ODDSLAB_URL=`,
    );
    setEnv('ODDSLAB_URL', undefined);
    setEnv('ODDSLAB_DATA', 'no-such-data');
    await expect(openLab()).rejects.toThrow(
      ` is missing: ODDSLAB_DATA=no-such-data counts from ${process.cwd()}; give the full path.\n`,
    );
    await (await openLab({ data, snapshot })).close();
  }, 15_000);
});
