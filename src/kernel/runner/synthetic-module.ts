import { types } from 'node:util';
import { SyntheticModule } from 'node:vm';
import type { Namespace } from './import-package.js';
import type { ModuleRequest } from './module-requests.js';

/**
 * What is no module as V8 knows them, such as a CommonJS package, as one.
 *
 * @param request What is taken of it: nothing else is read. Default: everything.
 */
export function moduleOf(namespace: Namespace, request?: ModuleRequest): SyntheticModule {
  const whole = Object(namespace.default) as Namespace;
  const taken = [...(request?.names.keys() ?? [])].filter((name) => name in namespace || name in whole);
  const names = new Set(request && !request.isWhole ? taken : [...taken, ...Object.keys(namespace)]);
  return new SyntheticModule([...names], function (this: SyntheticModule) {
    for (const name of names) this.setExport(name, name in namespace ? namespace[name] : whole[name]);
  });
}

/** What `import()` may give: Node takes nothing else. */
export async function asModule(namespace: Namespace): Promise<Namespace | SyntheticModule> {
  if (types.isModuleNamespaceObject(namespace)) return namespace;
  const module = moduleOf(namespace);
  await module.link(() => module);
  await module.evaluate();
  return module;
}
