import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, join, relative, resolve, sep } from 'node:path';
import { OddslabError } from '../base/errors.js';
import { shellWord } from '../base/texts.js';
import { type Surroundings, surroundings } from '../kernel/install/jupyter-folders.js';

/** A command that opens Jupyter. */
export interface Jupyter {
  /** Name for people, such as `JupyterLab`. */
  readonly title: string;
  readonly command: string;
  /** Arguments before the options, such as `-m notebook`. */
  readonly args: readonly string[];
}

/** How long a command may take to answer before it is given up. */
const ANSWER_MS = 20_000;

/**
 * Finds JupyterLab, else Jupyter Notebook. It takes only a command that answers `--version`, because the shims of
 * version managers are on the PATH even with nothing behind them. Besides the PATH it searches the usual folders of the
 * system, which a virtual environment may hide.
 *
 * @returns Undefined if there is none.
 */
export async function findJupyter(place: Surroundings = surroundings()): Promise<Jupyter | undefined> {
  for (const candidate of candidates(place)) {
    if (await answers(candidate, place.env)) return candidate;
  }
  return undefined;
}

function candidates(place: Surroundings): Jupyter[] {
  const folders = commandFolders(place);
  const exe = place.platform === 'win32' ? '.exe' : '';
  const there = (name: string) => folders.map((folder) => join(folder, `${name}${exe}`)).filter(existsSync);
  const pythons = [...there('python3'), ...there('python')];
  const kinds = [
    ['JupyterLab', 'jupyter-lab', 'jupyterlab'],
    ['Jupyter Notebook', 'jupyter-notebook', 'notebook'],
  ] as const;
  return kinds.flatMap(([title, name, module]) => [
    ...there(name).map((command) => ({ title, command, args: [] })),
    ...pythons.map((command) => ({ title, command, args: ['-m', module] })),
  ]);
}

function commandFolders({ platform, home, env }: Surroundings): string[] {
  const bin = platform === 'win32' ? 'Scripts' : 'bin';
  const active = [env.VIRTUAL_ENV, env.CONDA_PREFIX].flatMap((prefix) => (prefix ? [join(prefix, bin)] : []));
  const usual = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];
  const beyond = platform === 'win32' ? [] : [...(home ? [join(home, '.local', 'bin')] : []), ...usual];
  const path = (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
  const seen = new Map(
    [...active, ...path, ...beyond].filter(existsSync).map((folder) => [realpathSync(folder), folder]),
  );
  return [...seen.values()];
}

function answers({ command, args }: Jupyter, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((done) => {
    execFile(command, [...args, '--version'], { env, timeout: ANSWER_MS }, (error, out) => {
      done(error === null && /\d+\.\d+/.test(out));
    });
  });
}

/**
 * The command that the user gave to open Jupyter. A relative path is resolved from the working directory, because
 * Jupyter starts in another folder.
 *
 * @throws {OddslabError} If there is no such command.
 */
export function givenJupyter(given: string): Jupyter {
  const isPath = given.includes('/') || given.includes(sep);
  const command = isPath ? resolve(given) : given;
  // Windows finds commands by more complex rules.
  if (process.platform !== 'win32') refuseMissing(given, isPath ? [command] : onPath(command));
  return { title: given, command, args: [] };
}

function onPath(command: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return command === '' ? [] : folders.map((folder) => join(folder, command));
}

function refuseMissing(command: string, files: string[]): void {
  if (files.some((file) => isThere(file, constants.X_OK))) return;
  const reason = files.some((file) => isThere(file, constants.F_OK))
    ? 'it is no program that may be run.'
    : 'there is no such command. With --jupyter alone, lab looks for Jupyter itself.';
  throw new OddslabError(`Cannot start ${command}: ${reason}`);
}

function isThere(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}

/** The platform, and what was prepared. */
interface WithoutJupyter {
  readonly platform: NodeJS.Platform;
  /** Folder that was to be opened. */
  readonly folder: string;
  /** Data folder for the notebooks; undefined if they use a service elsewhere. */
  readonly data: string | undefined;
}

/** Advice if Jupyter is not installed: how to install it, or how to open the folder in VS Code. */
export function withoutJupyter({ platform, folder, data }: WithoutJupyter): string {
  const set = data === undefined ? '' : setData(data, platform);
  return `Jupyter is not installed here. All else is ready: the kernel, the data and the folder.

Without --jupyter, lab opens its own notebook page, which needs nothing else. For Jupyter itself install it, then run the
same command again:
${installs(platform).join('\n')}

Or use VS Code:
  1. Install its extension "Jupyter":  code --install-extension ms-toolsai.jupyter
  2. Open the folder from this terminal:  ${set}code ${shellWord(folder, platform)}
  3. Open a notebook there and take "Select Kernel" > "Jupyter Kernel..." > "TypeScript (Oddslab)".

Without either, notebooks run all the same:  ${set}oddslab run ${shellWord(exampleIn(folder), platform)} --html`;
}

/** The beginning of a command that sets the data folder for notebooks. */
function setData(data: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `set "ODDSLAB_DATA=${data}" && ` : `ODDSLAB_DATA=${shellWord(data, platform)} `;
}

function installs(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['  brew install jupyterlab'];
  if (platform === 'win32') return ['  py -m pip install jupyterlab'];
  const apt = existsSync('/usr/bin/apt-get') ? ['  sudo apt install jupyter-notebook    # of this system'] : [];
  return [...apt, '  pip install jupyterlab               # or into a Python environment of yours'];
}

function exampleIn(folder: string): string {
  const path = relative('.', folder);
  const examples = existsSync(`${folder}/examples`) ? 'examples/' : '';
  return `${path === '' ? '' : `${path}/`}${examples}01-quick-start.ipynb`;
}
