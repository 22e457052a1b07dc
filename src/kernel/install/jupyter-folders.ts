import { delimiter, join, resolve } from 'node:path';
import { type Surroundings, surroundings } from './surroundings.js';

/**
 * The user's kernels folder: below `JUPYTER_DATA_DIR` where it is set, else where the platform has it
 * (`~/.local/share/jupyter` or `XDG_DATA_HOME` on Linux, `~/Library/Jupyter` on macOS, `%APPDATA%\jupyter` on Windows).
 *
 * @example userKernelsFolder(); // '/home/ada/.local/share/jupyter/kernels'
 */
export function userKernelsFolder(place: Surroundings = surroundings()): string {
  return join(userDataFolder(place), 'kernels');
}

/** The kernels folder of an installation, such as a virtual environment or `/usr/local`. */
export function prefixKernelsFolder(prefix: string): string {
  return resolve(prefix, 'share', 'jupyter', 'kernels');
}

/**
 * Every folder in which Jupyter looks for kernels, in its own order: the first that has a name wins. `JUPYTER_PATH`,
 * the user's folder, the active virtual or Conda environment, the system's.
 */
export function kernelsFolders(place: Surroundings = surroundings()): string[] {
  const { env } = place;
  const named = (env.JUPYTER_PATH ?? '').split(delimiter).filter(Boolean);
  const active = [env.VIRTUAL_ENV, env.CONDA_PREFIX].flatMap((prefix) =>
    prefix ? [join(prefix, 'share', 'jupyter')] : [],
  );
  const user = userDataFolder(place);
  const prefersActive = /^(1|true|on|yes|y)$/i.test(env.JUPYTER_PREFER_ENV_PATH ?? '');
  const own = prefersActive ? [...active, user] : [user, ...active];
  const folders = [...named, ...own, ...systemDataFolders(place)].map((folder) => resolve(folder, 'kernels'));
  return [...new Set(folders)];
}

function userDataFolder({ platform, home, env }: Surroundings): string {
  if (env.JUPYTER_DATA_DIR) return resolve(env.JUPYTER_DATA_DIR);
  if (platform === 'darwin') return join(home, 'Library', 'Jupyter');
  if (platform !== 'win32') return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'jupyter');
  return env.APPDATA ? join(env.APPDATA, 'jupyter') : join(env.JUPYTER_CONFIG_DIR || join(home, '.jupyter'), 'data');
}

function systemDataFolders({ platform, env }: Surroundings): string[] {
  if (platform === 'win32') return env.PROGRAMDATA ? [join(env.PROGRAMDATA, 'jupyter')] : [];
  return ['/usr/local/share/jupyter', '/usr/share/jupyter'];
}
