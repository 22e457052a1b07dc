import { existsSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { packageNameOf } from './import-package.js';
import { isLocal } from './resolve-local.js';

type FindPath = (request: string, paths: readonly string[] | null, ...rest: unknown[]) => string | false;

/**
 * Makes packages that are installed while the process runs findable. When Node looks for a package that is not there,
 * even just to word the error of an import, it remembers that its `package.json` is missing and treats the package as
 * having none from then on. So Node is only sent to folders that hold the package.
 */
export function seeNewPackages(): void {
  const find: unknown = Reflect.get(Module, '_findPath');
  if (typeof find !== 'function') return;
  const findPresent: FindPath = (request, paths, ...rest) => {
    const holding = isLocal(request) ? paths : paths?.filter((path) => holds(path, request));
    return Reflect.apply(find, Module, [request, holding, ...rest]);
  };
  Reflect.set(Module, '_findPath', findPresent);
}

/** Whether a folder holds the requested package or a file of its name; one without read permission counts as empty. */
function holds(folder: string, request: string): boolean {
  const name = packageNameOf(request);
  return ['', '.js', '.json', '.node'].some((end) => existsSync(join(folder, name + end)));
}
