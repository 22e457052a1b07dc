import extensions from 'bundled:extensions';
import { type JupyterFrontEndPlugin, JupyterLab } from '@jupyterlab/application';
import { PageConfig } from '@jupyterlab/coreutils';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { IConnectionStatus, IServiceManager } from '@jupyterlab/services';
import { PluginRegistry } from '@lumino/coreutils';
import 'bundled:styles';
import './style.css';
import { LATER, LEFT_OUT, startLater } from './left-out.js';
import { mimePlugins, plugins } from './plugins.js';

type Plugin = JupyterFrontEndPlugin<unknown>;

/** The plugins of one package, and what the application tells of each of them. */
interface Found {
  readonly started: Plugin[];
  readonly told: JupyterLab.IPluginInfo[];
}

/** Sorts out a package's plugins. A kind of output (`isMime`) has an id, too, and can be left out alike. */
function pluginsOf(extension: string, exported: unknown): Found {
  const all = [exported].flat() as Plugin[];
  return {
    started: all.filter(({ id }) => !LEFT_OUT.has(id)),
    told: all.map(({ id, description, requires, optional, provides, autoStart }) => ({
      id,
      description: description ?? '',
      requires: requires ?? [],
      optional: optional ?? [],
      provides: provides ?? null,
      autoStart: autoStart ?? false,
      enabled: !LEFT_OUT.has(id),
      extension,
    })),
  };
}

/** Starts JupyterLab with all plugins. The page marks `lab-restored` in its performance timeline once it can be used. */
async function start(): Promise<void> {
  const mimes = [
    ...extensions.filter(({ isMime }) => isMime).map(({ name, module }) => pluginsOf(name, module.default)),
    pluginsOf('oddslab', [...mimePlugins]),
  ];
  const others = [
    ...extensions.filter(({ isMime }) => !isMime).map(({ name, module }) => pluginsOf(name, module.default)),
    pluginsOf('oddslab', [...plugins]),
  ];
  const pluginRegistry = new PluginRegistry<JupyterLab>();
  pluginRegistry.registerPlugins(others.flatMap(({ started }) => started) as never[]);
  const connectionStatus = await pluginRegistry.resolveOptionalService(IConnectionStatus);
  const serviceManager = await pluginRegistry.resolveOptionalService(IServiceManager);
  const told = [...mimes, ...others].flatMap((found) => found.told);
  const lab = new JupyterLab({
    pluginRegistry: pluginRegistry as never,
    ...(serviceManager && { serviceManager }),
    ...(connectionStatus && { connectionStatus }),
    mimeExtensions: mimes.flatMap(({ started }) => started as unknown as IRenderMime.IExtensionModule[]),
    disabled: { matches: told.filter(({ enabled }) => !enabled).map(({ id }) => id), patterns: [] },
    availablePlugins: told,
  });
  lab.start({ bubblingKeydown: true, ignorePlugins: [...LATER] });
  void startLater(lab);
  // Tests read the state of the application and wait for it.
  if (PageConfig.getOption('exposeAppInBrowser') === 'true') Object.assign(window, { jupyterapp: lab });
  await lab.restored;
  performance.mark('lab-restored');
}

void start();
