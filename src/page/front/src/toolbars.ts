import type { JupyterFrontEndPlugin } from '@jupyterlab/application';

/** How long after a change of its items a toolbar learns which of them can be focused. */
const SETTLED_MS = 100;

/** A toolbar element of JupyterLab's toolkit, as far as it looks for what the arrow keys go through. */
interface Toolbar extends HTMLElement {
  focusableElements?: Element[];
  reduceFocusableElements(): void;
}

/**
 * Lets toolbars learn which of their items can be focused once for all items that come together. By themselves they look at
 * the computed styles of everything in them whenever an item comes, twice, which is much of what opening a notebook takes.
 */
export const toolbars: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:toolbars',
  description: 'Looks at the items of toolbars once they are there.',
  autoStart: true,
  activate: () => {
    const toolbar = customElements.get('jp-toolbar')?.prototype as Toolbar | undefined;
    if (!toolbar) throw new TypeError('There are no toolbars of the kind that is known here.');
    const look = toolbar.reduceFocusableElements;
    const waiting = new WeakSet<Toolbar>();
    toolbar.reduceFocusableElements = function (this: Toolbar): void {
      this.focusableElements ??= [];
      if (waiting.has(this)) return;
      waiting.add(this);
      setTimeout(() => {
        waiting.delete(this);
        look.call(this);
      }, SETTLED_MS);
    };
  },
};
