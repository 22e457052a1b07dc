import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import {
  CellTimeoutError,
  DataError,
  DriftError,
  NotebookError,
  type OddslabError,
  TypeCheckError,
} from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { appendAll } from '../base/many.js';
import { writeWhole } from '../base/whole-file.js';
import { codeFrame } from '../kernel/transform/source-lines.js';
import type { TypeFindings } from '../notebook/check-types.js';
import { exportHtml } from '../notebook/export/export-html.js';
import { codeCells, hasTag, type Notebook } from '../notebook/format/nbformat.js';
import { type NotebookRun, type RunFailure, runNotebook } from '../notebook/run-notebook.js';
import type { NotebookRunOptions, RunInput } from './notebook-input.js';
import { ownWallets } from './prepare-lab.js';

/** The outcome of running one notebook. */
interface InputRun {
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
export async function runInput(input: RunInput, exports: string, options: NotebookRunOptions): Promise<InputRun> {
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

async function runAndWrite(
  input: RunInput,
  exports: string,
  options: NotebookRunOptions,
  result: InputRun,
): Promise<void> {
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
  if (found?.large) result.notes.push(`${path}: ${found.large}`);
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
  if (found?.wrong) throw refusal('are wrong', [found.wrong, found.large].filter(Boolean).join('\n\n'));
  if (found?.unchecked)
    throw refusal('could not be checked', [found.unchecked, found.large].filter(Boolean).join('\n'));
}

/** Throws the failure of the cell that ended the run, or of work that none awaited; notes what is allowed to fail. */
function refuseFailures(
  input: RunInput,
  run: NotebookRun,
  { allowErrors }: NotebookRunOptions,
  result: InputRun,
): void {
  const errorOf = (failure: RunFailure) => cellError(input, failure, result.written[0]);
  const allowed = allowErrors ? [...run.tolerated, ...run.strays] : [];
  appendAll(
    result.notes,
    allowed.map((failure) => errorOf(failure).message),
  );
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
  { isColoured = false, ...options }: NonNullable<NotebookRunOptions['check']>,
): Promise<string> {
  const { compareNotebooks } = await import('../notebook/check/compare-notebooks.js');
  const { driftText } = await import('../notebook/check/drift-text.js');
  const drifts = compareNotebooks(notebook, run.notebook, { ...options, name: path });
  if (drifts.length > 0) throw new DriftError(driftText(drifts, path, { color: isColoured }).trimEnd());
  return `${path}: outputs are as stored`;
}

function settings(path: string, { signal, timeoutMs, allowErrors, onProgress }: NotebookRunOptions) {
  return {
    onCell: (...progress: [cell: number, total: number, progress?: string]) => onProgress?.(path, ...progress),
    ...(signal ? { signal } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allowErrors ? { allowErrors } : {}),
  };
}

/**
 * The environment of the cells, which work in the notebook's folder: paths are made absolute. Only the snapshot's is
 * relative to that folder, since frames show it and a notebook should not reveal this machine's folders.
 */
async function environment(file: string, exports: string, { env }: NotebookRunOptions): Promise<NodeJS.ProcessEnv> {
  const given = { ...process.env, ...env };
  const { ODDSLAB_SNAPSHOT: snapshot, ODDSLAB_URL: url, ODDSLAB_WALLETS: named } = given;
  const data = resolve(given.ODDSLAB_DATA || 'data');
  const wallets = url || named ? [] : await ownWallets(data);
  return {
    ...process.env,
    ...(snapshot ? { ODDSLAB_SNAPSHOT: relative(dirname(file), resolve(snapshot)) || '.' } : {}),
    ...(wallets.length > 0 ? { ODDSLAB_WALLETS: wallets.join(',') } : {}),
    ODDSLAB_DATA: data,
    ODDSLAB_OUT: exports,
    ...env,
  };
}

/** The error of a cell that failed, with its place and the code around it; `written` is the executed notebook. */
function cellError(
  { path, notebook, isShifted = false }: Pick<RunInput, 'path' | 'notebook' | 'isShifted'>,
  failure: RunFailure,
  written?: string,
): NotebookError {
  const { cell, fault, isTimeout } = failure;
  const { at } = fault;
  const isHere = at?.name === `cell ${cell}`;
  const where = at ? `, ${isHere ? '' : `in ${at.name} `}line ${at.line}:${at.column}` : '';
  const frame = isTimeout && isHere ? ['', ...codeFrame(cellSource(notebook, cell), at)] : [];
  const injected = isShifted ? injectedNumber(notebook) : undefined;
  const count = injected === undefined || injected > cell ? [] : ['', countedSo(injected, written)];
  const text = [`${path}: cell ${cell}${where}`, ...fault.traceback, ...frame, ...count].join('\n');
  return isTimeout ? new CellTimeoutError(text) : new NotebookError(text);
}

function injectedNumber({ cells }: Notebook): number | undefined {
  return codeCells(cells).find(({ cell }) => hasTag(cell, 'injected-parameters'))?.number;
}

function countedSo(injected: number, written: string | undefined): string {
  const file = written === undefined ? 'in the notebook as it was run' : `in ${written}`;
  return `Cells are counted as ${file}: cell ${injected} there sets the parameters.`;
}

function cellSource(notebook: Notebook, cell: number): string {
  return itemAt(codeCells(notebook.cells), cell - 1).code;
}

/**
 * Writes an executed notebook and then, if asked for, its HTML page.
 *
 * @returns Why the page failed, if it did.
 * @throws {DataError} If the notebook cannot be written.
 */
async function writeResults(
  { path, file, serialize, isStdin }: Pick<RunInput, 'path' | 'file' | 'serialize' | 'isStdin'>,
  notebook: Notebook,
  { out, html, code = true, onWritten, onNote, onResult }: WriteOptions,
): Promise<OddslabError | undefined> {
  if (out === undefined) {
    if (isStdin) await onResult?.(serialize(notebook));
    return undefined;
  }
  const executed = join(out, resultName(path));
  await writeWhole(executed, serialize(notebook));
  onWritten?.(executed);
  if (!html) return undefined;
  const name = nameOf(path);
  const page = join(out, `${name}.html`);
  try {
    const noteOf = (text: string): void => onNote?.(`${path}: ${text}`);
    await writeWhole(page, await exportHtml(notebook, name, { folder: dirname(file), onNote: noteOf, code }));
  } catch (cause) {
    return pageFault(cause, page, executed);
  }
  onWritten?.(page);
  return undefined;
}

type WriteOptions = Pick<NotebookRunOptions, 'out' | 'html' | 'code' | 'onWritten' | 'onNote' | 'onResult'>;

function pageFault(cause: unknown, page: string, executed: string): OddslabError {
  if (cause instanceof DataError) return cause;
  const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  return new NotebookError(`Cannot make the page ${page} (${reason}); the notebook itself is in ${executed}.`, {
    cause,
  });
}

/** The file name of the notebook that a run writes. @example resultName('a/report.ts'); // 'report.ipynb' */
export function resultName(path: string): string {
  return `${nameOf(path)}.ipynb`;
}

/** The name of a notebook without its extension; `stdin` for one from there. */
function nameOf(path: string): string {
  return basename(path, extname(path)).replace(/^<(.*)>$/, '$1');
}
