import { delimiter, join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { homeFolder } from '../../base/home-folder.js';

/**
 * The user's kernels folder: under `JUPYTER_DATA_DIR` if it is set, otherwise the platform's (`~/.local/share/jupyter`
 * or `XDG_DATA_HOME` on Linux, `~/Library/Jupyter` on macOS, `%APPDATA%\jupyter` on Windows).
 *
 * @throws {UsageError} If the user has no home folder and no variable names another.
 * @example userKernelsFolder(); // '/home/ada/.local/share/jupyter/kernels'
 */
export function userKernelsFolder(place: Surroundings = surroundings()): string {
  const folder = userDataFolder(place);
  if (folder !== undefined) return resolve(folder, 'kernels');
  throw new UsageError(
    'This user has no home folder. Set HOME or JUPYTER_DATA_DIR, or name an installation: --prefix DIR.',
  );
}

/** The kernels folder of an installation, such as a virtual environment or `/usr/local`. */
export function prefixKernelsFolder(prefix: string): string {
  return resolve(prefix, 'share', 'jupyter', 'kernels');
}

/**
 * All folders in which Jupyter looks for kernels, in its order; the first that has a name wins. They are those of
 * `JUPYTER_PATH`, the user, the active virtual or Conda environment (before the user with `JUPYTER_PREFER_ENV_PATH`),
 * and the system.
 */
export function kernelsFolders(place: Surroundings = surroundings()): string[] {
  const { env } = place;
  const named = (env.JUPYTER_PATH ?? '').split(delimiter).filter(Boolean);
  const active = [env.VIRTUAL_ENV, env.CONDA_PREFIX].flatMap((prefix) =>
    prefix ? [join(prefix, 'share', 'jupyter')] : [],
  );
  const folder = userDataFolder(place);
  const user = folder === undefined ? [] : [folder];
  const prefersActive = /^(1|true|on|yes|y)$/i.test(env.JUPYTER_PREFER_ENV_PATH ?? '');
  const own = prefersActive ? [...active, ...user] : [...user, ...active];
  const folders = [...named, ...own, ...systemDataFolders(place)].map((folder) => resolve(folder, 'kernels'));
  return [...new Set(folders)];
}

function userDataFolder({ platform, home, env }: Surroundings): string | undefined {
  if (env.JUPYTER_DATA_DIR) return resolve(env.JUPYTER_DATA_DIR);
  const inHome = (...names: string[]) => home && join(home, ...names);
  if (platform === 'darwin') return inHome('Library', 'Jupyter');
  const chosen = platform === 'win32' ? env.APPDATA : env.XDG_DATA_HOME;
  if (chosen) return join(chosen, 'jupyter');
  if (platform !== 'win32') return inHome('.local', 'share', 'jupyter');
  return env.JUPYTER_CONFIG_DIR ? join(env.JUPYTER_CONFIG_DIR, 'data') : inHome('.jupyter', 'data');
}

function systemDataFolders({ platform, env }: Surroundings): string[] {
  if (platform === 'win32') return env.PROGRAMDATA ? [join(env.PROGRAMDATA, 'jupyter')] : [];
  return ['/usr/local/share/jupyter', '/usr/share/jupyter'];
}

/** What determines where Jupyter looks: the platform, the home folder and the environment. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Undefined if this user has none. */
  readonly home: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** The surroundings of this process. */
export function surroundings(): Surroundings {
  return { platform: process.platform, home: homeFolder(), env: process.env };
}
