import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/accounts/api-keys.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { serve } from '../../src/service/serve-folder.js';
import { contentOf } from '../client/snapshot/recording.js';
import { gammaMarket, trade, walletOf } from '../support/raw-records.js';
import { runCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { serveFolder } from '../support/serve-folder.js';
import { ingestSmall, NEW_YEAR } from '../support/small-market.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

let data: string;
let recorded: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'oddslab-cli-snap-'));
  recorded = join(data, 'snapshots', '2026-11');
  await ingestSmall(data);
  const service = await serve({ folder: data, port: 0, open: true });
  const env = { ODDSLAB_URL: service.url, ODDSLAB_SNAPSHOT: recorded };
  const each = [
    ['markets', '--closed', 'True'],
    ['pnl', '--wallet', `${walletOf(1)},${walletOf(2)}`],
  ];
  try {
    for (const words of each) expect(await runHere(['query', ...words], env)).toMatchObject({ code: 0 });
  } finally {
    await service.close();
  }
});
afterAll(() => rm(data, { recursive: true, force: true }));

const snapshot = (...words: string[]) => runHere(['snapshot', ...words], { ODDSLAB_DATA: data });

/** A copy of the data in which wallet 1 sold once more and market 12 is new. */
async function laterData(): Promise<string> {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const sale = {
    wallet: 1,
    market: 4,
    side: 0,
    does: 'SELL',
    size: 1,
    price: 0.9,
    time: NEW_YEAR + 39 * 86_400 + 70,
  } as const;
  const inputs = [await put(folder, 'more.json', [trade(sale)]), await put(folder, 'm2.json', [gammaMarket(99)])];
  await ingest({ folder, inputs });
  return folder;
}

describe('oddslab query with a snapshot', () => {
  it('answers from it in a replay, without a service or data', async () => {
    const words = ['query', 'pnl', '--wallet', walletOf(1), '--format', 'ndjson'];
    const live = await runHere(words, { ODDSLAB_DATA: data });
    const env = { ODDSLAB_DATA: '/nowhere', ODDSLAB_SNAPSHOT: recorded, ODDSLAB_SNAPSHOT_MODE: 'replay' };
    expect(await runHere(words, env)).toEqual(live);
    expect(live.out.split('\n')).toHaveLength(41);
    const other = await runHere(['query', 'pnl', '--wallet', walletOf(3)], env);
    expect(other).toMatchObject({ code: 1, out: '', err: expect.stringContaining('does not hold the query') });
    const wrong = await runHere(words, { ...env, ODDSLAB_SNAPSHOT_MODE: 'reply' });
    expect(wrong).toMatchObject({ code: 64, err: expect.stringContaining("did you mean 'replay'?") });
  });

  it('writes no key into it', async () => {
    const { key } = await createKey(data, 'snapshot');
    const folder = await temporaryFolder();
    const url = await serveFolder(data, { open: false });
    const env = { ODDSLAB_URL: url, ODDSLAB_API_KEY: key, ODDSLAB_SNAPSHOT: folder };
    expect(await runHere(['query', 'markets'], env)).toMatchObject({ code: 0 });
    const content = Object.entries(await contentOf(folder));
    expect(content).toHaveLength(2);
    for (const [name, bytes] of content) expect(name + bytes.toString('latin1')).not.toContain(key.slice(4, 20));
  });
});

describe('oddslab snapshot', () => {
  it('list prints the queries', async () => {
    const { code, out, err } = await snapshot('list', recorded);
    expect([code, err]).toEqual([0, '']);
    expect(out.replaceAll(/\d{4}-\S+Z {2}[0-9a-f]{12}|[\d.]+ KiB/g, '·')).toBe(
      `40 records  ·  ·  pnl (569): wallet=${walletOf(1)}\n40 records  ·  ·  pnl (569): wallet=${walletOf(2)}\n` +
        ' 3 records  ·  ·  markets (574): closed=True\n3 queries.\n',
    );
    const { out: json } = await snapshot('list', recorded, '--format', 'json');
    expect(JSON.parse(json)).toMatchObject([{ dataset: 569 }, { dataset: 569 }, { dataset: 574, records: 3 }]);
  });

  it('verify says whether it is whole, by its exit code too', async () => {
    expect(await snapshot('verify', recorded)).toEqual({
      code: 0,
      out: `${recorded} is whole: 3 queries, 3 answer files, 83 records.\n`,
      err: '',
    });
    const folder = await temporaryFolder();
    expect(await snapshot('refresh', recorded, '--out', join(folder, 's'))).toMatchObject({ code: 0 });
    const [answer = ''] = await readdir(join(folder, 's', 'answers'));
    await writeFile(join(folder, 's', 'answers', answer), 'no');
    await writeFile(join(folder, 's', 'stray.txt'), '');
    const found = await snapshot('verify', join(folder, 's'));
    expect(found).toMatchObject({
      code: 1,
      err: `oddslab: The snapshot ${join(folder, 's')} is not whole: 2 faults.\n`,
    });
    expect(found.out).toMatch(
      /^The answer .* is damaged: it cannot be unpacked .*\nThe file .*stray.txt is named by no/,
    );
    const { code, out } = await snapshot('verify', join(folder, 's'), '--format', 'json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { queries: 3, answers: 3, records: 83, faults: [{}, {}] }]);
  });

  it('refresh asks again, shows what changed, and diff shows the same', async () => {
    const out = join(await temporaryFolder(), 'new');
    const before = await contentOf(recorded);
    const refreshed = await snapshot('refresh', recorded, '--data', await laterData(), '--out', out);
    expect(refreshed).toMatchObject({ code: 0, err: '' });
    expect(refreshed.out).toBe(
      `~ pnl (569): wallet=${walletOf(1)}: 40 records, 0 added, 0 removed, 1 changed\n` +
        '    pnl differs in 1 record, by +0.5 at most\n    trades differs in 1 record, by +1 at most\n' +
        '    wins differs in 1 record, by +1 at most\n' +
        `    ~ date "2026-02-09T00:00:00Z", proxy_wallet "${walletOf(1)}"  pnl "0.4" → "0.9" (+0.5), trades 2 → 3 (+1), wins 1 → 2 (+1)\n` +
        'Queries: 1 changed, 0 added, 0 removed, 2 equal.\n',
    );
    expect(await contentOf(recorded)).toEqual(before);
    const found = await snapshot('diff', recorded, out);
    expect(found).toEqual({ code: 1, out: refreshed.out, err: `oddslab: ${recorded} and ${out} differ.\n` });
    const { out: json } = await snapshot('diff', recorded, out, '--format', 'json', '--examples', '0');
    expect(JSON.parse(json)).toMatchObject({ same: 2, changed: [{ changed: 1, examples: [] }] });
    const same = await snapshot('diff', recorded, recorded);
    expect(same).toEqual({ code: 0, out: '3 queries, all with equal answers.\n', err: '' });
  });

  it('refresh in place leaves all as it was where the service fails', async () => {
    const before = await contentOf(recorded);
    const failed = await snapshot('refresh', recorded, '--url', 'http://127.0.0.1:9');
    expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('http://127.0.0.1:9') });
    expect(await contentOf(recorded)).toEqual(before);
    const env = { ODDSLAB_DATA: data, ODDSLAB_SNAPSHOT: 'x', ODDSLAB_SNAPSHOT_MODE: 'replay' };
    // A process: it ends its own service, and then by itself.
    expect(await runCommand(['snapshot', 'refresh', recorded], env)).toMatchObject({
      code: 0,
      out: '3 queries, all with equal answers.\n',
    });
    expect((await readdir(recorded)).sort()).toEqual(['answers', 'manifest.json']);
  });

  it.each<[string[], number, RegExp]>([
    [['verify', '/nowhere'], 1, /Cannot read the snapshot \/nowhere: there is no such folder/],
    [['list', '/nowhere'], 1, /\/nowhere is no snapshot/],
    [['diff', '/nowhere', '/nowhere'], 1, /\/nowhere is no snapshot/],
    [['refresh', '/nowhere'], 1, /\/nowhere is no snapshot/],
    [['refresh', '.', '--examples', 'x'], 64, /--examples must be a whole number/],
    [['diff', '.'], 64, /missing required argument/],
    [['verfy', '.'], 64, /verify/],
  ])('%j ends with %i and one message', async (words, code, message) => {
    const ended = await snapshot(...words);
    expect(ended).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
    expect(ended.err).not.toMatch(/\n {4}at /);
  });

  it('teaches its use', async () => {
    const { out } = await snapshot('--help');
    for (const word of ['list', 'verify', 'diff', 'refresh', 'ODDSLAB_SNAPSHOT_MODE', 'replay', 'Examples:']) {
      expect(out).toContain(word);
    }
  });
});
