import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from './type-service.js';

const NO_MODULE = 2307;
const NO_DECLARATION = 7016;

/** Whether a package, or its types, that the language server did not find is installed: it may be new. */
export function installedSince(diagnostics: Diagnostic[], folder: string): boolean {
  return diagnostics.some(({ code, message }) => {
    const name = /module '((?:@[^/']+\/)?[^/'.][^/']*)/.exec(message)?.[1];
    if (name === undefined || (code !== NO_MODULE && code !== NO_DECLARATION)) return false;
    const types = join('@types', name.replace(/^@(.+)\//, '$1__'));
    return isInstalled(types, folder) || (code === NO_MODULE && isInstalled(name, folder));
  });
}

function isInstalled(name: string, folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, 'node_modules', name)) || (above !== folder && isInstalled(name, above));
}
