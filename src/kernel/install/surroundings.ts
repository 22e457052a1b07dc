import { homeFolder } from '../home-folder.js';

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
