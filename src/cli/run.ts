import { accessSync, constants, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { InputError, NotebookError, UsageError } from '../errors.js';
import { makeFolder } from '../make-folder.js';
import { type Notebook, parseNotebook, serializeNotebook } from '../notebook/document.js';
import { exportHtml } from '../notebook/export.js';
import { type RunFailure, runNotebook } from '../notebook/run.js';
import { writeFailure, writeWhole } from '../whole-file.js';
import { CellProgress } from './cell-progress.js';
import { interruptible } from './interruptible.js';

/** Where the results of a run go, and who hears of it. */
export interface RunOptions {
  /** Folder for the results; made if it is missing. */
  out: string;
  /** Also exports each notebook as a page. Default false. */
  html?: boolean;
  /** Environment variables of the cells, besides this process's. */
  env?: NodeJS.ProcessEnv;
  /** Called before each cell with its number and how many there are, and with a line while it tells how far it is. */
  onProgress?: (path: string, cell: number, total: number, progress?: string) => void;
  /** Called with each file that was written. */
  onWritten?: (path: string) => void;
  /** Ends the run. */
  signal?: AbortSignal;
}

/**
 * Runs notebooks one after another and writes each under its own name into a folder; the originals stay as they are
 * unless the folder is their own. All are read before the first runs.
 *
 * @returns The files that were written.
 * @throws {UsageError} If two notebooks have one name, or the folder cannot be written.
 * @throws {InputError} If a file is missing or no notebook.
 * @throws {DataError} If a result cannot be written.
 * @throws {NotebookError} If a cell fails; the notebook up to there is written before.
 */
export async function runNotebooks(paths: string[], options: RunOptions): Promise<string[]> {
  refuseSameNames(paths);
  const notebooks = paths.map((path) => ({ path, notebook: readNotebook(path) }));
  await prepareFolder(options.out);
  const written: string[] = [];
  for (const { path, notebook } of notebooks) {
    const run = await runNotebook(notebook, {
      file: resolve(path),
      onCell: (...progress) => options.onProgress?.(path, ...progress),
      env: cellEnvironment(dirname(resolve(path)), options),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    for (const file of await writeResults(path, run.notebook, options)) {
      written.push(file);
      options.onWritten?.(file);
    }
    if (run.failure) throw cellError(path, run.failure);
  }
  return written;
}

/**
 * What the cells find in their environment. Their working folder is the notebook's own, so the data folder that was
 * meant from here is named in full; exports belong beside the results. The snapshot is named from there, since frames
 * show where they come from, and a notebook should not tell of this machine's folders.
 */
function cellEnvironment(cwd: string, { out, env }: RunOptions): NodeJS.ProcessEnv {
  const snapshot = process.env.ODDSLAB_SNAPSHOT;
  return {
    ...process.env,
    ...(snapshot ? { ODDSLAB_SNAPSHOT: relative(cwd, resolve(snapshot)) || '.' } : {}),
    ODDSLAB_DATA: resolve(process.env.ODDSLAB_DATA || 'data'),
    ODDSLAB_OUT: resolve(out),
    ...env,
  };
}

/** Registers `oddslab run NOTEBOOK… [--out DIR] [--html]`. */
export function addRunCommand(program: Command): void {
  program
    .command('run')
    .summary('run notebooks without Jupyter and write the results')
    .description(
      'Run notebooks from top to bottom without Jupyter or Python and write the executed ones into a folder. A cell\n' +
        'that fails ends the run with exit code 1; the notebook up to there is written with the error in it. Cells find\n' +
        'the folder in ODDSLAB_OUT, for what they export.',
    )
    .argument('<notebook...>', 'notebooks to run, one after another')
    .option('--out <dir>', 'folder for the results', 'out')
    .option('--html', 'also export each notebook as a self-contained page', false)
    .addHelpText('after', '\nExample:\n  $ oddslab run notebooks/*.ipynb --out out --html')
    .action(async (paths: string[], options: { out: string; html: boolean }) => {
      const progress = new CellProgress(process.stderr);
      const onProgress: RunOptions['onProgress'] = (...shown) => progress.show(...shown);
      const onWritten = (path: string) => {
        progress.finish();
        process.stdout.write(`${path}\n`);
      };
      try {
        await interruptible((signal) => runNotebooks(paths, { ...options, signal, onProgress, onWritten }));
      } finally {
        progress.finish();
      }
    });
}

function refuseSameNames(paths: string[]): void {
  const names = new Map<string, string>();
  for (const path of paths) {
    const name = basename(path, extname(path));
    const other = names.get(name);
    if (other !== undefined) {
      throw new UsageError(
        `${other} and ${path} would both be written as ${name}.ipynb: run them with different --out.`,
      );
    }
    names.set(name, path);
  }
}

function readNotebook(path: string): Notebook {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError(`Cannot read the notebook ${path}: ${reasonOf(cause)}`, { cause });
  }
  return parseNotebook(text, path);
}

async function prepareFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new UsageError(`Cannot write to the folder ${folder}: ${writeFailure(cause)} (--out names it).`, { cause });
  }
}

async function writeResults(path: string, notebook: Notebook, { out, html }: RunOptions): Promise<string[]> {
  const name = basename(path, extname(path));
  const executed = join(out, `${name}.ipynb`);
  const page = html ? await exportHtml(notebook, name) : undefined;
  await writeWhole(executed, serializeNotebook(notebook));
  if (page === undefined) return [executed];
  const exported = join(out, `${name}.html`);
  await writeWhole(exported, page);
  return [executed, exported];
}

function cellError(path: string, { cell, fault }: RunFailure): NotebookError {
  const { at } = fault;
  const isHere = at?.name === `cell ${cell}`;
  const where = at ? `, ${isHere ? '' : `in ${at.name} `}line ${at.line}:${at.column}` : '';
  return new NotebookError(`${path}: cell ${cell}${where}\n${fault.traceback.join('\n')}`);
}

function reasonOf(cause: unknown): string {
  const code: unknown = Reflect.get(Object(cause), 'code');
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'it is a folder.';
  return cause instanceof Error ? cause.message : String(cause);
}
