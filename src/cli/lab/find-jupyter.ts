import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Surroundings, surroundings } from '../../kernel/install/jupyter-folders.js';

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
