import { Prec, StateEffect, StateField } from '@codemirror/state';
import {
  EditorView,
  keymap,
  showTooltip,
  type Tooltip,
  type TooltipView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { addToCodeCells, CodeCells, isTyped, utf16 } from './code-cells.js';

/** How long the cursor rests before the kernel is asked again about the call around it. */
const PAUSE_MS = 80;

/** The kernel's `signature_reply`; offsets in code points of the label. */
interface Call {
  found: boolean;
  signatures: {
    label: string;
    documentation: string;
    parameters: { from: number; to: number; documentation: string }[];
  }[];
  active: number;
  parameter: number | null;
}

/** The call that the tooltip shows, and where it stands in the text; null hides it. */
type Shown = { call: Call; at: number } | null;

const show = StateEffect.define<Shown>();

const shown = StateField.define<{ value: Shown; tooltip: Tooltip | null }>({
  create: () => ({ value: null, tooltip: null }),
  update: (before, { changes, effects }) => {
    for (const effect of effects) if (effect.is(show)) return withTooltip(effect.value);
    const { value } = before;
    return value && !changes.empty ? withTooltip({ ...value, at: changes.mapPos(value.at) }) : before;
  },
  provide: (field) => showTooltip.from(field, ({ tooltip }) => tooltip),
});

function withTooltip(value: Shown): { value: Shown; tooltip: Tooltip | null } {
  return { value, tooltip: value && { pos: value.at, above: true, create: () => drawn(value.call) } };
}

/** Shows the function that is being called, with the parameter at the cursor, from `(` or `,` until the call is left. */
export const signatures: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:signatures',
  description: 'Shows the parameters of the function that is being called.',
  autoStart: true,
  requires: [IEditorExtensionRegistry, INotebookTracker, IConsoleTracker],
  activate: (_app, registry: IEditorExtensionRegistry, notebooks: INotebookTracker, consoles: IConsoleTracker) => {
    const cells = new CodeCells(notebooks, consoles);
    addToCodeCells(registry, 'oddslab:signatures', [
      shown,
      ViewPlugin.define((view) => new Asking(view, cells)),
      // No other key is taken: Tab, Enter and the arrows are the completer's and the text's.
      Prec.high(keymap.of([{ key: 'Escape', run: hide }])),
      EditorView.domEventHandlers({ blur: (_event, view) => void hide(view) }),
    ]);
  },
};

/** Hides the tooltip; false if there is none. */
function hide(view: EditorView): boolean {
  if (!view.state.field(shown).value) return false;
  view.dispatch({ effects: show.of(null) });
  return true;
}

/** Asks an editor's kernel when a call begins, and as long as its tooltip is shown. */
class Asking {
  readonly #view: EditorView;
  readonly #cells: CodeCells;
  #timer: number | undefined;
  /** Whether a call has begun of which the kernel has not told yet. */
  #isAwaited = false;

  constructor(view: EditorView, cells: CodeCells) {
    this.#view = view;
    this.#cells = cells;
  }

  update(update: ViewUpdate): void {
    if (beginsCall(update)) this.#isAwaited = true;
    const isWanted = this.#isAwaited || update.state.field(shown).value !== null;
    if (!isWanted || !(update.docChanged || update.selectionSet)) return;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  destroy(): void {
    window.clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { state } = this.#view;
    const { head, empty } = state.selection.main;
    const call = empty ? await this.#cells.ask<Call>(this.#view, 'signature', head) : undefined;
    const now = this.#view.state;
    // A text or a place that has changed meanwhile is asked about again.
    if (!now.doc.eq(state.doc) || now.selection.main.head !== head) return;
    this.#isAwaited = false;
    if (!this.#view.hasFocus) return;
    if (!call?.found) {
      hide(this.#view);
      return;
    }
    const { value } = now.field(shown);
    const isSame = value && labelOf(value.call) === labelOf(call);
    this.#view.dispatch({ effects: show.of({ call, at: isSame ? value.at : head }) });
  }
}

function labelOf({ signatures: all, active }: Call): string | undefined {
  return all[active]?.label;
}

/** Whether the reader has just written a bracket or a comma. Editors close the bracket at once. */
function beginsCall(update: ViewUpdate): boolean {
  if (!isTyped(update)) return false;
  let isBegun = false;
  update.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    isBegun ||= /^(\(\)?|,\s?)$/.test(inserted.toString());
  });
  return isBegun;
}

function drawn({ signatures: all, active, parameter }: Call): TooltipView {
  const dom = document.createElement('div');
  dom.className = 'oddslab-signature';
  const signature = all[active];
  if (!signature) return { dom };
  const { label, documentation, parameters } = signature;
  const current = parameter === null ? undefined : parameters[parameter];
  const line = dom.appendChild(document.createElement('code'));
  const [from, to] = [utf16(label, current?.from ?? 0), utf16(label, current?.to ?? 0)];
  const bold = document.createElement('strong');
  bold.textContent = label.slice(from, to);
  line.append(label.slice(0, from), bold, label.slice(to));
  if (all.length > 1) part(dom, `${active + 1} of ${all.length}`, 'oddslab-signature-count');
  const [summary = ''] = documentation.split('\n\n');
  for (const text of [current?.documentation ?? '', summary])
    if (text !== '') part(dom, text, 'oddslab-signature-text');
  return { dom };
}

function part(dom: HTMLElement, text: string, className: string): void {
  const element = dom.appendChild(document.createElement('div'));
  element.className = className;
  element.textContent = text;
}
