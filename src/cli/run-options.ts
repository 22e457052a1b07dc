import type { TypesMode } from '../kernel/types/type-service.js';
import type { CheckOptions } from '../notebook/check/compare-notebooks.js';
import type { GivenParameter } from '../notebook/parameters/given-parameters.js';

/** How notebooks are run, where the results go, and what is called meanwhile. */
export interface RunOptions {
  /** Folder for the results; created if it is missing. Without it nothing is written. */
  out?: string;
  /** Whether each notebook is also exported as an HTML page. Default: false. */
  html?: boolean;
  /** How the outputs are compared with the stored ones. Without it they are not compared. */
  check?: CheckOptions & { isColoured?: boolean };
  /** Parameters to set; of several with one name, the last counts. Default: none. */
  parameters?: GivenParameter[];
  /** Type checking: `warn` reports findings, `block` also does not run a notebook with errors. Default: `off`. */
  types?: TypesMode;
  /** Time limit for one cell. Default: none. */
  timeoutMs?: number;
  /** Whether a notebook continues after a cell that failed. Default: false. */
  allowErrors?: boolean;
  /** How many notebooks run at once. Default: 1. */
  jobs?: number;
  /** Environment variables for the cells, besides those of this process. */
  env?: NodeJS.ProcessEnv;
  /** Called before each cell with its number and the number of cells, and with each line of progress it reports. */
  onProgress?: (path: string, cell: number, total: number, progress?: string) => void;
  /** Called when a notebook is done. */
  onOver?: (path: string) => void;
  /** Called with each file that was written, in the order of the notebooks. */
  onWritten?: (path: string) => void;
  /** Called with other messages: type errors, errors that were allowed, outputs that agree. */
  onNote?: (text: string) => void;
  /**
   * Ends the run: unfinished notebooks are written as far as they ran, and the run rejects with the signal's reason.
   */
  signal?: AbortSignal;
}
