import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, showErrorMessage } from '@jupyterlab/apputils';
import { PathExt, URLExt } from '@jupyterlab/coreutils';
import { IMainMenu } from '@jupyterlab/mainmenu';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { ServerConnection } from '@jupyterlab/services';
import { downloadIcon, MenuSvg } from '@jupyterlab/ui-components';
import type { CommandRegistry } from '@lumino/commands';
import { Widget } from '@lumino/widgets';

const EXPORT = 'oddslab:export';

/** Where the submenu stands in the file menu: as JupyterLab's own exports do, behind downloading. */
const MENU_RANK = 10;

/** What a notebook can be exported to: its name for people, how the server calls it, and how the file's name ends. */
const FORMATS = {
  html: { label: 'HTML', route: 'html', query: '', ending: '.html' },
  'html-no-code': { label: 'HTML without code', route: 'html', query: '&code=false', ending: '.html' },
  script: { label: 'TypeScript (.ts)', route: 'script', query: '', ending: '.ts' },
} as const;

type Format = keyof typeof FORMATS;

/** Exports of the notebook to HTML, with and without code, and to TypeScript: in menu, palette and toolbar. */
export const exports: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:exports',
  description: 'Exports notebooks to HTML, with and without code, and to TypeScript.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [IMainMenu, ICommandPalette],
  activate: (
    { commands, serviceManager, shell },
    notebooks: INotebookTracker,
    menus: IMainMenu | null,
    palette: ICommandPalette | null,
  ) => {
    commands.addCommand(EXPORT, {
      label: ({ format, isPalette }) => {
        const { label } = FORMATS[format as Format] ?? { label: 'the given format' };
        return isPalette ? `Save and Export Notebook: ${label}` : label;
      },
      isEnabled: () => notebooks.currentWidget !== null && notebooks.currentWidget === shell.currentWidget,
      execute: async ({ format }) => {
        const panel = notebooks.currentWidget;
        if (panel) await exported(panel, format as Format, serviceManager.serverSettings);
      },
    });
    const formats = Object.keys(FORMATS) as Format[];
    const submenu = menuOf(commands, formats);
    submenu.title.label = 'Save and Export Notebook As';
    menus?.fileMenu.addGroup([{ type: 'submenu', submenu }], MENU_RANK);
    for (const format of formats) {
      palette?.addItem({ command: EXPORT, category: 'Notebook Operations', args: { format, isPalette: true } });
    }
    notebooks.widgetAdded.connect(async (_, panel) => {
      const button = exportButton(commands, formats);
      // The other buttons are there by then.
      await panel.context.ready;
      if (panel.isDisposed) return;
      if (!panel.toolbar.insertBefore('spacer', 'export', button)) panel.toolbar.addItem('export', button);
    });
  },
};

function menuOf(commands: CommandRegistry, formats: readonly Format[]): MenuSvg {
  const menu = new MenuSvg({ commands });
  for (const format of formats) menu.addItem({ command: EXPORT, args: { format } });
  return menu;
}

/**
 * The toolbar's button, which opens a menu of the formats. It is a plain button: those of JupyterLab's own tell screen
 * readers that they are pressed or not, which a button of a menu is not.
 */
function exportButton(commands: CommandRegistry, formats: readonly Format[]): Widget {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'oddslab-export';
  button.title = 'Save and export this notebook';
  button.setAttribute('aria-label', button.title);
  button.setAttribute('aria-haspopup', 'menu');
  downloadIcon.element({ container: button, stylesheet: 'toolbarButton' });
  const choices = menuOf(commands, formats);
  button.addEventListener('click', () => {
    const { left, bottom } = button.getBoundingClientRect();
    choices.open(left, bottom);
  });
  const widget = new Widget();
  widget.node.append(button);
  widget.disposed.connect(() => choices.dispose());
  return widget;
}

/** Saves a notebook, lets the server export it and hands the file to the browser; tells what went wrong, if anything. */
async function exported(
  { context }: NotebookPanel,
  format: Format,
  settings: ServerConnection.ISettings,
): Promise<void> {
  const { label, route, query, ending } = FORMATS[format];
  try {
    if (context.model.dirty && !context.model.readOnly) await context.save();
    const path = URLExt.join(settings.baseUrl, 'nbconvert', route, URLExt.encodeParts(context.path));
    const answer = await ServerConnection.makeRequest(`${path}?download=true${query}`, {}, settings);
    if (!answer.ok) throw await ServerConnection.ResponseError.create(answer);
    const name = PathExt.basename(context.path);
    download(await answer.blob(), `${name.slice(0, -PathExt.extname(name).length)}${ending}`);
  } catch (error) {
    await showErrorMessage(`Cannot export the notebook as ${label}`, error as Error);
  }
}

function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has it by then; at once would be too early for some.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
