import { JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { PageConfig, PathExt } from '@jupyterlab/coreutils';

type Paths = Awaited<JupyterFrontEnd.ITreeResolver['paths']>;

/**
 * Opens the document that the page's address names as soon as the page's layout is there. JupyterLab would first wait
 * until it has saved that layout, about a second later. It still shows the document's folder then, opens folders, and
 * says where there is nothing of that name.
 */
export const address: JupyterFrontEndPlugin<JupyterFrontEnd.ITreeResolver> = {
  id: 'oddslab:address',
  description: 'Opens the document of the address without waiting for anything that it does not need.',
  autoStart: true,
  provides: JupyterFrontEnd.ITreeResolver,
  activate: (app) => {
    const path = PageConfig.getOption('treePath');
    const browser = new URLSearchParams(location.search).get('file-browser-path') ?? '';
    const isDocument = path === '' ? Promise.resolve(false) : namesDocument(app, path);
    const paths = isDocument.then(
      (is): Paths => (is ? { browser: browser || PathExt.dirname(path) || '/', file: '' } : { browser, file: path }),
    );
    void open(app, path, isDocument);
    return { paths };
  },
};

async function namesDocument({ serviceManager }: JupyterFrontEnd, path: string): Promise<boolean> {
  const found = await serviceManager.contents.get(path, { content: false }).catch(() => undefined);
  return found !== undefined && found.type !== 'directory';
}

async function open(
  { commands, restored }: JupyterFrontEnd,
  path: string,
  isDocument: Promise<boolean>,
): Promise<void> {
  if (!(await isDocument)) return;
  await restored;
  // It says itself what goes wrong.
  await commands.execute('docmanager:open', { path }).catch(() => undefined);
}
