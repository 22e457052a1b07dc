import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Surroundings, surroundings } from '../../kernel/install/surroundings.js';

/** A command that opens Jupyter. */
export interface Jupyter {
  /** As it is spoken of, such as `JupyterLab`. */
  readonly title: string;
  readonly command: string;
  /** What comes before the options, such as `-m notebook`. */
  readonly args: readonly string[];
}

/** Before a Python that hangs is given up. */
const ANSWER_MS = 20_000;

/**
 * Finds JupyterLab, else Jupyter Notebook, and takes only what answers: the stand-ins of version managers lie on the
 * PATH whether or not there is anything behind them. Besides the PATH it looks where a virtual environment hides what
 * the system has.
 *
 * @returns Undefined where there is none.
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
