import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { type CodeCell, parseNotebook } from '../../src/notebook/format/nbformat.js';
import { ingest } from '../../src/service/ingest/ingest-inputs.js';
import { serve } from '../../src/service/serve-folder.js';
import { isAbsent } from '../support/is-absent.js';
import { walletOf } from '../support/raw-records.js';
import { runCommand } from '../support/run-command.js';
import { smallRecords } from '../support/small-market.js';
import { put } from '../support/temporary-folder.js';
import { runInTslab } from '../tslab/run-in-tslab.js';
import { shownCells, withoutProcess } from '../tslab/shown-cells.js';
import { TSLAB_COMMAND, tslabFolder } from '../tslab/tslab-folder.js';
import { PYTHON_PACKAGES } from './kernel-argv.js';
import { kernelFolder } from './kernel-folder.js';
import { codeCells, runEachByNbclient } from './run-by-nbclient.js';

const JUPYTER = '/usr/bin/jupyter';

const root = packageRoot();
const names = readdirSync(join(root, 'notebooks')).filter((name) => name.endsWith('.ipynb'));
const sourceOf = (name: string) => join(root, 'notebooks', name);
const notebookAt = (name: string) => parseNotebook(readFileSync(sourceOf(name), 'utf8'), name);

/**
 * A small market served, and the example notebooks as `oddslab run` executes them over it. It has no fees, so that records
 * are complete: of what queries warn, stock tslab shows some too late for its cell.
 */
async function headlessRun() {
  const folder = mkdtempSync(join(tmpdir(), 'oddslab-notebooks-'));
  const [data, out] = [join(folder, 'data'), join(folder, 'out')];
  mkdirSync(data);
  const { markets, trades } = smallRecords();
  const free = markets.map((market) => ({ ...market, feesEnabled: false }));
  await ingest({ folder: data, inputs: [await put(folder, 'm.json', free), await put(folder, 't.json', trades)] });
  mkdirSync(out);
  const service = await serve({ folder: data, port: 0, open: true });
  const env = {
    ODDSLAB_URL: service.url,
    ODDSLAB_API_KEY: '',
    ODDSLAB_WALLETS: [1, 2].map(walletOf).join(','),
    ODDSLAB_OUT: out,
    ODDSLAB_TYPES: 'warn',
  };
  const ran = await runCommand(['run', ...names.map(sourceOf), '--out', out], env);
  expect(ran.code, ran.err).toBe(0);
  const end = async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  };
  return { env, cellsOf: (name: string) => codeCells(readFileSync(join(out, name), 'utf8')), end };
}

/**
 * What a reader sees of cells: without ids and what else a client adds, and without progress, which a front end can only
 * make empty. Where a stream is cut into messages depends on time: what follows in one stream is one text.
 */
function shownBy(cells: readonly CodeCell[]) {
  return cells.map(({ execution_count, outputs, source }) => {
    const seen: Record<string, unknown>[] = [];
    for (const { metadata: _, ...output } of outputs) {
      if (output.data !== undefined && Object.values(Object(output.data)).every((value) => value === '')) continue;
      const last = seen.at(-1);
      if (last && output.output_type === 'stream' && last.name === output.name) {
        last.text = `${last.text}${wholeText(output.text)}`;
      } else seen.push({ ...output, ...(output.text === undefined ? {} : { text: wholeText(output.text) }) });
    }
    return { code: wholeText(source), execution_count, outputs: seen };
  });
}

function wholeText(text: unknown): string {
  return withoutProcess(Array.isArray(text) ? text.join('') : String(text));
}

/** Compares cell by cell, so that a failure says which one differs, and how it began. */
function expectSame(what: string, cells: ReturnType<typeof shownBy>, expected: ReturnType<typeof shownBy>): void {
  expect(cells.length, what).toBe(expected.length);
  for (const [at, cell] of cells.entries()) {
    const outputs = cell.outputs.map((output) => JSON.stringify(output).slice(0, 300));
    expect(cell, `${what}, cell ${at + 1}: ${outputs.join(', ')}`).toEqual(expected[at]);
  }
}

const isSkipped = isAbsent(join(PYTHON_PACKAGES, 'nbconvert'), 'nbclient and nbconvert');

describe.skipIf(isSkipped)('the example notebooks', () => {
  let ours: Awaited<ReturnType<typeof headlessRun>>;
  beforeAll(async () => {
    ours = await headlessRun();
  }, 120_000);
  afterAll(() => ours?.end());

  test('show in nbclient and nbconvert what they show in oddslab run', async () => {
    const { env, cellsOf } = ours;
    const kernel = await kernelFolder();
    const copies = join(kernel.folder, 'copies');
    mkdirSync(copies);
    // One is enough for nbconvert, which executes notebooks by nbclient.
    const [one = ''] = names;
    copyFileSync(sourceOf(one), join(copies, one));
    const words = ['nbconvert', '--execute', '--to', 'notebook', `--ExecutePreprocessor.kernel_name=${kernel.name}`];
    // Without types, which nbclient's run checks beside.
    const converting = promisify(execFile)(JUPYTER, [...words, '--output-dir', kernel.folder, one], {
      env: { ...kernel.env, ...env, ODDSLAB_TYPES: 'off' },
      cwd: copies,
    });
    const [ran] = await Promise.all([runEachByNbclient(kernel, names.map(notebookAt), { env }), converting]);
    for (const [at, name] of names.entries()) {
      expect(ran[at]?.error, name).toBe(null);
      expectSame(`${name} in nbclient`, shownBy(ran[at]?.cells ?? []), shownBy(cellsOf(name)));
    }
    const converted = codeCells(readFileSync(join(kernel.folder, one), 'utf8'));
    expectSame(`${one} in nbconvert`, shownBy(converted), shownBy(cellsOf(one)));
  }, 600_000);

  test.skipIf(isAbsent(TSLAB_COMMAND, 'notebooks in tslab'))(
    'show in stock tslab what they show in oddslab run, without a line more',
    async () => {
      const { env, cellsOf } = ours;
      const tslab = await tslabFolder();
      // One behind the other, as starting tslab takes longer than any of them; cells may declare anything anew.
      const notebooks = names.map(notebookAt);
      const [first = notebookAt('')] = notebooks;
      const { error, cells } = await runInTslab(
        tslab,
        { ...first, cells: notebooks.flatMap(({ cells }) => cells) },
        { env },
      );
      expect(error).toBe(null);
      for (const name of names) {
        const shown = shownCells(cells.splice(0, cellsOf(name).length));
        expect(shown, name).toEqual(shownCells(cellsOf(name)));
        const types = shown.flatMap(({ pictures }) => pictures.flatMap((picture) => Object.keys(Object(picture))));
        expect([...new Set(types)].sort(), name).toEqual([
          'application/vnd.vegalite.v5+json',
          'image/svg+xml',
          'text/html',
          'text/plain',
        ]);
      }
    },
    360_000,
  );
});
