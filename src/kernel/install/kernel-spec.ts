import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../package-root.js';
import type { TypesMode } from '../types/types-mode.js';

/** The name by which notebooks ask for the kernel. */
export const KERNEL_NAME = 'oddslab';

/** What may be chosen of a kernelspec. */
export interface KernelSpecOptions {
  /** Default {@link KERNEL_NAME}. Another name shows in the menu, so that several can be told apart. */
  name?: string;
  /** Default: what `ODDSLAB_TYPES` says when the kernel starts, then `warn`. */
  types?: TypesMode;
}

/** The content of a kernel.json. */
export interface KernelSpec {
  readonly argv: readonly string[];
  readonly display_name: string;
  readonly language: string;
  readonly interrupt_mode: 'message';
  readonly env: Readonly<Record<string, string>>;
  /** `oddslab` is the version that wrote it: by it we know our own. */
  readonly metadata: { readonly debugger: false; readonly oddslab: { readonly version: string } };
}

/**
 * The kernelspec that starts the kernel of this very package with this very Node.
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

/** Homebrew's folder of one version goes with the next upgrade; its link `opt` stays. */
function lastingNode(path: string): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(path) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return prefix !== undefined && existsSync(link) ? link : path;
}
