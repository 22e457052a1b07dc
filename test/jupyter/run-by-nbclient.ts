import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CodeCell, type Notebook, parseNotebook, serializeNotebook } from '../../src/notebook/format/nbformat.js';
import { askPython } from './run-python.js';
import type { KernelFolder } from './write-kernel-spec.js';

/** The result of a run. */
export interface NbclientRun {
  /** The code cells as they were written. */
  cells: CodeCell[];
  /** The error of the cell that ended the run. */
  error: { ename: string; evalue: string } | null;
  /** Duration without the start of the kernel. */
  seconds: number;
  /** How many messages of each type came on iopub. */
  counts: Record<string, number>;
}

/** A notebook for {@link runByNbclient} with given code cells. */
export function notebookOf(sources: readonly string[]): Notebook {
  const cells = sources.map((source, index) => ({
    cell_type: 'code' as const,
    id: `cell-${index}`,
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  }));
  return { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
}

interface RunOptions {
  /** Whether cells after a failing one run, too: of all notebooks, or of each. */
  allowErrors?: boolean | readonly boolean[];
  env?: NodeJS.ProcessEnv;
}

/** Runs a notebook with nbclient. */
export async function runByNbclient(
  kernel: KernelFolder,
  notebook: Notebook,
  options: RunOptions = {},
): Promise<NbclientRun> {
  const [ran] = await runEachByNbclient(kernel, [notebook], options);
  if (ran === undefined) throw new Error('nbclient ran nothing');
  return ran;
}

/** Runs notebooks with nbclient, each in a kernel of its own. */
export async function runEachByNbclient(
  { name, folder, env }: KernelFolder,
  notebooks: readonly Notebook[],
  options: RunOptions = {},
): Promise<NbclientRun[]> {
  const files = notebooks.map((_, at) => [join(folder, `notebook-${at}.ipynb`), join(folder, `executed-${at}.ipynb`)]);
  for (const [at, notebook] of notebooks.entries()) await writeFile(files[at]?.[0] ?? '', serializeNotebook(notebook));
  const { allowErrors = false } = options;
  const goesOn = (at: number) => (typeof allowErrors === 'boolean' ? allowErrors : allowErrors[at]);
  const words = files.flatMap((pair, at) => [goesOn(at) ? 'go-on' : 'stop', ...pair]);
  const ended = await askPython<Omit<NbclientRun, 'cells'>[]>('nbclient-run.py', [name, ...words], {
    env: { ...env, ...options.env },
    cwd: folder,
  });
  return ended.map((run, at) => ({ ...run, cells: codeCells(readFileSync(files[at]?.[1] ?? '', 'utf8')) }));
}

/** The code cells of a notebook file, their texts as whole strings. */
export function codeCells(text: string): CodeCell[] {
  const { cells } = parseNotebook(text, 'a notebook of a test');
  return cells.filter((cell): cell is CodeCell => cell.cell_type === 'code').map(withWholeTexts);
}

/** Joins the texts of a cell, which notebook files hold whole or as lines. */
function withWholeTexts(cell: CodeCell): CodeCell {
  const whole = (value: unknown) =>
    Array.isArray(value) && value.every((line) => typeof line === 'string') ? value.join('') : value;
  const outputs = cell.outputs.map((output) => {
    const { text, data } = output;
    const pictures = Object.entries(Object(data)).map(([type, value]) => [type, whole(value)]);
    return {
      ...output,
      ...(text === undefined ? {} : { text: whole(text) }),
      ...(data === undefined ? {} : { data: Object.fromEntries(pictures) }),
    };
  });
  return { ...cell, outputs };
}
