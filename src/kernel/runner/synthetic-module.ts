import { types } from 'node:util';
import { SyntheticModule } from 'node:vm';
import type { Namespace } from './import-package.js';
import type { ModuleRequest } from './module-requests.js';

/**
 * Wraps what V8 does not know as a module, such as a CommonJS package, in a module.
 *
 * @param request What is taken from it; nothing else is read. Default: everything.
 */
export function moduleOf(namespace: Namespace, request?: ModuleRequest): SyntheticModule {
  const whole = Object(namespace.default) as Namespace;
  const taken = [...(request?.names.keys() ?? [])].filter((name) => name in namespace || name in whole);
  const names = new Set(request && !request.isWhole ? taken : [...taken, ...Object.keys(namespace)]);
  return new SyntheticModule([...names], function (this: SyntheticModule) {
    for (const name of names) this.setExport(name, name in namespace ? namespace[name] : whole[name]);
  });
}

/** Makes a value that `import()` may return; Node accepts nothing else. */
export async function asModule(namespace: Namespace): Promise<Namespace | SyntheticModule> {
  if (types.isModuleNamespaceObject(namespace)) return namespace;
  const module = moduleOf(namespace);
  await module.link(() => module);
  await module.evaluate();
  return module;
}
