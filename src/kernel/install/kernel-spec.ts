import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import type { TypesMode } from '../types/types-mode.js';

/** The name by which notebooks ask for the kernel. */
export const KERNEL_NAME = 'oddslab';

/** The choices for a kernelspec. */
export interface KernelSpecOptions {
  /** Default {@link KERNEL_NAME}. Any other name is shown in the menu, so that several kernels can be told apart. */
  name?: string;
  /** Default: the value of `ODDSLAB_TYPES` when the kernel starts, otherwise `warn`. */
  types?: TypesMode;
}

/** The content of a kernel.json. */
export interface KernelSpec {
  readonly argv: readonly string[];
  readonly display_name: string;
  readonly language: string;
  readonly interrupt_mode: 'message';
  readonly env: Readonly<Record<string, string>>;
  /** `oddslab` holds the version that wrote it and marks the kernelspec as this package's. */
  readonly metadata: { readonly debugger: false; readonly oddslab: { readonly version: string } };
}

/**
 * The kernelspec that starts this installation of the package with this Node.
 *
 * @example kernelSpec({ types: 'block' }).argv; // ['/usr/bin/node', '/…/dist/kernel/main.cjs', '{connection_file}']
 */
export function kernelSpec({ name = KERNEL_NAME, types }: KernelSpecOptions = {}): KernelSpec {
  const root = packageRoot();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    argv: [lastingNode(process.execPath), join(root, 'dist', 'kernel', 'main.cjs'), '{connection_file}'],
    display_name: name === KERNEL_NAME ? 'TypeScript (Oddslab)' : `TypeScript (Oddslab, ${name})`,
    language: 'typescript',
    interrupt_mode: 'message',
    env: types === undefined ? {} : { ODDSLAB_TYPES: types },
    metadata: { debugger: false, oddslab: { version } },
  };
}

/**
 * A path of Node that outlasts upgrades: Homebrew's folder of one version goes with the next one; its link `opt` stays.
 */
function lastingNode(path: string): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(path) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return prefix !== undefined && existsSync(link) ? link : path;
}
