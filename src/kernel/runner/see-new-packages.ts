import { existsSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { packageNameOf } from './import-package.js';
import { isLocal } from './resolve-local.js';

type FindPath = (request: string, paths: readonly string[] | null, ...rest: unknown[]) => string | false;

/**
 * Lets packages be found that are installed while the process runs. Where Node looks for one that is not there, also to
 * word the error of an import, it keeps in mind that its `package.json` is missing, and takes it for a package without
 * one from then on. So it is only sent into folders that hold the package.
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

/** Whether a folder has the package, or a file of its name, that a request means; one that may not be read has none. */
function holds(folder: string, request: string): boolean {
  const name = packageNameOf(request);
  return ['', '.js', '.json', '.node'].some((end) => existsSync(join(folder, name + end)));
}
