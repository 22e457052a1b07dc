import { basename, dirname } from 'node:path';
import { InputError } from '../errors.js';
import type { CellFault } from '../kernel/events.js';
import { type Runner, startRunner } from '../kernel/runner-process.js';
import { OutputCollector } from './collect-outputs.js';
import { type Cell, type CodeCell, isCode, joinLines, type Notebook } from './document.js';

/** The cell that stopped a run. */
export interface RunFailure {
  /** Counted from 1 over the code cells that hold code: the number in `In [3]`. */
  cell: number;
  fault: CellFault;
}

const LANGUAGES = ['typescript', 'javascript', 'deno', 'ts', 'js'];

/**
 * Runs the code cells of a notebook in order in a process of its own and stops at the first that fails.
 *
 * @param options.file Full path of the notebook: imports resolve from its folder, where the process works too.
 * @param options.env Environment of the process. Default: this process's.
 * @param options.signal Ends the run; it then rejects with the signal's reason.
 * @param options.onCell Called before each cell with its number and how many there are, and again with a line of text
 * while it tells how far it is.
 * @returns The notebook with new outputs, without any time of day, so that two runs are equal; the argument stays.
 * @throws {InputError} If the notebook names another language.
 */
export async function runNotebook(
  notebook: Notebook,
  options: {
    file: string;
    env?: NodeJS.ProcessEnv;
    signal?: AbortSignal;
    onCell?: (cell: number, total: number, progress?: string) => void;
  },
): Promise<{ notebook: Notebook; failure?: RunFailure }> {
  const { file, env, signal } = options;
  refuseOtherLanguage(notebook, file);
  signal?.throwIfAborted();
  const cells = notebook.cells.map(withoutOutputs);
  const runner = startRunner({ cwd: dirname(file), file, ...(env ? { env } : {}) });
  const stop = (): void => void runner.close();
  signal?.addEventListener('abort', stop);
  try {
    const failure = await runCells(cells, runner, options);
    signal?.throwIfAborted();
    return { notebook: { ...notebook, cells }, ...(failure ? { failure } : {}) };
  } finally {
    signal?.removeEventListener('abort', stop);
    await runner.close();
  }
}

async function runCells(
  cells: Cell[],
  runner: Runner,
  { signal, onCell }: { signal?: AbortSignal; onCell?: (cell: number, total: number, progress?: string) => void },
): Promise<RunFailure | undefined> {
  const runnable = cells.filter(isCode).filter((cell) => joinLines(cell.source).trim() !== '');
  for (const [index, cell] of runnable.entries()) {
    const number = index + 1;
    onCell?.(number, runnable.length);
    const fault = await runCell(cell, number, runner, (text) => onCell?.(number, runnable.length, text));
    if (fault || signal?.aborted) return fault && { cell: number, fault };
  }
  return undefined;
}

async function runCell(
  cell: CodeCell,
  number: number,
  runner: Runner,
  onProgress: (text: string) => void,
): Promise<CellFault | undefined> {
  const collector = new OutputCollector(number);
  cell.execution_count = number;
  cell.outputs = collector.outputs;
  const outcome = await runner.execute(joinLines(cell.source), {
    name: `cell ${number}`,
    onOutput: (event) => (event.type === 'progress' ? onProgress(event.text) : collector.add(event)),
  });
  if (outcome.status === 'ok') return undefined;
  collector.fail(outcome.fault);
  return outcome.fault;
}

function withoutOutputs(cell: Cell): Cell {
  return isCode(cell) ? { ...cell, outputs: [], execution_count: null } : cell;
}

function refuseOtherLanguage(notebook: Notebook, file: string): void {
  const language = fieldOf(fieldOf(notebook.metadata, 'kernelspec'), 'language');
  if (typeof language !== 'string' || LANGUAGES.includes(language.toLowerCase())) return;
  throw new InputError(
    `${basename(file)} is written in ${language}; only TypeScript and JavaScript notebooks run here.`,
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
