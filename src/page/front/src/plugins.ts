import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { address } from './address.js';
import { logo, narrow, theme } from './appearance.js';
import { diagnostics } from './diagnostics.js';
import { executor } from './executor.js';
import { exports } from './exports.js';
import { hover } from './hover.js';
import { kernelStart } from './kernel-start.js';
import { launcher } from './launcher.js';
import { longText } from './long-text.js';
import { resume } from './resume.js';
import { serverEnded } from './server-ended.js';
import { serverSettings } from './server-settings.js';
import { settings } from './settings.js';
import { signatures } from './signatures.js';
import { variables } from './variables-plugin.js';
import { vegaCharts } from './vega-charts.js';

/**
 * The plugins of our own, which JupyterLab starts beside its own ones. To add one: a file beside this that exports a
 * `JupyterFrontEndPlugin` with an id of `oddslab:NAME`, and a line here. What it imports must be a dependency in this
 * front end's package.json (`npm install --ignore-scripts` here, then `npm run lock` at the root). Its looks go into
 * style.css, defaults of JupyterLab's settings into overrides.json. If it stands in for a plugin of JupyterLab's, that
 * one's id goes into {@link LEFT_OUT}.
 */
// biome-ignore lint/suspicious/noExplicitAny: What a plugin provides to others is of any type, as in JupyterLab itself.
export const plugins: readonly JupyterFrontEndPlugin<any>[] = [
  logo,
  address,
  executor,
  kernelStart,
  resume,
  settings,
  serverSettings,
  serverEnded,
  hover,
  diagnostics,
  signatures,
  variables,
  longText,
  launcher,
  exports,
  theme,
  narrow,
];

/** Our own ways to draw a kind of output or file. */
export const mimePlugins: readonly IRenderMime.IExtension[] = [vegaCharts];

/** The plugins of JupyterLab that do not start: they ask other machines, ask a server for what ours has not, or ours do it. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  // They fetch news and open a forum, elsewhere.
  '@jupyterlab/apputils-extension:announcements',
  '@jupyterlab/help-extension:jupyter-forum',
  // The licences stand in the package, in a file.
  '@jupyterlab/apputils-extension:licenses-client',
  '@jupyterlab/apputils-extension:licenses-plugin',
  '@jupyterlab/help-extension:licenses-commands',
  // The kernel itself completes and tells types; no language server runs beside it.
  '@jupyterlab/fileeditor-extension:language-server',
  '@jupyterlab/notebook-extension:language-server',
  '@jupyterlab/application-extension:logo',
  '@jupyterlab/application-extension:tree-resolver',
  '@jupyterlab/notebook-extension:cell-executor',
  '@jupyterlab/apputils-extension:settings',
  '@jupyterlab/services-extension:server-settings',
  '@jupyterlab/notebook-extension:export',
  '@jupyterlab/vega5-extension:factory',
]);
