import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IWindowResolver } from '@jupyterlab/apputils';
import { PageConfig, URLExt } from '@jupyterlab/coreutils';

/** How long after a first attempt a workspace may be free: a page that is being loaded anew has just left it. */
const LEAVING_MS = 200;

/**
 * Gives each tab a workspace of its own: the one that its address names, or a new one where another tab has that. The
 * browser itself knows which are taken. JupyterLab would ask other tabs and wait up to half a second for their answers.
 */
export const windowName: JupyterFrontEndPlugin<IWindowResolver> = {
  id: 'oddslab:window-name',
  description: 'Gives each tab a workspace of its own.',
  autoStart: true,
  provides: IWindowResolver,
  activate: async () => {
    const name = PageConfig.getOption('workspace') || PageConfig.defaultWorkspace;
    if ((await take(name)) || (await later(() => take(name)))) return { name };
    location.replace(newAddress());
    // Nothing more starts in the page that is being left.
    return new Promise<never>(() => {});
  },
};

/**
 * Takes a workspace until the page is left, unless another tab has it; returns whether it did. Under an address that the
 * browser does not count as safe, such as a machine's name without HTTPS, nobody knows, and two tabs may share one.
 */
function take(name: string): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (lock: Lock | null): Promise<never> | undefined => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise<never>(() => {});
    };
    navigator.locks.request(`oddslab:workspace:${name}`, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}

function later<Value>(then: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve) => setTimeout(() => resolve(then()), LEAVING_MS));
}

/** The address of what is shown, in a new workspace. */
function newAddress(): string {
  const mode = PageConfig.getOption('mode') === 'single-document' ? 'doc' : 'lab';
  const shown = PageConfig.getOption('treePath');
  const workspace = `/${mode}/workspaces/auto-${Math.random().toString(36).slice(2, 8)}`;
  // What was once kept under its name is not shown.
  const query = URLExt.objectToQueryString({ ...URLExt.queryStringToObject(location.search), reset: '1' });
  return `${workspace}${shown && `/tree/${URLExt.encodeParts(shown)}`}${query}${location.hash}`;
}
