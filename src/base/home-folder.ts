import { homedir } from 'node:os';

/** This user's home folder; undefined if there is none, as for a container's user without an account entry. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
