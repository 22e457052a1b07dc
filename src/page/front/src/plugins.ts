import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { address } from './address.js';
import { logo, narrow, theme, toolbars } from './appearance.js';
import { diagnostics } from './diagnostics.js';
import { consoleExecutor, executor } from './executor.js';
import { exports } from './exports.js';
import { hover } from './hover.js';
import { kernelStart } from './kernel-start.js';
import { launcher } from './launcher.js';
import { longText } from './long-text.js';
import { resume } from './resume.js';
import { serverEnded } from './server-ended.js';
import { serverSettings, user } from './server-settings.js';
import { settings } from './settings.js';
import { signatures } from './signatures.js';
import { variables } from './variables-plugin.js';
import { vegaCharts } from './vega-charts.js';
import { windowName } from './window-name.js';

/**
 * The plugins of our own, which JupyterLab starts beside its own ones. To add one: a file beside this that exports a
 * `JupyterFrontEndPlugin` with an id of `oddslab:NAME`, and a line here. What it imports must be a dependency in this
 * front end's package.json (`npm install --ignore-scripts` here, then `npm run lock` at the root). Its looks go into
 * style.css, defaults of JupyterLab's settings into overrides.json. If it stands in for a plugin of JupyterLab's, that
 * one's id goes into `LEFT_OUT` of left-out.ts.
 */
// biome-ignore lint/suspicious/noExplicitAny: What a plugin provides to others is of any type, as in JupyterLab itself.
export const plugins: readonly JupyterFrontEndPlugin<any>[] = [
  logo,
  windowName,
  toolbars,
  address,
  executor,
  consoleExecutor,
  kernelStart,
  resume,
  settings,
  serverSettings,
  user,
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
