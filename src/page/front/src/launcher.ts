import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { PathExt, URLExt } from '@jupyterlab/coreutils';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { ILauncher } from '@jupyterlab/launcher';
import { type Contents, ServerConnection } from '@jupyterlab/services';
import { LabIcon, notebookIcon } from '@jupyterlab/ui-components';
import { DisposableSet } from '@lumino/disposable';
import picture from '../../../kernel/install/logo-svg.svg';

const BEGIN = 'oddslab:begin';

/** The section's name in the launcher and in the palette. */
const SECTION = 'Oddslab';

/** Behind new notebooks, before consoles. */
const SECTION_RANK = 10;

/** How long after its start the page asks what the palette offers, unless a launcher was opened before. */
const PALETTE_AFTER_MS = 2000;

/** What the server offers to begin with: a new notebook on the data at hand, or one that is there. */
interface Starter {
  readonly title: string;
  readonly caption: string;
  readonly name?: string;
  readonly notebook?: object;
  readonly path?: string;
}

/** A section of the launcher, also in the palette, with notebooks on the data at hand and the example notebooks. */
export const launcher: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:launcher',
  description: 'Offers notebooks on the data at hand, and the example notebooks, in the launcher.',
  autoStart: true,
  requires: [ILauncher],
  optional: [ICommandPalette, IDefaultFileBrowser],
  activate: (app, cards: ILauncher, palette: ICommandPalette | null, files: IDefaultFileBrowser | null) => {
    let starters: readonly Starter[] = [];
    let shown = new DisposableSet();
    const icon = new LabIcon({ name: 'oddslab:logo', svgstr: picture });
    const starterOf = ({ title }: { title?: unknown }) => starters.find((starter) => starter.title === title);
    app.commands.addCommand(BEGIN, {
      label: (args) => starterOf(args)?.title ?? 'Begin with a notebook on the data at hand',
      caption: (args) => starterOf(args)?.caption ?? '',
      icon: (args) => (args.isPalette ? undefined : starterOf(args)?.path === undefined ? icon : notebookIcon),
      execute: async (args) => {
        const starter = starterOf(args);
        if (!starter) throw new Error(`There is nothing named ${args.title} to begin with.`);
        const folder = typeof args.cwd === 'string' ? args.cwd : (files?.model.path ?? '');
        const path = starter.path ?? (await written(app.serviceManager.contents, starter, folder));
        return app.commands.execute('docmanager:open', { path, factory: 'Notebook' });
      },
    });
    const refresh = async () => {
      starters = await offered(app);
      shown.dispose();
      shown = new DisposableSet();
      for (const [rank, { title }] of starters.entries()) {
        const item = { command: BEGIN, category: SECTION, args: { title } };
        shown.add(cards.add({ ...item, rank, categoryRank: SECTION_RANK }));
        if (palette) shown.add(palette.addItem({ ...item, args: { title, isPalette: true } }));
      }
    };
    // Whatever is wrong with the server, JupyterLab itself tells; the cards stay as they were.
    const tryRefresh = () => void refresh().catch((error) => console.warn('The launcher has no new cards:', error));
    app.commands.commandExecuted.connect((_, { id }) => {
      if (id === 'launcher:create') tryRefresh();
    });
    // For the palette, which nobody opens first: the server has more urgent things to do.
    void app.restored.then(() => setTimeout(tryRefresh, PALETTE_AFTER_MS));
  },
};

/** Asks the server what it offers now. */
async function offered({ serviceManager }: JupyterFrontEnd): Promise<readonly Starter[]> {
  const { serverSettings } = serviceManager;
  const url = URLExt.join(serverSettings.baseUrl, 'oddslab/api/data');
  const answer = await ServerConnection.makeRequest(url, {}, serverSettings);
  if (!answer.ok) throw await ServerConnection.ResponseError.create(answer);
  return (await answer.json()).starters;
}

/** Writes a starter's notebook into a folder, under a name that is free there, and returns its path. */
async function written(contents: Contents.IManager, { name, notebook }: Starter, folder: string): Promise<string> {
  const { content } = await contents.get(folder);
  const taken = new Set((content as Contents.IModel[]).map((file) => file.name));
  let free = `${name}.ipynb`;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}.ipynb`;
  const path = PathExt.join(folder, free);
  await contents.save(path, { type: 'notebook', format: 'json', content: notebook });
  return path;
}
