import type { Log } from './log.js';

/**
 * Puts this process's warnings, such as of a damaged file that the service gets along without, into its log. Node.js'
 * own listener would write them between the lines of the log, and not as one of them.
 */
export function logWarnings(log: Log): void {
  process.removeAllListeners('warning').on('warning', (warning) => log.warning(warning));
}
