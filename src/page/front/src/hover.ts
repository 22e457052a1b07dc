import {
  closeHoverTooltips,
  type EditorView,
  hasHoverTooltips,
  hoverTooltip,
  type Tooltip,
  ViewPlugin,
} from '@codemirror/view';
import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import { addToCodeCells, CodeCells } from './code-cells.js';

const HOVER_MS = 400;
/** So long after a key, the reader is still writing, and the pointer only happens to lie there. */
const WRITING_MS = 1000;

const MARKDOWN = 'text/markdown';

/** Shows the type and the documentation of the name under the pointer, as the cell's own kernel knows them. */
export const hover: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:hover',
  description: 'Shows types when the pointer rests on a name in a cell.',
  autoStart: true,
  requires: [IEditorExtensionRegistry, INotebookTracker, IConsoleTracker, IRenderMimeRegistry],
  activate: (
    _app,
    registry: IEditorExtensionRegistry,
    notebooks: INotebookTracker,
    consoles: IConsoleTracker,
    rendermime: IRenderMimeRegistry,
  ) => {
    const cells = new CodeCells(notebooks, consoles);
    const writtenAt = new WeakMap<EditorView, number>();
    const isWriting = (view: EditorView) =>
      performance.now() - (writtenAt.get(view) ?? Number.NEGATIVE_INFINITY) < WRITING_MS;
    const tooltip = hoverTooltip(
      async (view, at, side): Promise<Tooltip | null> => {
        const word = view.state.wordAt(at);
        if (!word || (word.from === at && side < 0) || (word.to === at && side > 0) || isWriting(view)) return null;
        const reply = await cells.ask<{ data: Record<string, string> }>(view, 'inspect', at);
        const markdown = reply?.data[MARKDOWN];
        if (markdown === undefined || isWriting(view)) return null;
        return { pos: word.from, end: word.to, above: true, create: () => rendered(rendermime, markdown) };
      },
      { hoverTime: HOVER_MS, hideOnChange: true },
    );
    // The pointer shows them, so Escape must hide them wherever the focus is.
    let shown: EditorView | undefined;
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !shown) return;
        shown.dispatch({ effects: closeHoverTooltips });
        event.preventDefault();
        event.stopPropagation();
      },
      { capture: true },
    );
    const noted = ViewPlugin.define((view) => {
      const forget = () => {
        if (shown === view) shown = undefined;
      };
      return {
        update({ state, docChanged }) {
          if (docChanged) writtenAt.set(view, performance.now());
          if (hasHoverTooltips(state)) shown = view;
          else forget();
        },
        // Its notebook was closed.
        destroy: forget,
      };
    });
    addToCodeCells(registry, 'oddslab:hover', [tooltip, noted]);
  },
};

/** A tooltip of Markdown, as JupyterLab draws it in cells. */
function rendered(rendermime: IRenderMimeRegistry, markdown: string) {
  const dom = document.createElement('div');
  dom.className = 'oddslab-hover';
  const renderer = rendermime.createRenderer(MARKDOWN);
  void renderer.renderModel(rendermime.createModel({ data: { [MARKDOWN]: markdown } }));
  dom.append(renderer.node);
  return { dom, destroy: () => renderer.dispose() };
}
