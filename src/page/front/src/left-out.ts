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
  '@jupyterlab/apputils-extension:settings',
  '@jupyterlab/apputils-extension:resolver',
  '@jupyterlab/services-extension:server-settings',
  '@jupyterlab/services-extension:user-manager',
  '@jupyterlab/notebook-extension:export',
  '@jupyterlab/vega5-extension:factory',
]);
