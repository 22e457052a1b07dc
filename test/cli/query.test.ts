import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/auth/keys.js';
import { walletOf } from '../support/raw-records.js';
import { COMMAND, runCommand } from '../support/run-command.js';
import { serveFolder } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oddslab-cli-'));
  await ingestSmall(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const query = (...words: string[]) => runCommand(['query', ...words], { ODDSLAB_DATA: folder });

describe('oddslab query', () => {
  it('prints records alone on stdout, in each form', async () => {
    const filters = ['markets', '--closed', 'True', '--min-volume=2000'];
    const [ndjson, json, csv, table] = await Promise.all(
      ['ndjson', 'json', 'csv', 'table'].map((format) => query(...filters, '--format', format)),
    );
    expect([ndjson, json, csv, table].map((each) => [each?.code, each?.err])).toEqual(Array(4).fill([0, '']));
    const records = JSON.parse(json?.out ?? '');
    expect(records.map(({ slug }: { slug: string }) => slug)).toEqual(['will-it-happen-3', 'will-it-happen-2']);
    expect(
      ndjson?.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(records);
    expect(csv?.out.split(/\r?\n/, 1)[0]).toBe(Object.keys(records[0]).join(','));
    expect(table?.out).toMatch(/event-3.*\n.*event-2/);
  });

  it('writes a file whole, prints its path, and leaves nothing beside it', async () => {
    const out = join(folder, 'out.csv');
    expect(await query('pnl', '--wallet', walletOf(1), '--format', 'csv', '--out', out)).toMatchObject({
      code: 0,
      out: `${out}\n`,
    });
    expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(41);
    const failed = await query('markets', '--out', join(folder, 'none', 'x.csv'));
    expect(failed).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^oddslab: Cannot write .*folder does not exist/),
    });
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it.each<[string[], number, RegExp]>([
    [['market'], 64, /no dataset "market"; did you mean "markets"\?/],
    [
      ['markets', '--min-volum', '5'],
      64,
      /--min-volum is neither an option nor a filter of markets; did you mean --min-volume\?/,
    ],
    [['markets', '--formt', 'csv'], 64, /did you mean --format\?/],
    [['markets', 'closed'], 64, /"closed" is no filter/],
    [['markets', '--closed', 'perhaps'], 64, /closed must be true or false; got "perhaps"/],
    [['pnl'], 64, /A query of pnl \(dataset 569\) needs its wallet/],
    [['pnl', '--wallet', '0x12'], 1, /422 .*must be "0x" and 40 hexadecimal digits/],
    [['999'], 1, /404 There is no dataset 999/],
    [['markets', '--format', 'xml'], 64, /xml/],
    [['markets', '--data', '/nowhere/at/all'], 1, /There is no data folder \/nowhere\/at\/all/],
  ])('%j ends with %i and one message', async (words, code, message) => {
    const ended = await query(...words);
    expect(ended).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
    expect(ended.err).not.toMatch(/\n {4}at /);
  });

  it('ends well where its reader has seen enough', async () => {
    const line = `"${process.execPath}" "${COMMAND}" query pnl --data "${folder}" --wallet ${walletOf(1)} --format ndjson`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `set -o pipefail; ${line} | head -1`]);
    expect([stdout.trim().split('\n').length, stderr]).toEqual([1, '']);
  });

  it('asks the service that the environment names, with its key and with a wrong one', async () => {
    const { key } = await createKey(folder, 'cli');
    const env = { ODDSLAB_URL: await serveFolder(folder, { open: false }), ODDSLAB_API_KEY: key };
    expect(await runCommand(['query', '555', '--closed', '--format', 'ndjson'], env)).toMatchObject({
      code: 0,
      err: '',
    });
    const refused = await runCommand(['query', 'markets'], { ...env, ODDSLAB_API_KEY: 'odl_wrong' });
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('401 This API key is not valid.') });
    expect(refused.err).not.toContain('odl_wrong');
    const keyless = await runCommand(['query', 'markets'], { ODDSLAB_URL: env.ODDSLAB_URL });
    expect(keyless.err).toContain('ODDSLAB_API_KEY');
  });
});
