import type { Extension, Transaction } from '@codemirror/state';
import type { EditorView, ViewUpdate } from '@codemirror/view';
import { EditorExtensionRegistry, type IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import type { IConsoleTracker } from '@jupyterlab/console';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { type Kernel, KernelMessage } from '@jupyterlab/services';

/** The name of our kernel's specification. */
export const KERNEL_NAME = 'oddslab';

/** The code cells of notebooks and consoles, as the editors that CodeMirror draws. */
export class CodeCells {
  readonly #notebooks: INotebookTracker;
  readonly #consoles: IConsoleTracker;

  constructor(notebooks: INotebookTracker, consoles: IConsoleTracker) {
    this.#notebooks = notebooks;
    this.#consoles = consoles;
  }

  /**
   * The kernel that would run an editor's text: its own notebook's or console's. Undefined if that is none of ours or
   * cannot answer now, because it is starting, say.
   */
  kernelOf(view: EditorView): Kernel.IKernelConnection | undefined {
    if (!view.dom.closest('.jp-CodeCell')) return undefined;
    const holds = ({ node }: { node: HTMLElement }): boolean => node.contains(view.dom);
    // A cell that is scrolled out of sight is no part of the notebook's element.
    const panel =
      this.#notebooks.find(holds) ??
      this.#consoles.find(holds) ??
      this.#notebooks.find(({ content }) => content.widgets.some(holds));
    const kernel = panel?.sessionContext.session?.kernel;
    const isReady = kernel?.connectionStatus === 'connected' && /^(idle|busy)$/.test(kernel.status);
    return isReady && kernel.name === KERNEL_NAME ? kernel : undefined;
  }

  /**
   * Asks an editor's kernel about its text; undefined if there is none, or it ends or refuses. A newer question of the
   * same type about the same cell makes the kernel drop an older one.
   *
   * @param type `diagnostics`, `signature` or `inspect`: a request of that type is sent.
   * @param head Offset of the cursor, for questions about a place.
   */
  async ask<Reply>(view: EditorView, type: string, head?: number): Promise<Reply | undefined> {
    const kernel = this.kernelOf(view);
    if (!kernel) return undefined;
    const code = view.state.doc.toString();
    const content = { code, ...(head === undefined ? {} : { cursor_pos: codePoints(code, head) }) };
    const message = KernelMessage.createMessage({
      channel: 'shell',
      msgType: `${type}_request` as 'inspect_request',
      session: kernel.clientId,
      username: kernel.username,
      content: content as KernelMessage.IInspectRequestMsg['content'],
      metadata: { cellId: idOf(view) },
    });
    try {
      const { content: answer } = await kernel.sendShellMessage(message, true).done;
      return 'status' in answer && answer.status === 'ok' ? (answer as Reply) : undefined;
    } catch {
      // The kernel was ended or restarted before it answered.
      return undefined;
    }
  }
}

/** Adds an extension to the editors of all code cells. */
export function addToCodeCells(registry: IEditorExtensionRegistry, name: string, extension: Extension): void {
  const immutable = EditorExtensionRegistry.createImmutableExtension(extension);
  registry.addExtension({
    name,
    factory: ({ model }) => ('type' in model && model.type === 'code' ? immutable : null),
  });
}

const EDITS = ['input', 'delete', 'undo', 'redo', 'move'];

/** Whether somebody has just edited the text here, rather than a program or another view of it. */
export function isTyped({ docChanged, transactions }: ViewUpdate): boolean {
  return docChanged && transactions.some(isTypedBy);
}

/** Whether a change of the text is somebody's edit, see {@link isTyped}. */
export function isTypedBy(transaction: Transaction): boolean {
  return transaction.docChanged && EDITS.some((kind) => transaction.isUserEvent(kind));
}

let lastId = 0;
const ids = new WeakMap<EditorView, string>();

/** An id of an editor for the kernel, the same as long as it exists. */
function idOf(view: EditorView): string {
  const id = ids.get(view) ?? `editor-${++lastId}`;
  ids.set(view, id);
  return id;
}

/** Converts an offset in UTF-16 units, as CodeMirror counts, to code points, as Jupyter counts. */
export function codePoints(text: string, utf16: number): number {
  return Array.from(text.slice(0, utf16)).length;
}

/** Converts an offset in code points to UTF-16 units; limited to the text. */
export function utf16(text: string, points: number): number {
  return Array.from(text).slice(0, points).join('').length;
}
