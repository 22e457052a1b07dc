import { dirname, relative, resolve } from 'node:path';
import { DriftError, TypeCheckError } from '../base/errors.js';
import type { TypeFindings } from '../notebook/check-types.js';
import type { Notebook } from '../notebook/format/nbformat.js';
import { type NotebookRun, type RunFailure, runNotebook } from '../notebook/run-notebook.js';
import { cellError } from './cell-error.js';
import { ownWallets } from './own-wallets.js';
import type { RunInput } from './read-input.js';
import type { RunOptions } from './run-options.js';
import { writeResults } from './write-results.js';

/** The outcome of running one notebook. */
export interface InputRun {
  path: string;
  written: string[];
  notes: string[];
  /** Why the run counts as failed; empty if it does not. */
  errors: unknown[];
}

/**
 * Runs one notebook and writes its results. If a cell fails or the signal comes, it writes the part that ran.
 *
 * @param exports Full path of the folder that cells find in `ODDSLAB_OUT`.
 * @returns The outcome, including all errors.
 * @throws Only the reason of `options.signal`.
 */
export async function runInput(input: RunInput, exports: string, options: RunOptions): Promise<InputRun> {
  const result: InputRun = { path: input.path, written: [], notes: [], errors: [] };
  try {
    await runAndWrite(input, exports, options, result);
  } catch (error) {
    options.signal?.throwIfAborted();
    result.errors.unshift(error);
  }
  options.onOver?.(input.path);
  return result;
}

async function runAndWrite(input: RunInput, exports: string, options: RunOptions, result: InputRun): Promise<void> {
  const { path, file, notebook } = input;
  const { types = 'off' } = options;
  const checking = types === 'off' ? undefined : typesOf(input, options.signal);
  // If the run fails first, its error is reported, not that of the check.
  checking?.catch(() => {});
  if (types === 'block') refuseTypes(path, await checking, options.signal);
  const env = await environment(file, exports, options);
  const onAborted = async (partial: Notebook): Promise<void> => {
    const fault = await writeResults(input, partial, options);
    if (fault) options.onNote?.(fault.message);
  };
  const run = await runNotebook(notebook, { ...settings(path, options), file, env, onAborted });
  const onWritten = (written: string): void => void result.written.push(written);
  const onNote = (note: string): void => void result.notes.push(note);
  const fault = await writeResults(input, run.notebook, { ...options, onWritten, onNote });
  if (fault) result.errors.push(fault);
  const found = await checking;
  if (found?.unchecked) result.notes.push(`${path}: its types could not be checked\n${found.unchecked}`);
  if (found?.all) result.notes.push(`${path}: its types are ${found.wrong ? 'wrong' : 'doubtful'}\n${found.all}`);
  const left = leftText(run);
  if (left !== undefined) result.notes.push(`${path}: ${left}`);
  refuseFailures(input, run, options, result);
  if (options.check) result.notes.push(await agreement(input, run, options.check));
}

/** @throws {TypeCheckError} Unless all cells were checked and have no type errors. */
function refuseTypes(path: string, found: TypeFindings | undefined, signal?: AbortSignal): void {
  signal?.throwIfAborted();
  const refusal = (what: string, detail: string) =>
    new TypeCheckError(`${path}: its types ${what}, so it did not run (--types block)\n${detail}`);
  if (found?.wrong) throw refusal('are wrong', found.wrong);
  if (found?.unchecked) throw refusal('could not be checked', found.unchecked);
}

/**
 * Throws the failure of a run. Errors that are allowed become notes instead.
 *
 * @throws {NotebookError} For the cell that ended the run, else for the first error that no cell awaited.
 */
function refuseFailures(input: RunInput, run: NotebookRun, { allowErrors }: RunOptions, result: InputRun): void {
  const errorOf = (failure: RunFailure) => cellError(input, failure, result.written[0]);
  const allowed = allowErrors ? [...run.tolerated, ...run.strays] : [];
  result.notes.push(...allowed.map((failure) => errorOf(failure).message));
  const failure = run.failure ?? (allowErrors ? undefined : run.strays[0]);
  if (failure) throw errorOf(failure);
}

/** A note about work that nobody awaited and that the end of the run cut off; undefined if there was none. */
function leftText({ unfinished }: NotebookRun): string | undefined {
  const { timers = [], hasRequests = false, hasLoop = false } = unfinished ?? {};
  if (hasLoop) return 'code that a cell left running at the end did not give way, and was ended: await it, or end it.';
  if (timers.length === 0 && !hasRequests) return undefined;
  const what = timers.length > 0 ? `work of ${timers.join(', ')}` : 'a request, connection or process of a cell';
  return `${what} was left unfinished at the end: await it.`;
}

async function typesOf({ notebook, file }: RunInput, signal?: AbortSignal): Promise<TypeFindings> {
  const { checkTypes } = await import('../notebook/check-types.js');
  return checkTypes(notebook, file, signal);
}

/** @throws {DriftError} If the outputs differ from those stored in the notebook. */
async function agreement(
  { path, notebook }: RunInput,
  run: NotebookRun,
  { isColoured = false, ...options }: NonNullable<RunOptions['check']>,
): Promise<string> {
  const { compareNotebooks } = await import('../notebook/check/compare-notebooks.js');
  const { driftText } = await import('../notebook/check/drift-text.js');
  const drifts = compareNotebooks(notebook, run.notebook, { ...options, name: path });
  if (drifts.length > 0) throw new DriftError(driftText(drifts, path, { color: isColoured }).trimEnd());
  return `${path}: outputs are as stored`;
}

function settings(path: string, { signal, timeoutMs, allowErrors, onProgress }: RunOptions) {
  return {
    onCell: (...progress: [cell: number, total: number, progress?: string]) => onProgress?.(path, ...progress),
    ...(signal ? { signal } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allowErrors ? { allowErrors } : {}),
  };
}

/**
 * The environment variables of the cells. Cells work in the notebook's folder, so the paths of the data folder and the
 * file of fills are made absolute. The snapshot's path is made relative to the notebook's folder: frames show where
 * they come from, and a notebook should not reveal this machine's folders. For data of the user's own, the busiest
 * wallets are added.
 */
async function environment(file: string, exports: string, { env }: RunOptions): Promise<NodeJS.ProcessEnv> {
  const { ODDSLAB_SNAPSHOT: snapshot, ODDSLAB_FILLS: fills, ODDSLAB_URL: url, ODDSLAB_WALLETS: named } = process.env;
  const data = resolve(process.env.ODDSLAB_DATA || 'data');
  const wallets = url || named || env?.ODDSLAB_URL ? [] : await ownWallets(data);
  return {
    ...process.env,
    ...(snapshot ? { ODDSLAB_SNAPSHOT: relative(dirname(file), resolve(snapshot)) || '.' } : {}),
    ...(fills ? { ODDSLAB_FILLS: resolve(fills) } : {}),
    ...(wallets.length > 0 ? { ODDSLAB_WALLETS: wallets.join(',') } : {}),
    ODDSLAB_DATA: data,
    ODDSLAB_OUT: exports,
    ...env,
  };
}
