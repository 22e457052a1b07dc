import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { PageConfig } from '@jupyterlab/coreutils';

/**
 * Opens the document that the page's address names as soon as the page's layout is there. JupyterLab does so, too, but
 * first waits until it has saved that layout, about a second later, and then finds the document open. It is also the one
 * that says so where there is no such document.
 */
export const address: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:address',
  description: 'Opens the document of the address without waiting for anything that it does not need.',
  autoStart: true,
  activate: (app) => {
    const path = PageConfig.getOption('treePath');
    if (path !== '') void open(app, path).catch(() => undefined);
  },
};

async function open({ commands, restored, serviceManager }: JupyterFrontEnd, path: string): Promise<void> {
  const { type } = await serviceManager.contents.get(path, { content: false });
  await restored;
  if (type !== 'directory') await commands.execute('docmanager:open', { path });
}
