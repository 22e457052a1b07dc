import { homedir } from 'node:os';

/** This user's home folder; undefined where there is none, as for a user of a container whom nobody entered anywhere. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
