import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import { findDataset } from '../../../src/contract/dataset.js';
import { PNL } from '../../../src/contract/pnl.js';
import { serve } from '../../../src/service/serve-folder.js';
import { curlCommand, typescriptCode } from '../../../src/service/web/snippets.js';
import fc from '../../support/fast-check.js';
import { walletOf } from '../../support/raw-records.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const URL_ = 'http://127.0.0.1:8787';
const WALLET = `0x${'5'.repeat(40)}`;

/** What a shell gives curl as its arguments. */
async function argumentsOf(command: string): Promise<string[]> {
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }\n${command}`;
  const env = { ODDSLAB_API_KEY: 'the key' };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { env });
  return stdout.split('\0').slice(0, -1);
}

it('is a command that any shell reads as meant, whatever the filters hold', async () => {
  const texts = ["it's", '$(touch x) `id` $HOME', '"\\', "'\n'; id #", 'é…\u2028', '%s\\n!!'];
  for (const text of texts) {
    const request = { agent_id: 574, params: { market_slug: text } };
    expect(await argumentsOf(curlCommand(URL_, request, false))).toEqual([
      ...['-s', `${URL_}/query`, '-H', 'Authorization: Bearer the key', '-H', 'Content-Type: application/json'],
      ...['-d', JSON.stringify(request)],
    ]);
  }
  expect(curlCommand(URL_, {}, true)).toBe(
    `curl -s '${URL_}/query' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'`,
  );
});

it('is the client call for the same records', () => {
  const params = { wallet: `${WALLET}, ${WALLET}`, granularity: '1w', start_time: '2025-06-01' };
  expect(typescriptCode(URL_, PNL, params, 50, false)).toBe(`import { connect } from 'oddslab';

const client = connect({ baseUrl: '${URL_}', apiKey: process.env.ODDSLAB_API_KEY });
const frame = await client.pnl({ wallet: ['${WALLET}', '${WALLET}'], granularity: '1w', startTime: '2025-06-01' }, { maxRecords: 50 }).frame();
frame.print();
`);
  const call = (id: number, filters: Record<string, string>) => {
    const dataset = findDataset(id);
    return dataset && typescriptCode(URL_, dataset, filters, 25, true).split('await ')[1]?.split('\n')[0];
  };
  expect(call(574, { closed: 'True', min_volume: '007.50', end_date_min: '1767225600' })).toBe(
    'client.markets({ closed: true, minVolume: 7.5, endDateMin: 1767225600 }, { maxRecords: 25 }).frame();',
  );
  expect(call(586, { wallet_address: WALLET })).toBe(
    `client.lifetime({ wallet: '${WALLET}' }, { maxRecords: 25 }).frame();`,
  );
  expect(call(555, { closed: 'False' })).toBe(`client.dataset(555, { closed: 'False' }, { maxRecords: 25 }).frame();`);
  expect(call(574, {})).toBe('client.markets({}, { maxRecords: 25 }).frame();');
});

it('runs as the page says, and prints the records', async () => {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const service = await serve({ folder, port: 0, open: true });
  try {
    // As an installed package is found; what a runner does with the types is what esbuild does.
    await mkdir(join(folder, 'node_modules'));
    await symlink(process.cwd(), join(folder, 'node_modules', 'oddslab'));
    const code = typescriptCode(service.url, PNL, { wallet: walletOf(1), granularity: 'all' }, 25, true);
    const { code: program } = await transform(code, { loader: 'ts', format: 'esm', sourcefile: 'ask.mts' });
    await writeFile(join(folder, 'ask.mjs'), program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['ask.mjs'], { cwd: folder });
    const incomplete = expect.stringMatching(
      /^\(node:\d+\) OddslabWarning: .* is not complete \(80 of 80 fills without fees\)/,
    );
    expect([stderr, stdout]).toEqual([incomplete, expect.stringContaining('1 row × 8 columns')]);
  } finally {
    await service.close();
  }
});

it('is code that can be read, whatever the filters hold', () => {
  const dataset = findDataset('markets');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      if (!dataset) return;
      const code = typescriptCode(URL_, dataset, { market_slug: text }, 1, false);
      const { errors } = parseSync('code.ts', code);
      expect(errors).toEqual([]);
      const literal = /marketSlug: ('.*') \}/su.exec(code)?.[1] ?? '';
      expect(new Function(`return ${literal}`)()).toBe(text);
    }),
    { numRuns: 50 },
  );
});
