import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';

/**
 * Starts a notebook's kernel as soon as its cells are there. JupyterLab first waits for the notebook's checkpoint; a cell
 * that was run meanwhile would ask which kernel to take, as only then it reads which one the notebook names.
 */
export const kernelStart: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:kernel-start',
  description: 'Starts the kernel of a notebook without waiting for its checkpoint.',
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_, notebooks: INotebookTracker) => {
    notebooks.widgetAdded.connect((_sender, panel) => void start(panel));
  },
};

async function start({ context }: NotebookPanel): Promise<void> {
  await context.ready;
  if (context.isDisposed) return;
  const { model, sessionContext } = context;
  const { kernelPreference } = sessionContext;
  const name = model.defaultKernelName || kernelPreference.name;
  sessionContext.kernelPreference = {
    ...kernelPreference,
    language: model.defaultKernelLanguage,
    ...(name !== undefined && { name }),
  };
  // JupyterLab calls it, too, gets the same promise, and asks where no kernel can be chosen.
  await sessionContext.initialize().catch(() => undefined);
}
