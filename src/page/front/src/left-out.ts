import type { JupyterLab } from '@jupyterlab/application';

/** The plugins of JupyterLab that do not start: they ask other machines, ask a server for what ours has not, or ours do it. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  // They fetch news and open a forum, elsewhere.
  '@jupyterlab/apputils-extension:announcements',
  '@jupyterlab/help-extension:jupyter-forum',
  // The licences stand in the package, in a file.
  '@jupyterlab/apputils-extension:licenses-client',
  '@jupyterlab/apputils-extension:licenses-plugin',
  '@jupyterlab/help-extension:licenses-commands',
  // The kernel itself completes and tells types; no language server runs beside it.
  '@jupyterlab/fileeditor-extension:language-server',
  '@jupyterlab/notebook-extension:language-server',
  '@jupyterlab/application-extension:logo',
  '@jupyterlab/application-extension:tree-resolver',
  '@jupyterlab/notebook-extension:cell-executor',
  '@jupyterlab/console-extension:cell-executor',
  '@jupyterlab/apputils-extension:settings',
  '@jupyterlab/apputils-extension:resolver',
  '@jupyterlab/services-extension:server-settings',
  '@jupyterlab/services-extension:user-manager',
  '@jupyterlab/notebook-extension:export',
  '@jupyterlab/vega5-extension:factory',
]);

/**
 * The plugins of JupyterLab that wait until a notebook can be used: parts of the status bar. Each of them also takes up
 * what is open when it starts; others that only listen for what is opened cannot wait.
 */
export const LATER: readonly string[] = [
  '@jupyterlab/apputils-extension:kernel-status',
  '@jupyterlab/console-extension:kernel-status',
  '@jupyterlab/notebook-extension:kernel-status',
  '@jupyterlab/apputils-extension:running-sessions-status',
  '@jupyterlab/filebrowser-extension:file-upload-status',
  '@jupyterlab/notebook-extension:cell-counter-status',
];

/** How long after the page's layout is there a notebook is given to open. */
const OPENED_MS = 1500;
/** The longest that a plugin waits for a moment in which nothing else happens. */
const LATEST_MS = 1000;

/** Starts them, one in each moment in which nothing else happens. */
export async function startLater(lab: JupyterLab): Promise<void> {
  await lab.restored;
  await new Promise((resolve) => setTimeout(resolve, OPENED_MS));
  for (const id of LATER) {
    await moment();
    await lab.activatePlugin(id).catch((error: unknown) => console.error(`Plugin '${id}' failed to activate.`, error));
  }
  // The status bar looks anew which of its items are of use for what is open.
  for (const widget of lab.shell.widgets('bottom')) widget.update();
}

/** Safari knows no idle moments. */
function moment(): Promise<unknown> {
  if (!('requestIdleCallback' in window)) return Promise.resolve();
  return new Promise((resolve) => requestIdleCallback(resolve, { timeout: LATEST_MS }));
}
