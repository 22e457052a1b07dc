import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseSync } from 'oxc-parser';
import { packageRoot } from '../../base/packages.js';
import { stripTypes } from '../transform/strip-types.js';
import { moduleSyntaxError } from './error-places.js';
import type { SourceRegistry } from './source-registry.js';

/** Lets `require` load `.cts` files and registers their source. */
export function requireTypeScript(registry: SourceRegistry, nameOf: (path: string) => string): void {
  const { extensions } = createRequire(`${packageRoot()}/_`);
  extensions['.cts'] = (module, path) => {
    const { source, stripped } = read(path);
    const name = nameOf(path);
    if ('fault' in stripped) {
      registry.add(path, { name, source, position: (position) => position });
      throw moduleSyntaxError(stripped.fault, name);
    }
    registry.add(path, { name, source, position: stripped.position });
    const compile: (this: NodeModule, code: string, path: string) => void = Reflect.get(module, '_compile');
    compile.call(module, stripped.code.replace(MARK, ''), path);
  };
}

/** Whether a `.cts` file is CommonJS: one that imports or exports values in ES syntax is not. */
export function isCommonTypeScript(path: string): boolean {
  const { stripped } = read(path);
  if ('fault' in stripped) return false;
  const { staticImports, staticExports } = parseSync('module.js', stripped.code, { sourceType: 'module' }).module;
  return staticImports.length === 0 && staticExports.every(({ entries }) => entries.length === 0);
}

/** What the transform appends once it has removed all module syntax from a text. */
const MARK = /\bexport \{\};\s*$/;

function read(path: string): { source: string; stripped: ReturnType<typeof stripTypes> } {
  const source = readFileSync(path, 'utf8');
  return { source, stripped: stripTypes(source, { filename: path, lang: 'ts', keepImports: false, isCommonJs: true }) };
}
