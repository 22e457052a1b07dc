import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { ISessionContext } from '@jupyterlab/apputils';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { SessionAPIClient } from '@jupyterlab/services/lib/session/restapi';
import { KERNEL_NAME } from './code-cells.js';

/**
 * Starts a notebook's kernel as soon as its cells are there. JupyterLab first waits for the notebook's checkpoint; a cell
 * that was run meanwhile would ask which kernel to take, as only then it reads which one the notebook names.
 */
export const kernelStart: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:kernel-start',
  description: 'Starts the kernel of a notebook without waiting for its checkpoint.',
  autoStart: true,
  requires: [INotebookTracker],
  activate: ({ serviceManager: { serverSettings } }, notebooks: INotebookTracker) => {
    const sessions = new SessionAPIClient({ serverSettings });
    const known = new WeakSet<object>();
    notebooks.widgetAdded.connect((_sender, { context }) => {
      // Several views may show one notebook.
      if (!known.has(context)) start(context, sessions);
      known.add(context);
    });
  },
};

function start(context: NotebookPanel['context'], sessions: SessionAPIClient): void {
  const { sessionContext } = context;
  const initialize = sessionContext.initialize.bind(sessionContext);
  const begun = context.ready.then(() => prepared(context, sessions));
  // JupyterLab calls it, too: before there is a session it would begin another.
  sessionContext.initialize = async () => {
    const id = await begun;
    if (context.isDisposed) {
      // Closed meanwhile: what is to end with the notebook ends.
      if (id !== undefined && sessionContext.kernelPreference.shutdownOnDispose)
        await sessions.shutdown(id).catch(() => undefined);
      return false;
    }
    const asks = await initialize();
    await follow(context);
    return asks;
  };
  sessionContext.initialize().catch(() => undefined);
}

/** Gives the session the notebook's path, which it may have got while the session began: JupyterLab tells it later ones. */
async function follow({ localPath, sessionContext: { session } }: NotebookPanel['context']): Promise<void> {
  if (!session || session.path === localPath) return;
  await session.setPath(localPath);
  await session.setName(localPath.slice(localPath.lastIndexOf('/') + 1));
}

/** @returns The id of the session that was begun; undefined if none was. */
async function prepared(
  { isDisposed, model, sessionContext }: NotebookPanel['context'],
  sessions: SessionAPIClient,
): Promise<string | undefined> {
  if (isDisposed) return undefined;
  const { kernelPreference } = sessionContext;
  const name = model.defaultKernelName || kernelPreference.name;
  sessionContext.kernelPreference = {
    ...kernelPreference,
    language: model.defaultKernelLanguage,
    ...(name !== undefined && { name }),
  };
  return begin(sessionContext, sessions);
}

/**
 * Begins the session of a notebook with our kernel, or finds the one that it has; JupyterLab then joins it. By itself it
 * would begin one under a name that nobody has, look for it, and give it the notebook's path and name, one after another.
 */
async function begin(
  { kernelPreference, path, name, type }: ISessionContext,
  sessions: SessionAPIClient,
): Promise<string | undefined> {
  const { id, name: kernel, shouldReuse, shouldStart, canStart } = kernelPreference;
  const mayStart = shouldReuse !== false && shouldStart !== false && canStart !== false;
  if (kernel !== KERNEL_NAME || id !== undefined || !mayStart) return undefined;
  // Whatever is wrong, JupyterLab meets it, too, and says so.
  const begun = sessions.startNew({ path, name, type, kernel: { name: kernel } });
  return begun.then((session) => session.id).catch(() => undefined);
}
