import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { InputError, UsageError } from '../base/errors.js';
import { appendAll } from '../base/many.js';
import { makeFolder, writeFailure } from '../base/whole-file.js';
import { joinedErrors } from './exit-code.js';
import { type NotebookRunOptions, type RunInput, readInput } from './notebook-input.js';
import { resultName, runInput } from './run-input.js';

/**
 * Runs notebooks and writes each under its own name into a folder; the originals stay as they are. All are read before
 * the first runs. If one fails or cannot be read, the others still run; if a file is missing, none does.
 *
 * @returns The files that were written.
 * @throws {UsageError} If a file is missing, two notebooks have the same name, the folder cannot be written, a result
 * would overwrite the notebook itself or the one beside a program, or a parameter is unknown or has an invalid value.
 * @throws {InputError} If a file is no notebook or is written in another language; the others run first.
 * @throws {DataError} If a result cannot be written.
 * @throws {NotebookError} If a cell fails; the part that ran is written first. Subclasses stand for a cell that ran out
 * of time, outputs that differ, and types that are wrong or cannot be checked. Several failures become one error with
 * the class of the worst.
 */
export async function runNotebooks(paths: string[], options: NotebookRunOptions): Promise<string[]> {
  if (options.out !== undefined) refuseSameNames(paths);
  const { read, failures } = await readInputs(paths);
  if (read.length === 0) throw joinedErrors(failures);
  const inputs = await withParameters(read, options);
  if (options.check) refuseUnchecked(inputs);
  if (options.out !== undefined) refuseOverwriting(inputs, options.out);
  const written: string[] = [];
  await withExports(options.out, (exports) =>
    inOrder(
      inputs,
      options.jobs ?? 1,
      (input) => runInput(input, exports, options),
      (result) => {
        for (const file of result.written) options.onWritten?.(file);
        for (const note of result.notes) options.onNote?.(note);
        appendAll(written, result.written);
        if (result.errors.length > 0) failures.push(joinedErrors(result.errors));
      },
    ),
  );
  if (failures.length > 0) throw joinedErrors(failures, `${failures.length} of ${paths.length} notebooks failed.`);
  return written;
}

/** @throws {UsageError} If a file is missing: the command line is then a mistake, so nothing runs. */
async function readInputs(paths: string[]): Promise<{ read: RunInput[]; failures: unknown[] }> {
  const results = await Promise.all(
    paths.map((path) =>
      readInput(path).catch((error: unknown) => {
        if (error instanceof InputError) return error;
        throw error;
      }),
    ),
  );
  const read = results.filter((result): result is RunInput => !(result instanceof InputError));
  return { read, failures: results.filter((result) => result instanceof InputError) };
}

async function withParameters(
  inputs: RunInput[],
  { parameters = [], onNote }: NotebookRunOptions,
): Promise<RunInput[]> {
  if (parameters.length === 0) return inputs;
  const { destructuredNames, notebookParameters, refuseUnknownParameters } = await import(
    '../notebook/parameters/notebook-parameters.js'
  );
  const { injectParameters } = await import('../notebook/parameters/inject-parameters.js');
  const read = await Promise.all(
    inputs.map(async (input) => ({
      ...input,
      declared: await notebookParameters(input.notebook, input.path),
      apart: await destructuredNames(input.notebook),
    })),
  );
  refuseUnknownParameters(parameters, read);
  return read.map(({ declared, apart: _, ...input }) => {
    const onUnchecked = (name: string, type: string): void =>
      onNote?.(
        `${input.path}: ${name} is set unchecked: its type, ${type}, is known to the type checker alone (--types).`,
      );
    if (!declared) onNote?.(`${input.path}: ${UNTAGGED}`);
    const notebook = injectParameters(input.notebook, declared, parameters, onUnchecked);
    return { ...input, notebook, isShifted: notebook.cells.length > input.notebook.cells.length };
  });
}

const UNTAGGED =
  'no cell is tagged "parameters". What was given is declared above the first cell, and whatever the notebook ' +
  'declares itself wins: tag the cell that declares it.';

function refuseSameNames(paths: string[]): void {
  const names = new Map<string, string>();
  for (const path of paths) {
    const name = basename(path, extname(path));
    const other = names.get(name);
    if (other !== undefined && resolve(other) === resolve(path)) throw new UsageError(`${path} is given twice.`);
    if (other !== undefined) {
      throw new UsageError(
        `${other} and ${path} would both be written as ${name}.ipynb: run them with different --out.`,
      );
    }
    names.set(name, path);
  }
}

function refuseUnchecked(inputs: RunInput[]): void {
  const percent = inputs.find(({ isPercent }) => isPercent);
  if (!percent) return;
  throw new UsageError(`${percent.path} holds no outputs that --check could compare with: check a notebook.`);
}

/** Does work with the folder for exports of cells: `out`, or without it a temporary one that is removed afterwards. */
async function withExports(out: string | undefined, work: (folder: string) => Promise<void>): Promise<void> {
  if (out !== undefined) {
    await prepareFolder(out);
    return work(resolve(out));
  }
  const folder = await mkdtemp(join(tmpdir(), 'oddslab-run-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepareFolder(folder: string): Promise<void> {
  if (folder === '-') throw new UsageError('--out takes a folder, not stdout: name it, such as --out out.');
  try {
    await makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new UsageError(`Cannot write to the folder ${folder}: ${writeFailure(cause)} (--out names it).`, { cause });
  }
}

/**
 * Refuses to overwrite the notebook that is run, whose outputs may be the last trace of their data, and a notebook
 * beside a program, which the user did not name.
 */
function refuseOverwriting(inputs: readonly RunInput[], out: string): void {
  for (const { path, file, isPercent } of inputs) {
    const target = join(out, resultName(path));
    if (!existsSync(target)) continue;
    if (!isPercent && realpathSync(target) === realpathSync(file)) {
      throw new UsageError(`The result of ${path} would overwrite the notebook itself: name another folder by --out.`);
    }
    if (!isPercent || resolve(out) !== dirname(file)) continue;
    throw new UsageError(
      `${target} is there already, and the result of ${path} would overwrite it: name another folder by --out, or ` +
        `bring that notebook in line without running it: oddslab convert ${path} --force`,
    );
  }
}

/**
 * Works on several items at once and passes on the results in the order of the items.
 *
 * @param jobs How many items to work on at once, at least 1.
 * @returns A promise that settles once all workers have ended; if any rejects, it rejects with the first one's reason.
 */
export async function inOrder<Item, Result>(
  items: readonly Item[],
  jobs: number,
  work: (item: Item) => Promise<Result>,
  onResult: (result: Result) => void,
): Promise<void> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results.set(index, await work(item));
      for (; results.has(next); next++) {
        onResult(results.get(next) as Result);
        results.delete(next);
      }
    }
  };
  const workers = Array.from({ length: Math.min(jobs, items.length) }, worker);
  for (const settled of await Promise.allSettled(workers)) if (settled.status === 'rejected') throw settled.reason;
}
