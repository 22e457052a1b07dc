import type { ISessionContext } from '@jupyterlab/apputils';
import { variableIcon } from '@jupyterlab/ui-components';
import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import { kernelOf, type Variable, variablesOf, watchKernel } from './kernel-variables.js';

/** The most rows that are shown at once; the search narrows the rest. */
const MOST_ROWS = 500;
/** How long after a cell's end the variables are asked for: several cells may end at once. */
const PAUSE_MS = 60;
/** How long after an answer that left values untold, for want of time, they are asked for again, and how often at most. */
const AGAIN_MS = 400;
const MOST_AGAIN = 3;

const NO_NOTEBOOK = 'Open a notebook or a console, and its variables are listed here.';
const NOTHING_YET = 'No variables yet: run a cell that declares some.';
const RESTARTED = 'The kernel has restarted, and its variables are gone: run the cells again.';
const NO_KERNEL = 'No kernel is running: its variables are listed here once one is.';

/** The list of variables in the sidebar: name, type, and value or shape. */
export class VariablesPanel extends Widget {
  readonly #open: (context: ISessionContext, name: string) => void;
  readonly #search = document.createElement('input');
  readonly #note = document.createElement('p');
  readonly #of = document.createElement('p');
  readonly #grid = document.createElement('table');
  #context: ISessionContext | undefined;
  #watch: IDisposable | undefined;
  #variables: readonly Variable[] = [];
  #why = NO_NOTEBOOK;
  /** The name of the row that the keyboard is at. */
  #active: string | undefined;
  #timer: number | undefined;
  /** Counts the questions, so that an answer that was overtaken is dropped. */
  #asked = 0;

  /** @param open Shows a variable that has rows as a table. */
  constructor(open: (context: ISessionContext, name: string) => void) {
    super();
    this.#open = open;
    this.id = 'oddslab-variables';
    this.addClass('oddslab-variables');
    this.title.icon = variableIcon;
    this.title.caption = 'Variables';
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', 'Variables');
    this.#search.type = 'search';
    this.#search.placeholder = 'Search by name, type or value';
    this.#search.setAttribute('aria-label', 'Search the variables');
    this.#search.className = 'jp-mod-styled';
    this.#search.addEventListener('input', () => this.#draw());
    this.#note.setAttribute('role', 'status');
    this.#of.className = 'oddslab-variables-of';
    this.#grid.setAttribute('role', 'grid');
    this.#grid.setAttribute('aria-label', 'Variables');
    this.#grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.#grid.addEventListener('click', (event) => this.#onClick(event));
    this.#grid.addEventListener('mousedown', (event) => {
      // A double click opens; it should not select a word as well.
      if (event.detail > 1) event.preventDefault();
    });
    this.#grid.addEventListener('dblclick', (event) => this.#openAt(event.target));
    const box = document.createElement('div');
    box.className = 'oddslab-variables-box';
    box.append(this.#grid);
    this.node.append(this.#of, this.#search, this.#note, box);
    this.#draw();
  }

  /** The session whose variables are shown. */
  get context(): ISessionContext | undefined {
    return this.#context;
  }

  /** Shows the variables of a notebook or console; without one, says so. */
  showOf(label: string, context: ISessionContext | undefined): void {
    if (context === this.#context) return;
    this.#watch?.dispose();
    this.#context = context;
    this.#of.textContent = label;
    this.#clear(context ? NOTHING_YET : NO_NOTEBOOK);
    if (!context) return;
    this.#watch = watchKernel(context, { onRun: () => this.#refreshSoon(), onLost: () => this.#clear(RESTARTED) });
    void context.ready.then(() => {
      if (context === this.#context) this.#refreshSoon();
    });
  }

  /** The session that is shown may be called otherwise now. */
  rename(context: ISessionContext, label: string): void {
    if (context === this.#context) this.#of.textContent = label;
  }

  /** Puts the cursor into the search box, once whatever called for it, such as the palette, has given up the focus. */
  focusSearch(): void {
    requestAnimationFrame(() => requestAnimationFrame(() => this.#search.focus()));
  }

  override dispose(): void {
    this.#watch?.dispose();
    window.clearTimeout(this.#timer);
    super.dispose();
  }

  protected override onAfterShow(message: Message): void {
    super.onAfterShow(message);
    this.#refreshSoon();
  }

  protected override onActivateRequest(message: Message): void {
    super.onActivateRequest(message);
    this.focusSearch();
  }

  #clear(why: string): void {
    this.#asked += 1;
    this.#variables = [];
    this.#why = why;
    this.#draw();
  }

  #refreshSoon(): void {
    window.clearTimeout(this.#timer);
    // Hidden, it asks nothing; it asks once it is shown.
    if (this.isVisible) this.#timer = window.setTimeout(() => void this.#refresh(), PAUSE_MS);
  }

  async #refresh(again = 0): Promise<void> {
    const kernel = this.#context && kernelOf(this.#context);
    if (!kernel) {
      if (this.#context && this.#variables.length === 0 && this.#why !== RESTARTED) this.#clear(NO_KERNEL);
      return;
    }
    this.#asked += 1;
    const asked = this.#asked;
    const told = await variablesOf(kernel);
    if (asked !== this.#asked) return;
    // While a cell computes, what was there before stays; its end asks again.
    if ('answer' in told) {
      if (told.answer.length > 0 || this.#why === NO_KERNEL) this.#why = NOTHING_YET;
      this.#variables = sorted(told.answer);
    } else if (!told.isBusy) this.#why = told.why;
    const isWhole = 'answer' in told ? told.answer.every(({ type }) => type !== '') : !told.isBusy;
    if (!isWhole && again < MOST_AGAIN) this.#timer = window.setTimeout(() => void this.#refresh(again + 1), AGAIN_MS);
    this.#draw();
  }

  #draw(): void {
    const sought = this.#search.value.trim().toLowerCase();
    const found = this.#variables.filter(
      (one) => sought === '' || [one.name, one.type, one.value].some((text) => text.toLowerCase().includes(sought)),
    );
    const own = found.filter((one) => !isImported(one));
    const shown = [...own, ...found.filter(isImported)].slice(0, MOST_ROWS);
    this.#note.textContent = this.#noteOn(found.length);
    const hadFocus = this.#grid.contains(document.activeElement);
    if (!shown.some(({ name }) => name === this.#active)) this.#active = shown[0]?.name;
    const imported = shown.slice(own.length);
    const groups = [bodyOf(shown.slice(0, own.length), this.#active), bodyOf(imported, this.#active, 'Imported')];
    this.#grid.replaceChildren(headOf(), ...groups.filter((group) => group.rows.length > 0));
    this.#grid.hidden = shown.length === 0;
    if (hadFocus) this.#rowOf(this.#active)?.focus();
  }

  #noteOn(found: number): string {
    if (this.#variables.length === 0) return this.#why;
    if (found === 0) return 'No variable matches the search.';
    if (found <= MOST_ROWS) return '';
    return `The first ${MOST_ROWS} of ${found.toLocaleString('en-US')} variables: search for the others.`;
  }

  #rowOf(name: string | undefined): HTMLElement | undefined {
    return this.#rows().find((row) => row.dataset.name === name);
  }

  #rows(): HTMLElement[] {
    return [...this.#grid.querySelectorAll<HTMLElement>('tr[data-name]')];
  }

  #onKey(event: KeyboardEvent): void {
    const rows = this.#rows();
    const at = rows.findIndex((row) => row.dataset.name === this.#active);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'Enter') this.#openAt(event.target);
    else if (to === undefined) return;
    else this.#activate(rows[Math.min(Math.max(0, to), rows.length - 1)]);
    event.preventDefault();
    event.stopPropagation();
  }

  #onClick(event: MouseEvent): void {
    const target = event.target as Element;
    if (target.closest('button')) this.#openAt(target);
    else this.#activate(target.closest<HTMLElement>('tr[data-name]') ?? undefined);
  }

  #activate(row: HTMLElement | undefined): void {
    if (!row) return;
    const last = this.#rowOf(this.#active);
    if (last) last.tabIndex = -1;
    this.#active = row.dataset.name;
    row.tabIndex = 0;
    row.focus();
  }

  #openAt(target: EventTarget | null): void {
    const name = (target as Element | null)?.closest<HTMLElement>('tr[data-name]')?.dataset.name;
    const variable = this.#variables.find((one) => one.name === name);
    if (variable?.isTable && this.#context) this.#open(this.#context, variable.name);
  }
}

function isImported({ presentationHint }: Variable): boolean {
  return presentationHint.attributes.includes('imported');
}

/** By name, whatever its case, so that a name stays where it was. */
function sorted(variables: readonly Variable[]): Variable[] {
  const key = ({ name }: Variable): string => name.toLowerCase();
  return [...variables].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function headOf(): HTMLElement {
  const head = document.createElement('thead');
  const row = head.appendChild(document.createElement('tr'));
  for (const label of ['Name', 'Type', 'Value']) {
    const cell = row.appendChild(document.createElement('th'));
    cell.scope = 'col';
    cell.textContent = label;
  }
  return head;
}

function bodyOf(variables: readonly Variable[], active: string | undefined, label?: string): HTMLTableSectionElement {
  const body = document.createElement('tbody');
  if (variables.length === 0) return body;
  if (label !== undefined) {
    const cell = body.appendChild(document.createElement('tr')).appendChild(document.createElement('th'));
    cell.colSpan = 3;
    cell.scope = 'rowgroup';
    cell.textContent = label;
  }
  for (const variable of variables) body.append(rowFor(variable, variable.name === active));
  return body;
}

function rowFor(variable: Variable, isActive: boolean): HTMLElement {
  const { name, type, value, isTable } = variable;
  const row = document.createElement('tr');
  row.dataset.name = name;
  row.tabIndex = isActive ? 0 : -1;
  const head = document.createElement('th');
  head.scope = 'row';
  const cells = [head, document.createElement('td'), document.createElement('td')];
  for (const [at, text] of [name, type, isTable ? '' : value].entries()) {
    const cell = cells[at];
    if (cell) Object.assign(cell, { textContent: text, title: text });
  }
  if (isTable) cells[2]?.append(rowsButton(variable));
  row.append(...cells);
  return row;
}

/** The shape of a value, which opens its rows. The type stands beside it. */
function rowsButton({ name, type, value }: Variable): HTMLElement {
  const button = document.createElement('button');
  button.textContent = value.startsWith(type) ? value.slice(type.length).trim() : value;
  button.title = `${value}\nShow its rows as a table (Enter)`;
  button.setAttribute('aria-label', `${button.textContent}: show the rows of ${name}`);
  button.tabIndex = -1;
  return button;
}
