import { homedir } from 'node:os';

/** What decides where Jupyter looks: the platform, the home folder and the environment. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Those of this process. */
export function surroundings(): Surroundings {
  return { platform: process.platform, home: homedir(), env: process.env };
}
