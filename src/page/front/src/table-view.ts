import type { ISessionContext } from '@jupyterlab/apputils';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { kernelOf, watchKernel } from './kernel-variables.js';
import { TableGrid } from './table-grid.js';
import { TableRows } from './table-rows.js';

/** How long after the last key the filter counts. */
const PAUSE_MS = 250;
/** How long after it said that it cannot answer yet the kernel is asked again. */
const BUSY_MS = 1000;

const FILTERS = `Keeps rows in which any cell contains the text.
With a column's name it compares: pnl > 5, wallet = "0xa", date >= 2025-11-05. Signs: = != < <= > >=`;

/**
 * A variable's rows as a table that can be sorted and filtered. It follows its value: after each cell it asks anew. Where
 * its notebook or console is closed, it waits for another on the same kernel.
 */
export class TableView extends Widget {
  /** The variable's name. */
  readonly name: string;
  /** Emitted when what it belongs to has another name, path or kernel. */
  readonly moved = new Signal<this, void>(this);
  readonly #rows: TableRows;
  readonly #grid: TableGrid;
  readonly #status = document.createElement('span');
  #context: ISessionContext | undefined;
  #bound: IDisposable | undefined;
  #kernelId: string | undefined;
  #typing: number | undefined;
  #retrying: number | undefined;

  constructor(name: string) {
    super();
    this.name = name;
    this.addClass('oddslab-table');
    // No landmark: two notebooks may each have a variable of this name.
    this.node.setAttribute('role', 'group');
    this.node.setAttribute('aria-label', `Rows of ${name}`);
    this.#rows = new TableRows(
      name,
      () => this.#context && kernelOf(this.#context),
      () => this.#draw(),
    );
    this.#grid = new TableGrid(this.#rows, {
      label: `Rows of ${name}`,
      onSort: (sort) => this.#reorder(() => Object.assign(this.#rows.order, { sort })),
    });
    this.#status.setAttribute('role', 'status');
    this.node.append(this.#bar(), this.#grid.node);
  }

  /** The session whose variable it shows; undefined while it waits for one. */
  get context(): ISessionContext | undefined {
    return this.#context;
  }

  /** The kernel that has, or had, the variable. */
  get kernelId(): string | undefined {
    return this.#kernelId;
  }

  /** Shows the variable of this session from now on. */
  bind(context: ISessionContext): void {
    this.#bound?.dispose();
    this.#context = context;
    this.#kernelId = context.session?.kernel?.id ?? this.#kernelId;
    const watch = watchKernel(context, {
      onRun: () => this.#refresh(),
      onLost: () => this.#rows.lose(`The kernel has restarted: run the cells again that make ${this.name}.`),
    });
    const onKernel = (): void => {
      this.#kernelId = context.session?.kernel?.id ?? this.#kernelId;
      this.moved.emit();
    };
    const onMoved = (): void => this.moved.emit();
    const onClosed = (): void =>
      this.await(`Its notebook was closed: open it again, and the rows of ${this.name} come back.`);
    context.kernelChanged.connect(onKernel);
    context.propertyChanged.connect(onMoved);
    context.disposed.connect(onClosed);
    this.#bound = new DisposableDelegate(() => {
      watch.dispose();
      context.kernelChanged.disconnect(onKernel);
      context.propertyChanged.disconnect(onMoved);
      context.disposed.disconnect(onClosed);
    });
    void context.ready.then(() => {
      if (context === this.#context) this.#refresh();
    });
    this.moved.emit();
    this.#rows.expect();
    this.#refresh();
  }

  /** Shows no rows and why, until it is bound. */
  await(why: string): void {
    this.#bound?.dispose();
    this.#bound = undefined;
    this.#context = undefined;
    this.#rows.lose(why);
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.#bound?.dispose();
    window.clearTimeout(this.#typing);
    window.clearTimeout(this.#retrying);
    Signal.clearData(this);
    super.dispose();
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.#refresh();
  }

  protected override onAfterAttach(message: Message): void {
    super.onAfterAttach(message);
    this.#refresh();
  }

  protected override onResize(message: Widget.ResizeMessage): void {
    super.onResize(message);
    this.#grid.draw();
  }

  protected override onActivateRequest(message: Message): void {
    super.onActivateRequest(message);
    this.#grid.focus();
  }

  #bar(): HTMLElement {
    const bar = document.createElement('div');
    bar.className = 'oddslab-table-bar';
    const filter = document.createElement('input');
    filter.type = 'search';
    filter.className = 'jp-mod-styled';
    filter.placeholder = 'Filter: text, or pnl > 5';
    filter.title = FILTERS;
    filter.setAttribute('aria-label', `Filter the rows of ${this.name}`);
    filter.setAttribute('aria-description', FILTERS);
    filter.addEventListener('input', () => {
      window.clearTimeout(this.#typing);
      this.#typing = window.setTimeout(
        () => this.#reorder(() => Object.assign(this.#rows.order, { filter: filter.value.trim() })),
        PAUSE_MS,
      );
    });
    bar.append(filter, this.#status);
    return bar;
  }

  #reorder(change: () => void): void {
    change();
    if (this.#context) void this.#rows.reorder();
    this.#grid.toTop();
  }

  #refresh(): void {
    if (this.isVisible && this.#context) void this.#rows.refresh(this.#grid.firstRow);
  }

  #draw(): void {
    const { total, matched, whyNone, why, isBusy } = this.#rows;
    const all = `${total.toLocaleString('en-US')} ${total === 1 ? 'row' : 'rows'}`;
    const left = `${matched.toLocaleString('en-US')} of ${all}${whyNone === undefined ? '' : `: ${whyNone}`}`;
    this.#status.textContent = why ?? (matched === total ? all : left);
    window.clearTimeout(this.#retrying);
    if (isBusy) this.#retrying = window.setTimeout(() => this.#refresh(), BUSY_MS);
    this.#grid.draw();
  }
}
