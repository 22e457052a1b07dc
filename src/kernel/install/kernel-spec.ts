import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../base/packages.js';
import { fieldOf, jsonIn } from '../../base/texts.js';
import { TYPES_MODES, type TypesMode } from '../types/type-service.js';

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
export type KernelSpec = ReturnType<typeof kernelSpec>;

/**
 * The kernelspec that starts this installation of the package with this Node.
 *
 * @example kernelSpec({ types: 'block' }).argv; // ['/usr/bin/node', '/…/dist/kernel/main.cjs', '{connection_file}']
 */
export function kernelSpec({ name = KERNEL_NAME, types }: KernelSpecOptions = {}) {
  const root = packageRoot();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    argv: [lastingNode(process.execPath), join(root, 'dist', 'kernel', 'main.cjs'), '{connection_file}'],
    display_name: name === KERNEL_NAME ? 'TypeScript (Oddslab)' : `TypeScript (Oddslab, ${name})`,
    language: 'typescript',
    interrupt_mode: 'message',
    env: types === undefined ? {} : { ODDSLAB_TYPES: types },
    // `oddslab` marks it as this package's.
    metadata: { debugger: false, oddslab: { version } },
  };
}

/** A path of Node that outlasts upgrades: Homebrew's folder of a version goes with the next, its link `opt` stays. */
function lastingNode(path: string): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(path) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return prefix !== undefined && existsSync(link) ? link : path;
}

/** A kernelspec found in a folder. */
export interface InstalledKernel {
  readonly name: string;
  /** The folder with its kernel.json and logos. */
  readonly folder: string;
  /**
   * `elsewhere`: it works, but starts another installation of the package or another Node; `broken`: what it starts is
   * gone, or it does not name both. Undefined if another program's kernel has that name.
   */
  readonly state: 'ready' | 'elsewhere' | 'broken' | undefined;
  /** What it starts: Node and the kernel. Empty for another program's kernel. */
  readonly argv: readonly string[];
  /** Files that it starts and that no longer exist. */
  readonly missing: readonly string[];
  /** The type checking chosen for it, if any. */
  readonly types?: TypesMode;
}

/** Reads the kernelspec of a name in a kernels folder; undefined if there is none. */
export async function readInstalledKernel(kernels: string, name: string): Promise<InstalledKernel | undefined> {
  const folder = join(kernels, name);
  const text = await readFile(join(folder, 'kernel.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return standing(folder, name);
  const spec = jsonIn(text);
  if (!isOurs(spec)) return { name, folder, state: undefined, argv: [], missing: [] };
  const argv = spec.argv.filter((word) => typeof word === 'string').slice(0, 2);
  const missing = argv.filter((path) => !existsSync(path));
  const isWhole = argv.length === 2 && missing.length === 0;
  const isHere = kernelSpec()
    .argv.slice(0, 2)
    .every((path, index) => path === argv[index]);
  const state = !isWhole ? 'broken' : isHere ? 'ready' : 'elsewhere';
  const chosen = fieldOf(spec.env, 'ODDSLAB_TYPES');
  const types = TYPES_MODES.find((mode) => mode === chosen);
  return { name, folder, state, argv, missing, ...(types ? { types } : {}) };
}

/** This package's kernels in several kernels folders, in that order. */
export async function installedKernels(folders: readonly string[]): Promise<InstalledKernel[]> {
  const found = await Promise.all(
    folders.map(async (kernels) => {
      const names = (await readdir(kernels).catch(() => [])).sort();
      return Promise.all(names.map((name) => readInstalledKernel(kernels, name)));
    }),
  );
  return found.flat().flatMap((kernel) => (kernel?.state === undefined ? [] : [kernel]));
}

/** A folder without kernel.json: nothing if an interrupted installation left only logos, else another's kernel. */
async function standing(folder: string, name: string): Promise<InstalledKernel | undefined> {
  const names = await readdir(folder).catch(() => []);
  if (names.every((file) => file.startsWith('logo-'))) return undefined;
  return { name, folder, state: undefined, argv: [], missing: [] };
}

function isOurs(spec: unknown): spec is { argv: readonly unknown[]; env?: unknown } {
  return Array.isArray(fieldOf(spec, 'argv')) && fieldOf(fieldOf(spec, 'metadata'), 'oddslab') !== undefined;
}
