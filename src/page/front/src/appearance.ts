import { ILabShell, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IThemeManager } from '@jupyterlab/apputils';
import { Widget } from '@lumino/widgets';
import picture from '../../../kernel/install/logo-svg.svg';

/** In CSS pixels. Below this an open side panel leaves too little for a notebook beside it. */
const NARROW = 640;
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
