import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The program of TypeScript's language server: the platform's own binary, which starts quicker than the script of the
 * npm package `typescript` around it.
 *
 * @throws {Error} Node's own, if the package or its binary for this platform is not installed.
 */
export function serverBinary(): string {
  const require = createRequire(import.meta.url);
  const inPackage = createRequire(require.resolve('typescript/package.json'));
  const manifest = inPackage.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
  return join(dirname(manifest), 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
}
