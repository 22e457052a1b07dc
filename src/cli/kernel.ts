import { dirname, sep } from 'node:path';
import { type Command, Option } from 'commander';
import { OddslabError, UsageError } from '../base/errors.js';
import { packageRoot } from '../base/packages.js';
import { shellWord } from '../base/texts.js';
import { installKernel, uninstallKernel } from '../kernel/install/install-kernel.js';
import { kernelsFolders, prefixKernelsFolder, userKernelsFolder } from '../kernel/install/jupyter-folders.js';
import { type InstalledKernel, installedKernels, KERNEL_NAME } from '../kernel/install/kernel-spec.js';
import { TYPES_MODES, type TypesMode } from '../kernel/types/type-service.js';

interface Flags {
  readonly user?: boolean;
  readonly prefix?: string;
  readonly name: string;
}

/** Adds `oddslab kernel` with its commands: install, uninstall and list. */
export function addKernelCommand(program: Command): void {
  const kernel = program.command('kernel');
  placed(kernel.command('install')).addOption(new Option('--types <mode>', TYPES).choices(TYPES_MODES)).action(install);
  placed(kernel.command('uninstall')).action(uninstall);
  kernel
    .command('list')
    .option('--prefix <dir>', 'list only DIR/share/jupyter/kernels, even if Jupyter does not look there')
    .action(list);
}

const TYPES =
  'type checking of cells: "off"; "warn" shows errors under the cell; "block" does not run a cell that has errors ' +
  '(default: the mode of an earlier install, else ODDSLAB_TYPES when the kernel starts, else "warn")';

/** Adds the options that choose a kernelspec. */
function placed(command: Command): Command {
  return command
    .addOption(new Option('--user', 'for this user (the default)').conflicts('prefix'))
    .option('--prefix <dir>', 'for one environment: DIR/share/jupyter/kernels')
    .option('--name <name>', 'name of the kernel', KERNEL_NAME);
}

async function install({ types, ...flags }: Flags & { types?: TypesMode }): Promise<void> {
  const kernels = folderOf(flags);
  const { folder, updated } = await installKernel({ kernels, name: flags.name, ...(types ? { types } : {}) });
  process.stdout.write(`${folder}\n`);
  process.stderr.write(
    `${updated ? 'Renewed' : 'Installed'} the kernel ${flags.name}: open a notebook and choose "TypeScript (Oddslab` +
      `${flags.name === KERNEL_NAME ? '' : `, ${flags.name}`})".\n`,
  );
  if (!kernelsFolders().includes(kernels)) {
    process.stderr.write(
      `Jupyter looks there where it is itself installed under ${flags.prefix}, or with ` +
        `JUPYTER_PATH=${scopeOf(kernels).data}.\n`,
    );
  }
  if (isFleeting(packageRoot())) process.stderr.write(FLEETING);
}

const FLEETING =
  'Mind: oddslab runs out of a cache of npx, which may be emptied; the kernel goes with it. To keep it:\n' +
  '  npm install --global oddslab && oddslab kernel install\n';

async function uninstall(flags: Flags): Promise<void> {
  const gone = await uninstallKernel(folderOf(flags), flags.name);
  if (gone === undefined) throw new UsageError(await notThere(flags));
  process.stdout.write(`${gone}\n`);
  process.stderr.write(`Removed the kernel ${flags.name}.\n`);
}

async function notThere(flags: Flags): Promise<string> {
  const others = await installedKernels(kernelsFolders());
  const here = `There is no kernel ${flags.name} in ${folderOf(flags)}`;
  if (others.length === 0) return `${here}, and none of ours where Jupyter looks. ${ELSEWHERE}`;
  const commands = others.map(({ folder, name }) => `  ${scopeOf(folder).command('uninstall', name)}`);
  return `${here}. What there is goes with:\n${commands.join('\n')}`;
}

const ELSEWHERE = 'One that was installed with --prefix goes with: oddslab kernel uninstall --prefix DIR';

async function list({ prefix }: Pick<Flags, 'prefix'>): Promise<void> {
  const found = await installedKernels(prefix === undefined ? kernelsFolders() : [folderOf({ prefix })]);
  for (const { name, state, folder } of found) process.stdout.write(`${name}\t${state}\t${folder}\n`);
  const whole = found.filter(({ state }) => state !== 'broken');
  const said = found.length > 0 ? whole.flatMap(remedyFor) : [prefix === undefined ? NONE : noneIn(prefix)];
  for (const line of said) process.stderr.write(`${line}\n`);
  const broken = found.filter(({ state }) => state === 'broken').flatMap(remedyFor);
  if (broken.length > 0) throw new OddslabError(broken.join('\n'));
}

const NONE =
  'The kernel is not installed where Jupyter looks: "oddslab kernel install" does it. ' +
  'What stands in one installation is listed by "oddslab kernel list --prefix DIR".';

function noneIn(prefix: string): string {
  const kernels = prefixKernelsFolder(prefix);
  return `The kernel is not installed in ${kernels}: "${scopeOf(kernels).command('install')}" does it.`;
}

function folderOf({ prefix }: Pick<Flags, 'prefix'>): string {
  return prefix === undefined ? userKernelsFolder() : prefixKernelsFolder(prefix);
}

/** The place of a kernelspec, and how commands name it. */
interface Scope {
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
