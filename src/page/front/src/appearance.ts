import { ILabShell, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IThemeManager } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';
import picture from '../../../kernel/install/logo-svg.svg';

/** In CSS pixels. Below this an open side panel leaves too little for a notebook beside it. */
const NARROW = 640;
/** How long after a change of its items a toolbar learns which of them can be focused. */
const TOOLBAR_MS = 100;
/** JupyterLab's command by which menu and palette choose a theme. */
const CHOOSE = 'apputils:change-theme';

/** Our logo at the left of the menu, where JupyterLab has its own. */
export const logo: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:logo',
  description: 'Shows the logo of Oddslab.',
  autoStart: true,
  requires: [ILabShell],
  activate: (_app, shell: ILabShell) => {
    const widget = new Widget();
    widget.id = 'jp-MainLogo';
    widget.addClass('oddslab-logo');
    widget.node.innerHTML = picture;
    widget.node.firstElementChild?.setAttribute('aria-hidden', 'true');
    shell.add(widget, 'top', { rank: 0 });
  },
};

/** Closes the side panels on narrow screens, such as a phone's, and where a window is made so; their icons open them again. */
export const narrow: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:narrow',
  description: 'Closes the side panels on narrow screens.',
  autoStart: true,
  requires: [ILabShell],
  activate: ({ restored }, shell: ILabShell) => {
    const screen = window.matchMedia(`(max-width: ${NARROW - 1}px)`);
    const fit = (): void => {
      if (!screen.matches) return;
      shell.collapseLeft();
      shell.collapseRight();
    };
    void restored.then(() => {
      fit();
      screen.addEventListener('change', fit);
    });
  },
};

/**
 * Lets a theme be chosen while light and dark follow the system, as they do here by default (overrides.json). There,
 * JupyterLab's own command only ends the following, and a second choice would be needed.
 */
export const theme: JupyterFrontEndPlugin<void> = {
  id: 'oddslab:theme',
  description: 'Sets the chosen theme at once, also while the theme follows the system.',
  autoStart: true,
  requires: [IThemeManager],
  activate: ({ commands }, themes: IThemeManager) => {
    commands.commandExecuted.connect((_commands, { id, args, result }) => {
      const chosen = id === CHOOSE ? (args as { theme?: string } | undefined)?.theme : undefined;
      if (chosen === undefined) return;
      void result.then(() => (themes.theme === chosen ? undefined : themes.setTheme(chosen)));
    });
  },
};

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
      }, TOOLBAR_MS);
    };
  },
};
