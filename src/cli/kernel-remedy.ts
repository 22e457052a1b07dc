import { dirname, sep } from 'node:path';
import { userKernelsFolder } from '../kernel/install/jupyter-folders.js';
import { type InstalledKernel, KERNEL_NAME } from '../kernel/install/kernel-spec.js';

/** The place of a kernelspec, and how commands name it. */
export interface Scope {
  /** Jupyter's data folder: the parent of `kernels`. */
  readonly data: string;
  /** The command that installs or uninstalls the kernel with a name there. */
  command(verb: 'install' | 'uninstall', name?: string): string;
}

/** The scope of a `kernels` folder, or of a kernelspec's folder in it. */
export function scopeOf(folder: string): Scope {
  const kernels = folder.endsWith(`${sep}kernels`) ? folder : dirname(folder);
  const data = dirname(kernels);
  const tail = `${sep}share${sep}jupyter`;
  const isUser = kernels === userKernelsFolder();
  const isPrefix = !isUser && data.endsWith(tail);
  const before = isUser || isPrefix ? '' : `JUPYTER_DATA_DIR=${shellWord(data)} `;
  const after = isPrefix ? ` --prefix ${shellWord(data.slice(0, -tail.length) || sep)}` : '';
  return {
    data,
    command: (verb, name = KERNEL_NAME) =>
      `${before}oddslab kernel ${verb}${after}${name === KERNEL_NAME ? '' : ` --name ${name}`}`,
  };
}

/** Lines that say what is wrong with a kernelspec and how to fix it; none if it is ready. */
export function remedyFor(kernel: InstalledKernel): string[] {
  const { name, state, folder, argv, missing } = kernel;
  const command = scopeOf(folder).command('install', name);
  if (state === 'broken') {
    const gone =
      missing.length > 0 ? `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} gone` : 'it is cut';
    return [`${name} in ${folder} does not start: ${gone}. Renew it: ${command}`];
  }
  if (state !== 'elsewhere') return [];
  return [`${name} in ${folder} starts ${argv.join(' ')}, not this installation. To change that: ${command}`];
}

/** Whether a package is in a cache of npx or a similar command, which may be emptied at any time. */
export function isFleeting(root: string): boolean {
  return /[\\/](_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/.test(root);
}

function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
