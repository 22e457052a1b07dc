import type { JupyterFrontEndPlugin } from '@jupyterlab/application';
import {
  DefaultSchemaValidator,
  type ISchemaValidator,
  ISettingConnector,
  ISettingRegistry,
  SettingRegistry,
} from '@jupyterlab/settingregistry';
import { defaultValues, type SchemaPart } from './default-values.js';
import { LEFT_OUT } from './left-out.js';

/**
 * The settings of all plugins, as JupyterLab keeps them. JupyterLab compiles every plugin's schema to a program on each
 * start, which takes a sixth of the time until a notebook can be used; here only those whose settings someone has changed.
 */
export const settings: JupyterFrontEndPlugin<ISettingRegistry> = {
  id: 'oddslab:settings',
  description: 'Keeps settings, and checks those that were changed.',
  autoStart: true,
  requires: [ISettingConnector],
  provides: ISettingRegistry,
  activate: async (_app, connector: ISettingConnector) => {
    const { values } = await connector.list();
    // Some are of no plugin, but of all notebooks, say.
    const plugins = values.filter(({ id }) => !LEFT_OUT.has(id));
    return new SettingRegistry({ connector, plugins, validator: new ChangedSettings() });
  },
};

type Plugin = ISettingRegistry.IPlugin;

/** Checks the settings that someone has changed. The schemas themselves are checked when the page is built. */
class ChangedSettings implements ISchemaValidator {
  #validator: DefaultSchemaValidator | undefined;

  validateData(plugin: Plugin, populate = true): ISchemaValidator.IError[] | null {
    if (plugin.raw.trim() !== '{}') {
      this.#validator ??= new DefaultSchemaValidator();
      return this.#validator.validateData(plugin, populate);
    }
    if (populate) plugin.data = { composite: defaultValues(plugin.schema as SchemaPart) as never, user: {} };
    return null;
  }
}
