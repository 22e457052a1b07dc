import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/packages.js';
import { compareNotebooks } from '../../src/notebook/check/compare-notebooks.js';
import { parseNotebook } from '../../src/notebook/format/nbformat.js';
import { parseCsv } from '../frame/csv/parse-csv.js';
import { COMMAND, type Ended, runCommand } from '../support/run-command.js';
import { runningCommands } from '../support/running-commands.js';

const folder = mkdtempSync(join(tmpdir(), 'oddslab-demo-'));
const [data, out] = [join(folder, 'data'), join(folder, 'out')];
const stored = join(packageRoot(), 'notebooks');
const notebooks = readdirSync(stored).map((name) => basename(name, '.ipynb'));

interface Output {
  output_type: string;
  text?: string[];
  data?: Record<string, string[]>;
}
interface Cell {
  cell_type: string;
  outputs?: Output[];
  execution_count?: number | null;
}

const read = (name: string) => readFileSync(join(out, name), 'utf8');
const cellsOf = (text: string): Cell[] => JSON.parse(text).cells;

describe('oddslab demo', () => {
  let first: Ended;
  let second: Ended;
  const executed: string[][] = [];

  beforeAll(async () => {
    const run = async (words: readonly string[] = []) => {
      const ended = await runCommand(['demo', ...words]);
      executed.push(notebooks.map((name) => read(`${name}.ipynb`)));
      return ended;
    };
    // As one who looks around runs it, in `data` and `out` of the folder at hand.
    process.chdir(folder);
    first = await run();
    second = await run(['--data', data, '--out', out]);
  }, 600_000);
  afterAll(() => {
    process.chdir(packageRoot());
    rmSync(folder, { recursive: true, force: true });
  });

  test('is what npm start runs, once it has built the command', () => {
    const { scripts } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
    expect(scripts.start).toBe(`npm run build && node ${relative(packageRoot(), COMMAND)} demo`);
  });

  test('ends well and says what it made and what to do next', () => {
    expect(first.code, first.err).toBe(0);
    expect(first.err).toContain('simulated the sample market: 2000 markets, 200000 fills');
    expect(first.err).toContain('Look at these pages in a browser:');
    expect(first.err).toContain('Next:');
    const written = notebooks.flatMap((name) => [`${name}.ipynb`, `${name}.html`].map((file) => join('out', file)));
    expect(first.out).toBe(`${written.join('\n')}\n`);
  });

  test('uses again what did not change, and makes the same bytes', () => {
    expect(second.code, second.err).toBe(0);
    expect(second.err).toContain('reused the sample market');
    expect(second.err).toContain('reused the data');
    expect(executed[1]).toEqual(executed[0]);
  });

  test('leaves no process behind', () => {
    expect(runningCommands().filter((line) => line.includes(folder))).toEqual([]);
  });

  test.each(notebooks)('%s ran whole, without an error', (name) => {
    const code = cellsOf(read(`${name}.ipynb`)).filter(({ cell_type }) => cell_type === 'code');
    expect(code.map(({ execution_count }) => execution_count)).toEqual(code.map((_, index) => index + 1));
    const outputs = code.flatMap(({ outputs = [] }) => outputs);
    expect(outputs.filter(({ output_type }) => output_type === 'error')).toEqual([]);
    expect(outputs.some(({ data }) => data && 'application/vnd.vegalite.v5+json' in data)).toBe(true);
  });

  test.each(notebooks)('the stored notebook %s still says what it says', (name) => {
    const kept = parseNotebook(readFileSync(join(stored, `${name}.ipynb`), 'utf8'), name);
    expect(kept.cells.some((cell) => JSON.stringify(cell).includes('execute_result'))).toBe(true);
    expect(compareNotebooks(kept, parseNotebook(read(`${name}.ipynb`), name))).toEqual([]);
  });

  test.each(notebooks)('the page of %s holds its charts and asks nothing of the network', (name) => {
    const page = read(`${name}.html`);
    expect(page).toMatch(/<figure class="chart-figure [^>]*>[\s\S]*?<svg [^>]*aria-label="Chart: /);
    expect(page).toMatch(/content="default-src 'none'; script-src 'sha256-/);
    expect(page.match(/<script\b[^>]*>/g)).toEqual(['<script>']);
    expect(page).not.toMatch(/<(?:link|iframe)\b|\bsrc="(?!data:)/);
  });

  test('the exported CSVs are rectangles with rows', () => {
    const files = readdirSync(out).filter((name) => name.endsWith('.csv'));
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) {
      const [header = [], ...rows] = parseCsv(read(file));
      expect(rows.length, file).toBeGreaterThan(10);
      expect(
        rows.filter((row) => row.length !== header.length),
        file,
      ).toEqual([]);
    }
  });
});
