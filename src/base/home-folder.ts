import { homedir } from 'node:os';
import { join } from 'node:path';

/** This user's home folder; undefined if there is none, as for a container's user without an account entry. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The folder for what is kept for this user from one run to the next: `oddslab` in the platform's folder for data
 * (`~/.local/share` or `XDG_DATA_HOME` on Linux, `~/Library/Application Support` on macOS, `%APPDATA%` on Windows).
 *
 * @returns Undefined if the user has no home folder. It may not exist yet.
 * @example keptFolder({}); // '/home/ada/.local/share/oddslab'
 */
export function keptFolder(env: NodeJS.ProcessEnv): string | undefined {
  const folder = dataFolder(env);
  return folder === undefined ? undefined : join(folder, 'oddslab');
}

function dataFolder(env: NodeJS.ProcessEnv): string | undefined {
  const own = process.platform === 'win32' ? env.APPDATA : process.platform === 'darwin' ? '' : env.XDG_DATA_HOME;
  const home = homeFolder();
  if (own || home === undefined) return own || undefined;
  if (process.platform === 'win32') return join(home, 'AppData', 'Roaming');
  return process.platform === 'darwin' ? join(home, 'Library', 'Application Support') : join(home, '.local', 'share');
}
