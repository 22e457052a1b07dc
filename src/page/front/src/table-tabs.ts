import type { ILabShell, ILayoutRestorer } from '@jupyterlab/application';
import { type ISessionContext, MainAreaWidget, WidgetTracker } from '@jupyterlab/apputils';
import { PathExt } from '@jupyterlab/coreutils';
import { spreadsheetIcon } from '@jupyterlab/ui-components';
import type { CommandRegistry } from '@lumino/commands';
import { UUID } from '@lumino/coreutils';
import { TableView } from './table-view.js';

type Tab = MainAreaWidget<TableView>;

/** What is kept of a tab, so that it comes back after a reload. */
interface Kept {
  readonly id: string;
  readonly name: string;
  /** Of the notebook or console; the kernel's id, too, since a path may be another notebook's by then. */
  readonly path: string;
  readonly kernel?: string;
}

const RESTORE = 'oddslab:restore-table';

/** The tabs of the main area that show variables as tables. */
export class TableTabs {
  readonly #shell: ILabShell;
  readonly #tracker = new WidgetTracker<Tab>({ namespace: 'oddslab-tables' });
  /** Where the tabs that came back after a reload belong; they wait until it is open. */
  readonly #waiting = new Map<Tab, Kept>();
  readonly #paths = new WeakMap<Tab, string>();

  constructor(shell: ILabShell, commands: CommandRegistry, restorer: ILayoutRestorer | null) {
    this.#shell = shell;
    commands.addCommand(RESTORE, { execute: (args) => this.#restore(args as unknown as Kept) });
    void restorer?.restore(this.#tracker, {
      command: RESTORE,
      args: (tab) => ({ ...this.#keptOf(tab) }),
      name: ({ id }) => id,
    });
  }

  /** Opens a variable as a table beside its notebook, or shows the tab in which it is open already. */
  open(context: ISessionContext, name: string): void {
    const isOpen = ({ content }: Tab): boolean => content.context === context && content.name === name;
    const tab = this.#tracker.find(isOpen) ?? this.#add(`oddslab-table-${UUID.uuid4()}`, name, 'tab-after');
    if (!tab.content.context) tab.content.bind(context);
    this.#shell.activateById(tab.id);
  }

  /** Gives the tabs that wait for a notebook or console what has opened, or has got a kernel. */
  offer(context: ISessionContext): void {
    const kernel = context.session?.kernel?.id;
    this.#tracker.forEach((tab) => {
      const { content } = tab;
      if (content.context) return;
      const kept = this.#waiting.get(tab);
      const isKernel = kernel !== undefined && kernel === content.kernelId;
      const isSame = kept && (kept.kernel === undefined || kernel !== undefined) && kept.path === context.path;
      if (!isKernel && !isSame && (kernel === undefined || kernel !== kept?.kernel)) return;
      this.#waiting.delete(tab);
      content.bind(context);
    });
  }

  #restore(kept: Kept): Tab {
    const tab = this.#add(kept.id, kept.name);
    this.#waiting.set(tab, kept);
    this.#paths.set(tab, kept.path);
    this.#entitle(tab);
    tab.content.await(`The rows of ${kept.name} come once ${PathExt.basename(kept.path)} is open and has made it.`);
    return tab;
  }

  #add(id: string, name: string, mode?: 'tab-after'): Tab {
    const tab: Tab = new MainAreaWidget({ content: new TableView(name) });
    tab.toolbar.hide();
    tab.id = id;
    tab.title.icon = spreadsheetIcon;
    tab.title.closable = true;
    tab.content.moved.connect(() => {
      this.#entitle(tab);
      void this.#tracker.save(tab);
    });
    tab.disposed.connect(() => this.#waiting.delete(tab));
    this.#entitle(tab);
    this.#shell.add(tab, 'main', mode && { mode });
    void this.#tracker.add(tab);
    return tab;
  }

  /** Tables of the same name, of several notebooks, are told apart by their labels. */
  #entitle(tab: Tab): void {
    const { context, name } = tab.content;
    if (context?.path) this.#paths.set(tab, context.path);
    const of = context?.name || PathExt.basename(this.#paths.get(tab) ?? '');
    tab.title.label = of === '' ? name : `${name} · ${of.replace(/\.ipynb$/, '')}`;
    tab.title.caption = of === '' ? `The rows of ${name}` : `The rows of ${name}, of ${of}`;
  }

  #keptOf(tab: Tab): Kept {
    const { name, kernelId } = tab.content;
    const kernel = kernelId ?? this.#waiting.get(tab)?.kernel;
    return { id: tab.id, name, path: this.#paths.get(tab) ?? '', ...(kernel !== undefined && { kernel }) };
  }
}
