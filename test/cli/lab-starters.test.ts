import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labStarters } from '../../src/cli/lab-starters.js';
import { startRunner } from '../../src/kernel/runner-process.js';
import { codeCells, type Notebook } from '../../src/notebook/format/nbformat.js';
import type { Starter } from '../../src/page/data-routes.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { simulate } from '../../src/service/sample/simulate-sample.js';
import { serve } from '../../src/service/serve-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const titles = (starters: readonly Starter[]) => starters.map(({ title }) => title);
const OWN = ['Wallet tear sheet', "A wallet's PnL", 'Compare wallets', 'Markets'];

/** Runs a notebook's cells one after the other; returns what kinds of output there were. */
async function shownBy({ cells }: Notebook, env: NodeJS.ProcessEnv, cwd: string): Promise<string[]> {
  const runner = startRunner({ cwd, env: { ...process.env, ...env } });
  const types: string[] = [];
  for (const { code } of codeCells(cells)) {
    const result = await runner.execute(code, {
      onOutput: (output) => types.push(...Object.keys('data' in output ? Object(output.data) : {})),
    });
    expect([code, result]).toEqual([code, { status: 'ok' }]);
  }
  await runner.close();
  return types;
}

describe('labStarters', () => {
  it('offers notebooks on the wallets of the data, whose cells run as they are and show tables and charts', async () => {
    const folder = await temporaryFolder();
    const data = join(folder, 'data');
    const { files } = await simulate({ out: join(folder, 'sample'), markets: 60, wallets: 20, fills: 3000 });
    const { version } = await ingest({ folder: data, inputs: files });
    const starters = await labStarters({ folder, data, wallets: [] });
    expect(titles(starters)).toEqual(OWN);
    const service = await serve({ folder: data, port: 0, open: true });
    for (const starter of starters) {
      if (!('notebook' in starter)) throw new Error(`${starter.title} is no new notebook`);
      expect(starter.notebook.metadata).toMatchObject({ kernelspec: { name: 'oddslab' } });
      const types = await shownBy(starter.notebook, { ODDSLAB_URL: service.url }, folder);
      expect([starter.title, types.includes('text/html'), types.includes('image/svg+xml')]).toEqual([
        starter.title,
        true,
        true,
      ]);
    }
    await service.close();
    const texts = starters.map((starter) => JSON.stringify(starter));
    expect(texts.map((text) => text.includes(version.manifest.busiest[0] ?? '-'))).toEqual([true, true, true, false]);
  });

  it('takes the wallets that the user named; without any it leaves out what is about wallets', async () => {
    const folder = await temporaryFolder();
    const named = await labStarters({ folder, data: undefined, wallets: ['0xmine'] });
    expect(titles(named)).toEqual(OWN.filter((title) => title !== 'Compare wallets'));
    expect(JSON.stringify(named)).toContain(JSON.stringify('const wallet = "0xmine";').slice(1, -1));
    expect(titles(await labStarters({ folder, data: undefined, wallets: [] }))).toEqual(['Markets']);
    expect(titles(await labStarters({ folder, data: join(folder, 'none'), wallets: [] }))).toEqual(['Markets']);
  });

  it('offers the example notebooks that lie in the folder, by the questions that they answer', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'examples'));
    cpSync('notebooks/04-market-volume.ipynb', join(folder, 'examples', '04-market-volume.ipynb'));
    cpSync('notebooks/01-quick-start.ipynb', join(folder, '01-quick-start.ipynb'));
    const starters = await labStarters({ folder, data: undefined, wallets: [] });
    expect(starters.slice(1)).toEqual([
      {
        title: 'Which markets drew the most money, and who earned on them?',
        caption: '01-quick-start.ipynb',
        path: '01-quick-start.ipynb',
      },
      {
        title: 'Where is the volume?',
        caption: '04-market-volume.ipynb',
        path: 'examples/04-market-volume.ipynb',
      },
    ]);
  });
});
