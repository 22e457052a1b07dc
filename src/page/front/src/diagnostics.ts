import { type Diagnostic, forEachDiagnostic, linter, nextDiagnostic, previousDiagnostic } from '@codemirror/lint';
import { StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, keymap } from '@codemirror/view';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { CodeMirrorEditor, IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker, type Notebook } from '@jupyterlab/notebook';
import { addToCodeCells, CodeCells, isTypedBy, utf16 } from './code-cells.js';
import { watchKernel } from './kernel-variables.js';

/** How long after the last key the kernel is asked. */
const PAUSE_MS = 400;

/** A finding in the kernel's `diagnostics_reply`; offsets in code points. */
interface Found {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  /** TypeScript's number of the message; 0 if it has none. */
  code: number;
  message: string;
}

/** Tells an editor that its text may mean something else now. */
const meansElse = StateEffect.define<null>();

/**
 * Whether somebody has edited a text. A notebook that was only opened has no underlines: until its cells have run, they
 * know nothing of each other.
 */
const edited = StateField.define<boolean>({
  create: () => false,
  update: (value, transaction) => value || isTypedBy(transaction),
});

/** Underlines what a cell would be warned of, once its text is edited. F8 and Shift-F8 go from one place to the next. */
export const diagnostics: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:diagnostics',
  description: 'Underlines type errors in a cell while it is written.',
  autoStart: true,
  requires: [IEditorExtensionRegistry, INotebookTracker, IConsoleTracker],
  activate: (_app, registry: IEditorExtensionRegistry, notebooks: INotebookTracker, consoles: IConsoleTracker) => {
    const cells = new CodeCells(notebooks, consoles);
    const source = async (view: EditorView): Promise<Diagnostic[]> => {
      if (!view.state.field(edited, false)) return [];
      const code = view.state.doc.toString();
      const reply = await cells.ask<{ diagnostics: Found[] }>(view, 'diagnostics');
      return (reply?.diagnostics ?? []).map((found) => placed(found, code));
    };
    // What ran may have declared what others miss, those scrolled out of sight included. A kernel that can be asked at
    // last was not when they were written.
    notebooks.widgetAdded.connect((_sender, { sessionContext, content, disposed }) => {
      const watch = watchKernel(sessionContext, { onRun: () => lintAnew(content), onLost: () => undefined });
      disposed.connect(() => watch.dispose());
    });
    addToCodeCells(registry, 'oddslab:diagnostics', [
      edited,
      linter(source, {
        delay: PAUSE_MS,
        needsRefresh: ({ transactions }) =>
          transactions.some(({ effects }) => effects.some((each) => each.is(meansElse))),
      }),
      keymap.of([
        { key: 'F8', run: told(nextDiagnostic) },
        { key: 'Shift-F8', run: told(previousDiagnostic) },
      ]),
    ]);
  },
};

/** Asks about the edited cells of a notebook once more. */
function lintAnew({ widgets }: Notebook): void {
  for (const { editor } of widgets) {
    const view = editor instanceof CodeMirrorEditor ? editor.editor : undefined;
    if (view?.state.field(edited, false)) view.dispatch({ effects: meansElse.of(null) });
  }
}

function placed({ from, to, severity, code: number, message }: Found, code: string): Diagnostic {
  const source = number === 0 ? {} : { source: `TS${number}` };
  return { from: utf16(code, from), to: utf16(code, to), severity, message, ...source };
}

/** A command that goes to a finding, and reads it to those who do not see the tooltip. */
function told(go: Command): Command {
  return (view) => {
    if (!go(view)) return false;
    const { from, to } = view.state.selection.main;
    const words: string[] = [];
    forEachDiagnostic(view.state, ({ severity, message }, start, end) => {
      if (start === from && end === to) words.push(`${severity}: ${message}`);
    });
    view.dispatch({ effects: EditorView.announce.of(words.join('. ')) });
    return true;
  };
}
