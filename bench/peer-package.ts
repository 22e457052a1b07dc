import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../src/base/packages.js';
import { Unavailable } from './benchmark.js';

/**
 * Imports a package to compare with, from `bench/peers`.
 *
 * @throws {Unavailable} If it is not installed there.
 */
export async function peerPackage(name: string): Promise<unknown> {
  const require = createRequire(join(packageRoot(), 'bench/peers/package.json'));
  try {
    return await import(require.resolve(name));
  } catch (cause) {
    throw new Unavailable(`${name} is not installed: npm run bench:peers`, { cause });
  }
}
