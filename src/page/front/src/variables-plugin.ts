import { ILabShell, ILayoutRestorer, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ConsolePanel, IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { Widget } from '@lumino/widgets';
import { TableTabs } from './table-tabs.js';
import { VariablesPanel } from './variables-panel.js';

const SHOW = 'oddslab:show-variables';

/** A panel of the variables of the notebook or console in focus; one that has rows opens as a table in a tab. */
export const variables: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:variables',
  description: 'Shows the variables of a notebook, and those with rows as tables.',
  autoStart: true,
  requires: [ILabShell, INotebookTracker, IConsoleTracker],
  optional: [ICommandPalette, ILayoutRestorer],
  activate: (
    app,
    shell: ILabShell,
    notebooks: INotebookTracker,
    consoles: IConsoleTracker,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
  ) => {
    const tables = new TableTabs(shell, app.commands, restorer);
    const panel = new VariablesPanel((context, name) => tables.open(context, name));
    const follow = (widget: Widget | null): void => {
      if (widget instanceof NotebookPanel || widget instanceof ConsolePanel)
        panel.showOf(widget.title.label, widget.sessionContext);
    };
    shell.currentChanged.connect((_, { newValue }) => follow(newValue));
    const onOpened = (_: unknown, widget: NotebookPanel | ConsolePanel): void => {
      const { sessionContext: context, title } = widget;
      title.changed.connect(() => panel.rename(context, title.label));
      widget.disposed.connect(() => {
        if (panel.context === context) panel.showOf('', undefined);
      });
      context.kernelChanged.connect(() => tables.offer(context));
      tables.offer(context);
    };
    notebooks.widgetAdded.connect(onOpened);
    consoles.widgetAdded.connect(onOpened);
    shell.add(panel, 'right', { rank: 300 });
    restorer?.add(panel, 'oddslab-variables');
    app.commands.addCommand(SHOW, {
      label: 'Show Variables',
      caption: 'Show the variables of the notebook or console in focus.',
      execute: () => {
        shell.activateById(panel.id);
        panel.focusSearch();
      },
    });
    palette?.addItem({ command: SHOW, category: 'Oddslab' });
    void app.restored.then(() => {
      // What was open before its table came back was offered to nobody.
      const offer = ({ sessionContext }: NotebookPanel | ConsolePanel): void => tables.offer(sessionContext);
      notebooks.forEach(offer);
      consoles.forEach(offer);
      follow(shell.currentWidget);
    });
  },
};
