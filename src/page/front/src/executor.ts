import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { ISessionContext } from '@jupyterlab/apputils';
import { type Cell, CodeCell } from '@jupyterlab/cells';
import { INotebookCellExecutor, runCell } from '@jupyterlab/notebook';

type RunOptions = INotebookCellExecutor.IRunCellOptions;

/** Runs cells as JupyterLab does, which drops in silence those whose kernel is starting: here they wait for it. */
export const executor: JupyterFrontEndPlugin<INotebookCellExecutor> = {
  id: 'oddslab:cell-executor',
  description: 'Runs cells, also while their kernel is starting.',
  autoStart: true,
  provides: INotebookCellExecutor,
  activate: () => ({ runCell: runOnceReady }),
};

const NONE = 'The cell did not run: the notebook has no kernel. Choose one in the menu Kernel, then run it again.';
const DEAD = 'The cell did not run: its kernel has ended. Restart the kernel, then run it again.';
const ENDED = 'The kernel has ended before the cell was done; everything that the cells had defined is gone.';

async function runOnceReady(options: RunOptions): Promise<boolean> {
  const { cell, sessionContext: context } = options;
  if (!(cell instanceof CodeCell) || !context || context.pendingInput) return runCell(options);
  if (cell.model.sharedModel.getSource().trim() === '') return runCell(options);
  if (isChanging(context) || context.hasNoKernel) {
    cell.model.executionState = 'running';
    await startOf(context, options);
  }
  if (cell.isDisposed) return false;
  const kernel = context.session?.kernel;
  if (!kernel || kernel.status === 'dead') return refuse(options, kernel ? DEAD : NONE);
  const isDone = await runCell(options);
  if (!isDone && !cell.isDisposed && kernel.isDisposed) tell(cell, ENDED);
  return isDone;
}

/** Whether a kernel is on its way, or on its way out, after which another one can start: a cell can wait for it. */
function isChanging({ session, isRestarting, kernelDisplayStatus: status }: ISessionContext): boolean {
  if (isRestarting || (!session?.kernel && status === 'initializing')) return true;
  return /^(starting|restarting|autorestarting|terminating)$/.test(status);
}

const starts = new WeakMap<ISessionContext, Promise<void>>();

/** Resolves once a notebook has a kernel that can run cells, or has none for good. All waiting cells share one start. */
function startOf(context: ISessionContext, options: RunOptions): Promise<void> {
  const begun = starts.get(context) ?? start(context, options).finally(() => starts.delete(context));
  starts.set(context, begun);
  return begun;
}

async function start(context: ISessionContext, { sessionDialogs }: RunOptions): Promise<void> {
  await settled(context);
  if (!context.hasNoKernel || context.isDisposed) return;
  const mustAsk = await context.startKernel();
  if (mustAsk) await sessionDialogs?.selectKernel(context);
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
    // Where JupyterLab cannot choose a kernel, it asks for one, which changes no status.
    context.initialize().then((mustAsk) => mustAsk && finish(), finish);
    check();
  });
}

/** Says in a cell why it did not run. */
function refuse({ cell, onCellExecuted }: RunOptions, why: string): false {
  if (cell instanceof CodeCell) cell.model.clearExecution();
  tell(cell, why);
  onCellExecuted({ cell, success: false });
  return false;
}

function tell(cell: Cell, text: string): void {
  if (!(cell instanceof CodeCell)) return;
  cell.model.executionState = 'idle';
  cell.model.outputs.add({ output_type: 'stream', name: 'stderr', text: `${text}\n` });
}
