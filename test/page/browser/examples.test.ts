import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/packages.js';
import { type Service, serve } from '../../../src/service/serve-folder.js';
import { walletOf } from '../../support/raw-records.js';
import { ingestSmall } from '../../support/small-market.js';
import { isPageAbsent, openPage } from './open-page.js';

const notebooks = join(packageRoot(), 'notebooks');
const names = readdirSync(notebooks).filter((name) => name.endsWith('.ipynb'));
const sources = Object.fromEntries(names.map((name) => [name, readFileSync(join(notebooks, name), 'utf8')]));

describe.skipIf(isPageAbsent('the example notebooks on the page'))('Run All of an example notebook', () => {
  let folder: string;
  let service: Service | undefined;
  const env: Record<string, string> = { ODDSLAB_API_KEY: '', ODDSLAB_WALLETS: [1, 2].map(walletOf).join(',') };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'oddslab-examples-'));
    await ingestSmall(folder);
    service = await serve({ folder, port: 0, open: true });
    env.ODDSLAB_URL = service.url;
    env.ODDSLAB_OUT = join(folder, 'out');
    mkdirSync(env.ODDSLAB_OUT);
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const lab = openPage({ files: sources, env });
  /** How often each code cell has run, and what failed, as the saved file says. */
  const saved = (name: string) => {
    const { cells } = JSON.parse(readFileSync(join(lab.folder, name), 'utf8'));
    const code = cells.filter((cell: { cell_type: string }) => cell.cell_type === 'code');
    return code.map((cell: { execution_count: number | null; outputs: { output_type: string; ename?: string }[] }) => [
      cell.execution_count,
      ...cell.outputs.flatMap(({ output_type, ename }) => (output_type === 'error' ? [ename] : [])),
    ]);
  };

  it.each(names)('runs %s to its end, and saves what it showed', async (name) => {
    await lab.openNotebook(name);
    // What is stored tells nothing of this run.
    await lab.command('Clear Outputs of All Cells');
    await lab.save();
    await expect.poll(() => saved(name).every(([count]: [unknown]) => count === null)).toBe(true);
    const wanted = saved(name).map((_: unknown, at: number) => [at + 1]);
    await lab.menu('Run', 'Run All Cells');
    await expect
      .poll(async () => {
        await lab.save();
        return saved(name);
      })
      .toEqual(wanted);
  });
});
