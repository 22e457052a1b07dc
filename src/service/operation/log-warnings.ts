import type { Log } from './log.js';

/**
 * Writes this process's warnings into its log, such as one about a damaged file that the service can do without. Node's
 * own listener would write them between the lines of the log, in another format.
 */
export function logWarnings(log: Log): void {
  process.removeAllListeners('warning').on('warning', (warning) => log.warning(warning));
}
