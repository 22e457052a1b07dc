import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listVersions } from '../../src/service/folder/list-versions.js';
import { gammaMarket, trade } from '../support/raw-records.js';
import { endOf, runCommand, startCommand } from '../support/run-command.js';
import { runHere } from '../support/run-here.js';
import { put, temporaryFolder } from '../support/temporary-folder.js';

it('ends by Ctrl-C while the engine reads, leaves no version, and goes on afterwards', async () => {
  const folder = await temporaryFolder();
  const data = join(folder, 'data');
  const row = (n: number) =>
    JSON.stringify(
      trade({ wallet: n % 50, market: 1, side: 0, does: 'BUY', size: 1, price: 0.5, time: 1_767_225_600 + n }),
    );
  const lines = Array.from({ length: 100_000 }, (_, n) => row(n)).join('\n');
  const inputs = [await put(folder, 'm.json', [gammaMarket(1)]), await put(folder, 't.jsonl', lines)];
  const child = startCommand(['ingest', '--data', data, ...inputs]);
  const ended = endOf(child);
  // What was read of an input stays there until the ingest ends; a `.part` is there for a moment.
  for (let seen = false; !seen; await new Promise((go) => setTimeout(go, 5))) {
    seen = (await readdir(join(data, 'staging')).catch(() => [])).some((name) => !name.startsWith('.'));
  }
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: null, out: '', err: expect.stringContaining('ended by SIGINT') });
  expect(await listVersions(data)).toEqual([]);
  const again = await runCommand(['ingest', '--data', data, ...inputs]);
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('100,000 rows, 100,000 kept') });
});

it('teaches the formats and the mapping in its help, and refuses a size that is none', async () => {
  const { out } = await runHere(['ingest', '--help']);
  for (const word of ['order-filled', 'pma-blocks', '"columns"', 'millionths', '--dry-run'])
    expect(out).toContain(word);
  expect(await runHere(['ingest', '--memory', '5', 'x.json'])).toMatchObject({ code: 64, out: '' });
});
