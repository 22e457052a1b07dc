import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { nativeFault } from '../../base/packages.js';

/**
 * The program of TypeScript's language server: the platform's own binary, which starts faster than the script of the
 * npm package `typescript` that wraps it.
 *
 * @throws {OddslabError} If the package or its binary for this platform is not installed.
 */
export function serverBinary(): string {
  return join(dirname(manifestOfBinary()), 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
}

function manifestOfBinary(): string {
  const require = createRequire(import.meta.url);
  try {
    const inPackage = createRequire(require.resolve('typescript/package.json'));
    return inPackage.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
  } catch (cause) {
    throw nativeFault('typescript', cause);
  }
}
