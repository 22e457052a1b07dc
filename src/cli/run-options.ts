import type { TypesMode } from '../kernel/types/types-mode.js';
import type { CheckOptions } from '../notebook/check/compare-notebooks.js';
import type { GivenParameter } from '../notebook/parameters/parameter-value.js';

/** How notebooks are run, where the results go, and who hears of it. */
export interface RunOptions {
  /** Folder for the results; made if it is missing. Without it nothing is written. */
  out?: string;
  /** Also exports each notebook as a page. Default false. */
  html?: boolean;
  /** How the outputs are compared with those that the notebooks hold. Without it they are not. */
  check?: CheckOptions & { isColoured?: boolean };
  /** Parameters to set; of one name, the last counts. Default none. */
  parameters?: GivenParameter[];
  /** Whether types are checked: `warn` tells of what is wrong, `block` also does not run it. Default `off`. */
  types?: TypesMode;
  /** How long one cell may take. Default: as long as it takes. */
  timeoutMs?: number;
  /** Goes on after a cell that failed. Default false. */
  allowErrors?: boolean;
  /** How many notebooks run at once. Default 1. */
  jobs?: number;
  /** Environment variables of the cells, besides this process's. */
  env?: NodeJS.ProcessEnv;
  /** Called before each cell with its number and how many there are, and with a line while it tells how far it is. */
  onProgress?: (path: string, cell: number, total: number, progress?: string) => void;
  /** Called once a notebook is over. */
  onOver?: (path: string) => void;
  /** Called with each file that was written, in the order of the notebooks. */
  onWritten?: (path: string) => void;
  /** Called with what else there is to say: types that are wrong, errors that were allowed, outputs that agree. */
  onNote?: (text: string) => void;
  /** Ends the run; it then rejects with the signal's reason, and of notebooks that are not over the part that ran is written. */
  signal?: AbortSignal;
}
