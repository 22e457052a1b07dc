import { TOO_MANY_FILES } from '../base/whole-file.js';
import { type CellFault, type ExitCode, plainFault } from './wire/runner.js';

/** What is known of the end of a runner's process. */
export interface ProcessEnd {
  /** Whether this process ended it. */
  isClosed?: boolean;
  /** Why it could not start. */
  failure?: NodeJS.ErrnoException;
  /** Its working folder, if that is gone. */
  lostFolder?: string;
  /** The code that the user's code gave to `process.exit`. */
  exitCode?: number;
  isOutOfMemory?: boolean;
  /** What it wrote, if it ended before it was ready for cells. */
  startText?: string;
  crashCode?: number | null;
  signal?: NodeJS.Signals | null;
}

const GONE = 'Everything that the cells had defined is gone.';

/** The fault for an exit code that the cells have set, when the process was to end by itself. */
export function exitCodeFault({ code, isTest, cells }: ExitCode): CellFault {
  const who = cells.length === 0 ? 'The cells have' : 'The cell has';
  const set = isTest ? 'A test has failed: node:test has' : who;
  return plainFault('ProcessExit', `${set} set process.exitCode to ${code}.`);
}

/** The fault that describes the end of a runner's process. */
export function processFault(end: ProcessEnd): CellFault {
  const unstarted = (why: string): CellFault =>
    plainFault('ProcessCrash', `The process that runs the cells could not start: ${why}`);
  if (end.failure && end.lostFolder !== undefined) {
    return unstarted(`its folder ${end.lostFolder} is gone. Make it again, or open the notebook from where it is now.`);
  }
  if (end.failure) {
    const { code, message } = end.failure;
    return unstarted(code === 'EMFILE' ? `${message}: ${TOO_MANY_FILES}` : message);
  }
  if (end.isClosed) return plainFault('ProcessClosed', `The process that runs the cells was closed. ${GONE}`);
  if (end.isOutOfMemory) {
    const remedy = 'Work on less data at once, or raise the limit: NODE_OPTIONS=--max-old-space-size=MEGABYTES';
    return plainFault('OutOfMemory', `The cell used up the memory of its process. ${GONE} ${remedy}`);
  }
  if (end.exitCode !== undefined) {
    return plainFault('ProcessExit', `The cell ended its process by process.exit(${end.exitCode}). ${GONE}`);
  }
  if (end.startText) return unstarted(end.startText);
  const how = end.signal ? `was ended by the signal ${end.signal}` : `crashed with code ${end.crashCode}`;
  // Linux kills a process that exhausts the machine's memory.
  const hint = end.signal === 'SIGKILL' ? ' If nobody ended it, the machine had too little memory.' : '';
  return plainFault('ProcessCrash', `The process that runs the cells ${how}. ${GONE}${hint}`);
}
