import { dirname } from 'node:path';
import { startRunner } from '../kernel/runner-process.js';
import {
  type CellFault,
  type CellListener,
  type CellOutcome,
  INTERRUPT_GRACE_MS,
  INTERRUPTED,
  plainFault,
  type Runner,
  type Unfinished,
} from '../kernel/wire/runner.js';
import { Displays, OutputCollector } from './collect-outputs.js';
import {
  type Cell,
  codeCells,
  hasTag,
  isCode,
  type Notebook,
  type NumberedCell,
  refuseOtherLanguage,
} from './format/nbformat.js';

/** A cell that failed. */
export interface RunFailure {
  /** Number among the cells that are run, from 1, as in `In [3]`. */
  cell: number;
  fault: CellFault;
  /** Whether it failed because its time was up. */
  isTimeout: boolean;
}

/** How a notebook is run. */
interface RunNotebookOptions {
  /** Full path of the notebook. Its folder is the working directory, and imports resolve from it. */
  file: string;
  /** Environment of the process. Default: this process's. */
  env?: NodeJS.ProcessEnv;
  /** Ends the run; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called before that rejection with the part that ran; the cell that was running shows that it was ended. */
  onAborted?: (notebook: Notebook) => Promise<void>;
  /** Time limit for one cell. Default: none. */
  timeoutMs?: number;
  /** Whether the run goes on after a cell that failed or ran out of time, in a new process if need be. Default: no. */
  allowErrors?: boolean;
  /** Called with each cell's number and that of all cells, before it and with each line of progress of its. */
  onCell?: (cell: number, total: number, progress?: string) => void;
}

/** The result of a run. */
export interface NotebookRun {
  notebook: Notebook;
  /** The cell that ended the run; where errors are allowed, the first that ran out of time. */
  failure?: RunFailure;
  /** Cells that failed without ending the run, because errors are allowed. */
  tolerated: RunFailure[];
  /** Errors that no cell awaited, such as those of timers; not those of cells tagged `raises-exception`. */
  strays: RunFailure[];
  /** Work that nobody awaited and that did not end soon after the last cell. */
  unfinished?: Unfinished;
}

/**
 * Runs the code cells of a notebook in order in a process of its own and stops at the first that fails. A cell tagged
 * `skip-execution` keeps its outputs; an error in a cell tagged `raises-exception` is no failure.
 *
 * @returns A copy of the notebook with new outputs. It holds no timestamps, so that two runs can be equal.
 * @throws {InputError} If the notebook names another language.
 */
export async function runNotebook(notebook: Notebook, options: RunNotebookOptions): Promise<NotebookRun> {
  const { file, env, signal } = options;
  refuseOtherLanguage(notebook, file);
  signal?.throwIfAborted();
  const cells = notebook.cells.map(withoutOutputs);
  const start = (): Runner => startRunner({ cwd: dirname(file), file, ...(env ? { env } : {}) });
  const child: RunProcess = { runner: start(), start };
  const stop = (): void => void child.runner.close();
  signal?.addEventListener('abort', stop);
  try {
    const run = await runCells(codeCells(cells), child, options);
    if (signal?.aborted) await options.onAborted?.({ ...notebook, cells });
    signal?.throwIfAborted();
    return { notebook: { ...notebook, cells }, ...run };
  } finally {
    signal?.removeEventListener('abort', stop);
    await child.runner.close();
  }
}

/** The process that runs the cells, and a function that starts another. */
interface RunProcess {
  runner: Runner;
  start: () => Runner;
}

async function runCells(
  cells: NumberedCell[],
  child: RunProcess,
  options: RunNotebookOptions,
): Promise<Omit<NotebookRun, 'notebook'>> {
  const state: RunState = { displays: new Displays(), collectors: new Map(), strays: [], isOver: false };
  const { strays } = state;
  const tolerated: RunFailure[] = [];
  let late: RunFailure | undefined;
  await started(child.runner, options);
  try {
    for (const cell of cells) {
      options.onCell?.(cell.number, cells.length);
      const onProgress = (text: string): void => options.onCell?.(cell.number, cells.length, text);
      const failure = await runCell(cell, child.runner, state, { ...options, onProgress });
      if (options.signal?.aborted) break;
      if (!failure || isExpected(failure, cell, child.runner)) continue;
      if (!options.allowErrors) return { failure, tolerated, strays };
      if (failure.isTimeout) late ??= failure;
      if (failure !== late) tolerated.push(failure);
      if (child.runner.isAlive) continue;
      child.runner = child.start();
      await started(child.runner, options);
    }
    const unfinished = await child.runner.finish(options.timeoutMs);
    const ended = options.signal?.aborted ? [] : endedIn(unfinished, state, options);
    if (options.allowErrors) for (const each of ended) tolerated.push(each);
    const failure =
      late ?? unsettledIn(cells, unfinished, state, options) ?? (options.allowErrors ? undefined : ended[0]);
    return { ...(failure ? { failure } : {}), tolerated, strays, unfinished };
  } finally {
    state.isOver = true;
  }
}

/** The failure of the first cell whose last value is a promise that did not settle in time; each such cell shows it. */
function unsettledIn(
  cells: NumberedCell[],
  { late }: Unfinished,
  { collectors }: RunState,
  { timeoutMs = 0 }: RunNotebookOptions,
): RunFailure | undefined {
  const message = `The promise that the cell ends in did not settle within ${timeoutMs / 1000} s after the last cell.`;
  const fault = plainFault('CellTimeout', message);
  for (const name of late) collectors.get(name)?.fail(fault);
  const first = cells.find(({ name }) => late.includes(name));
  return first && { cell: first.number, fault, isTimeout: true };
}

/** The failures of the cells that have set an exit code, or of the last one, if work that nobody awaited ended the process after it. */
function endedIn(
  { ended, endedBy = [], hasLoop }: Unfinished,
  { collectors }: RunState,
  { timeoutMs }: RunNotebookOptions,
): RunFailure[] {
  if (ended === undefined) return [];
  const known = endedBy.flatMap((name) => collectors.get(name) ?? []);
  const causes = known.length > 0 ? known : [...collectors.values()].slice(-1);
  const isCut = hasLoop && ended.name === 'ProcessClosed';
  const fault = isCut ? BLOCKED : ended;
  for (const each of causes) each.fail(fault);
  return causes.map((each) => ({ cell: each.executionCount, fault, isTimeout: isCut && timeoutMs !== undefined }));
}

/** Waits until the process has started, where time is limited, so that this does not count as a cell's time. */
async function started(runner: Runner, { timeoutMs }: RunNotebookOptions): Promise<void> {
  if (timeoutMs !== undefined) await runner.execute('');
}

/** What the cells of one run share. */
interface RunState {
  readonly displays: Displays;
  /** The collectors by cell name. */
  readonly collectors: Map<string, OutputCollector>;
  readonly strays: RunFailure[];
  /** Whether the run is over: outputs that come while the process ends would differ from run to run. */
  isOver: boolean;
}

async function runCell(
  { cell, code, number, name }: NumberedCell,
  runner: Runner,
  state: RunState,
  { onProgress, timeoutMs, allowErrors, signal }: RunNotebookOptions & { onProgress: (text: string) => void },
): Promise<RunFailure | undefined> {
  const collector = new OutputCollector(number, state.displays);
  cell.execution_count = number;
  cell.outputs = collector.outputs;
  state.collectors.set(name, collector);
  const outcome = await executeInTime(runner, code, timeoutMs, {
    name,
    onOutput: (event) => {
      if (state.isOver) return;
      if (event.type === 'progress') onProgress(event.text);
      else collector.add(event);
    },
    onFault: (fault) => {
      if (state.isOver) return;
      collector.add({ type: 'stream', name: 'stderr', text: `${fault.traceback.join('\n')}\n` });
      if (!hasTag(cell, 'raises-exception')) state.strays.push({ cell: number, fault, isTimeout: false });
    },
  });
  if (outcome.status === 'ok') return undefined;
  const fault = signal?.aborted ? ABORTED : allowErrors && !runner.isAlive ? withSequel(outcome.fault) : outcome.fault;
  collector.fail(fault);
  return { cell: number, fault, isTimeout: outcome.status === 'timeout' };
}

/** How a cell with a time limit ended. */
type TimedOutcome = CellOutcome | { status: 'timeout'; fault: CellFault };

/** Runs a cell and interrupts it when its time, if limited, is up. If that does not end it, the process is ended. */
async function executeInTime(
  runner: Runner,
  code: string,
  timeoutMs: number | undefined,
  options: { name: string } & CellListener,
): Promise<TimedOutcome> {
  const running = runner.execute(code, options);
  if (timeoutMs === undefined) return running;
  let isOver = false;
  let lastResort: NodeJS.Timeout | undefined;
  const clock = setTimeout(() => {
    isOver = true;
    runner.interrupt();
    lastResort = setTimeout(() => void runner.close(), INTERRUPT_GRACE_MS);
  }, timeoutMs);
  const outcome = await running;
  clearTimeout(clock);
  clearTimeout(lastResort);
  return isOver && outcome.status === 'error'
    ? { status: 'timeout', fault: timeoutFault(timeoutMs, outcome.fault, runner.isAlive) }
    : outcome;
}

/** The place of the interrupt differs from run to run: it is reported, but left out of the traceback that is stored. */
function timeoutFault(timeoutMs: number, { at }: CellFault, isAlive: boolean): CellFault {
  const end = isAlive ? 'was interrupted' : 'could not be interrupted: its process was ended';
  const message = `The cell did not end within ${timeoutMs / 1000} s and ${end}.`;
  return { ...plainFault('CellTimeout', message), ...(at ? { at } : {}) };
}

/** Where the process had to be ended because something that a cell left running blocked it. */
const BLOCKED = plainFault(
  'ProcessClosed',
  'What a cell has left running never gave way and could not be interrupted: its process was ended.',
);
const ABORTED = plainFault(INTERRUPTED, 'The run was ended while this cell ran.');

function withSequel(fault: CellFault): CellFault {
  const sequel = 'A new process runs the cells from here on, with a fresh state.';
  return { ...fault, traceback: [...fault.traceback, sequel] };
}

function isExpected(failure: RunFailure, { cell }: NumberedCell, runner: Runner): boolean {
  return hasTag(cell, 'raises-exception') && !failure.isTimeout && runner.isAlive;
}

/** Clears a code cell's outputs before the run; only a cell tagged `skip-execution` keeps them. */
function withoutOutputs(cell: Cell): Cell {
  if (!isCode(cell) || hasTag(cell, 'skip-execution')) return cell;
  return { ...cell, outputs: [], execution_count: null };
}
