import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { parseNotebook } from '../../src/notebook/format/nbformat.js';
import { PYTHON_PACKAGES } from '../jupyter/kernel-argv.js';
import { codeCells, notebookOf } from '../jupyter/run-by-nbclient.js';
import { isAbsent } from '../support/is-absent.js';
import { walletOf } from '../support/raw-records.js';
import { runCommand } from '../support/run-command.js';
import { serveFolder } from '../support/serve-folder.js';
import { ingestSmall } from '../support/small-market.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { runInTslab } from './run-in-tslab.js';
import { shownCells } from './shown-cells.js';
import { TSLAB_COMMAND, tslabFolder } from './tslab-folder.js';

const notebooks = join(packageRoot(), 'notebooks');
const names = readdirSync(notebooks).filter((name) => name.endsWith('.ipynb'));
const isSkipped =
  isAbsent(join(PYTHON_PACKAGES, 'nbclient'), 'notebooks in tslab') || isAbsent(TSLAB_COMMAND, 'notebooks in tslab');

test.skipIf(isSkipped)(
  'the example notebooks show in stock tslab what they show in oddslab run, without a line more',
  async () => {
    const data = await temporaryFolder();
    await ingestSmall(data);
    const out = join(data, 'out');
    await mkdir(out);
    const wallets = [1, 2].map(walletOf).join(',');
    const env = { ODDSLAB_URL: await serveFolder(data), ODDSLAB_WALLETS: wallets, ODDSLAB_OUT: out };
    const ran = await runCommand(['run', ...names.map((name) => join(notebooks, name)), '--out', out], env);
    expect(ran.code, ran.err).toBe(0);
    const tslab = await tslabFolder();
    for (const name of names) {
      const source = parseNotebook(readFileSync(join(notebooks, name), 'utf8'), name);
      const { error, cells } = await runInTslab(tslab, source, { env: { ...env, ODDSLAB_API_KEY: '' } });
      expect(error, name).toBe(null);
      const shown = shownCells(cells);
      expect(shown, name).toEqual(shownCells(codeCells(readFileSync(join(out, name), 'utf8'))));
      const types = new Set(
        shown.flatMap(({ pictures }) => pictures.flatMap((picture) => Object.keys(Object(picture)))),
      );
      expect([...types].sort(), name).toEqual([
        'application/vnd.vegalite.v5+json',
        'image/svg+xml',
        'text/html',
        'text/plain',
      ]);
    }
  },
  360_000,
);

test.skipIf(isSkipped)(
  'in tslab the first cell can show a value, others are printed, and types are checked',
  async () => {
    const tslab = await tslabFolder();
    const cells = [
      "import { Chart, DataFrame, column } from 'oddslab';\nconst frame = new DataFrame([{ pnl: 1.5 }]);\nframe",
      'column(frame, "pnl")[0]',
      "await Promise.resolve();\nnew Chart({ mark: 'bar', data: { values: [{ a: 1 }] }, encoding: { x: { field: 'a' } } })",
      "({ [Symbol.for('Jupyter.display')]: async () => { throw new Error('cannot be drawn'); } })",
      'column(frame, "pnll")',
    ];
    const { cells: ran } = await runInTslab(tslab, notebookOf(cells), { allowErrors: true });
    const [frame, number, chart, failing, mistyped] = shownCells(ran);
    expect(frame).toEqual({
      printed: '',
      errors: '',
      pictures: [{ 'text/html': expect.stringContaining('<table'), 'text/plain': expect.stringContaining('pnl') }],
    });
    expect(number).toEqual({ printed: '1.5\n', errors: '', pictures: [] });
    expect(chart?.pictures).toEqual([
      {
        'application/vnd.vegalite.v5+json': expect.objectContaining({ mark: 'bar' }),
        'image/svg+xml': expect.stringMatching(/^<svg[\s\S]*<\/svg>$/),
        'text/plain': 'Chart: without a title',
      },
    ]);
    expect(failing).toEqual({ printed: '', errors: expect.stringContaining('cannot be drawn'), pictures: [] });
    expect(mistyped?.errors).toContain(`Argument of type '"pnll"'`);
  },
  60_000,
);
