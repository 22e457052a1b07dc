import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { ISessionContext } from '@jupyterlab/apputils';
import { type Cell, CodeCell } from '@jupyterlab/cells';
import { CodeConsole, IConsoleCellExecutor, runCell as runInConsole } from '@jupyterlab/console';
import { INotebookCellExecutor, runCell } from '@jupyterlab/notebook';
import type { Widget } from '@lumino/widgets';

type RunOptions = INotebookCellExecutor.IRunCellOptions;
type SessionDialogs = RunOptions['sessionDialogs'];

/** Runs cells as JupyterLab does, which drops in silence those whose kernel is starting: here they wait for it. */
export const executor: JupyterFrontEndPlugin<INotebookCellExecutor> = {
  id: 'oddslab:cell-executor',
  description: 'Runs cells, also while their kernel is starting.',
  autoStart: true,
  provides: INotebookCellExecutor,
  activate: () => ({ runCell: runOnceReady }),
};

/** Runs what is entered into consoles in the same way. */
export const consoleExecutor: JupyterFrontEndPlugin<IConsoleCellExecutor> = {
  id: 'oddslab:console-cell-executor',
  description: 'Runs what is entered into a console, also while its kernel is starting.',
  autoStart: true,
  provides: IConsoleCellExecutor,
  activate: () => ({ runCell: enterOnceReady }),
};

const NONE = 'The cell did not run: it has no kernel. Choose one in the menu Kernel, then run it again.';
const DEAD = 'The cell did not run: its kernel has ended. Restart the kernel, then run it again.';
const ENDED = 'The kernel has ended before the cell was done; everything that the cells had defined is gone.';

async function runOnceReady(options: RunOptions): Promise<boolean> {
  const { cell, sessionContext: context } = options;
  if (!(cell instanceof CodeCell) || !context || context.pendingInput) return runCell(options);
  if (cell.model.sharedModel.getSource().trim() === '') return runCell(options);
  await kernelFor(cell, context, options.sessionDialogs);
  if (cell.isDisposed) return false;
  const why = whyNot(context);
  if (why !== undefined) {
    refuse(cell, why);
    options.onCellExecuted({ cell, success: false });
    return false;
  }
  const kernel = context.session?.kernel;
  const isDone = await runCell(options);
  if (!isDone && !cell.isDisposed && kernel?.isDisposed) tell(cell, ENDED);
  return isDone;
}

async function enterOnceReady(options: IConsoleCellExecutor.IRunCellOptions): Promise<boolean> {
  const { cell, sessionContext: context } = options;
  const source = cell.model.sharedModel.getSource();
  const entered = consoleOf(cell);
  await kernelFor(cell, context, undefined);
  if (cell.isDisposed) {
    // A console whose first kernel comes clears itself: what was entered until then is entered anew.
    if (entered && !entered.isDisposed && !context.isDisposed) void entered.inject(source);
    // What ran it reads the cell once this ends, and would fail.
    return new Promise(() => undefined);
  }
  const why = whyNot(context);
  if (why === undefined) return runInConsole(options);
  refuse(cell, why);
  options.onCellExecuted({ cell, executionDate: new Date(), success: false });
  return false;
}

function consoleOf(cell: Cell): CodeConsole | undefined {
  for (let at: Widget | null = cell; at; at = at.parent) if (at instanceof CodeConsole) return at;
  return undefined;
}

/** Waits for the kernel of a cell if that is on its way, or starts one if there is none. */
async function kernelFor(cell: CodeCell, context: ISessionContext, dialogs: SessionDialogs): Promise<void> {
  if (!isChanging(context) && !context.hasNoKernel) return;
  cell.model.executionState = 'running';
  await startOf(context, dialogs);
}

/** Why no cell can run with what kernel there is now. */
function whyNot({ session }: ISessionContext): string | undefined {
  if (!session?.kernel) return NONE;
  return session.kernel.status === 'dead' ? DEAD : undefined;
}

/** Whether a kernel is on its way, or on its way out, after which another one can start: a cell can wait for it. */
function isChanging({ session, isRestarting, kernelDisplayStatus: status }: ISessionContext): boolean {
  if (isRestarting || (!session?.kernel && status === 'initializing')) return true;
  return /^(starting|restarting|autorestarting|terminating)$/.test(status);
}

const starts = new WeakMap<ISessionContext, Promise<void>>();

/** Resolves once a notebook has a kernel that can run cells, or has none for good. All cells that wait share one start. */
function startOf(context: ISessionContext, dialogs: SessionDialogs): Promise<void> {
  const begun = starts.get(context) ?? start(context, dialogs).finally(() => starts.delete(context));
  starts.set(context, begun);
  return begun;
}

async function start(context: ISessionContext, dialogs: SessionDialogs): Promise<void> {
  await settled(context);
  if (!context.hasNoKernel || context.isDisposed) return;
  const mustAsk = await context.startKernel();
  if (mustAsk) await dialogs?.selectKernel(context);
  await settled(context);
}

/** Resolves once no kernel is on its way any more, nor on its way out. */
function settled(context: ISessionContext): Promise<void> {
  return new Promise((resolve) => {
    const signals = [context.statusChanged, context.connectionStatusChanged, context.kernelChanged, context.disposed];
    const finish = (): void => {
      for (const signal of signals) signal.disconnect(check);
      resolve();
    };
    const check = (): void => {
      if (context.isDisposed || !isChanging(context)) finish();
    };
    for (const signal of signals) signal.connect(check);
    // Where JupyterLab cannot choose a kernel, it asks for one, which changes no status until one is chosen.
    context.initialize().then((mustAsk) => mustAsk && context.hasNoKernel && finish(), finish);
    check();
  });
}

/** Says in a cell why it did not run. */
function refuse(cell: CodeCell, why: string): void {
  cell.model.clearExecution();
  tell(cell, why);
}

function tell(cell: CodeCell, text: string): void {
  cell.model.executionState = 'idle';
  cell.model.outputs.add({ output_type: 'stream', name: 'stderr', text: `${text}\n` });
}
