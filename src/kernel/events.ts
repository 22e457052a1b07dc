/** A picture of a value in one or more formats, by MIME type. */
export interface MimeBundle {
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** Something that a cell showed, in order. */
export type OutputEvent =
  | { type: 'stream'; name: 'stdout' | 'stderr'; text: string }
  /** With an id, an `update` in this cell or a later one can replace it. */
  | ({ type: 'display'; id?: string } & MimeBundle)
  | ({ type: 'update'; id: string } & MimeBundle)
  | ({ type: 'result' } & MimeBundle)
  /** Removes what the cell has shown so far; with `wait`, when the next output comes. */
  | { type: 'clear'; wait: boolean }
  /** A long text shown beside the notebook, in the pager of front ends that have one. Never kept. */
  | ({ type: 'page' } & MimeBundle)
  /** Progress of long work in one line that replaces the line before; empty once it is over. Never kept. */
  | { type: 'progress'; text: string };

/** Why a cell failed, ready to be shown. */
export interface CellFault {
  /** The error's name: `TypeError`. */
  name: string;
  message: string;
  /** Lines for a reader: the error, the code around it and the calls in the user's own files that led there. */
  traceback: string[];
  /** The innermost place in the user's code; absent if unknown. */
  at?: Place;
}

/** A place in the user's code. */
export interface Place {
  /** `cell 3`, or a file's path relative to the notebook's folder. */
  name: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
}

/** The outcome of one of the expressions to evaluate after a cell. */
export type ExpressionOutcome = ({ status: 'ok' } & MimeBundle) | { status: 'error'; fault: CellFault };

/** How a cell ended. */
export type CellOutcome =
  | { status: 'ok'; expressions?: Record<string, ExpressionOutcome> }
  | { status: 'error'; fault: CellFault };

/** The `name` of the fault of a cell that was interrupted. */
export const INTERRUPTED = 'Interrupted';

/** A message on one of Jupyter's comms, which carry data between a front end and the user's code. */
export interface CommEvent {
  kind: 'open' | 'msg' | 'close';
  id: string;
  /** The target's name; only for `open`. */
  target?: string;
  data: unknown;
  metadata?: Record<string, unknown>;
  /** Binary attachments as base64, since the processes exchange JSON. Default none. */
  buffers?: string[];
  /** Whether the comm was refused because nobody registered its target; only for `close`. */
  isRefusal?: boolean;
}

/** A line that a cell asks its reader for. */
export interface InputRequest {
  prompt: string;
  /** Whether what is typed must be hidden. */
  isPassword: boolean;
}

/** What cells that have ended left under way; cells by name. */
export interface Unfinished {
  /** Cells whose last value is a promise that did not settle in time. */
  late: string[];
  /** Cells with a pending timer, apart from intervals. */
  timers: string[];
  /** Whether any cell's request or child process is under way. */
  hasRequests: boolean;
  /** Whether unawaited code blocked the event loop and was interrupted. */
  hasLoop: boolean;
  /** Why the process ended meanwhile, or the exit code that the cells have set for it; absent if that is 0. */
  ended?: CellFault;
}

/**
 * What the runner's process tells its parent. `cell` is the id of the cell or comm message, perhaps over, that caused
 * it.
 */
export type RunnerEvent =
  | { type: 'ready' }
  | { type: 'output'; cell: number; event: OutputEvent }
  /** An unawaited error of a cell that has ended. */
  | { type: 'fault'; cell: number; fault: CellFault }
  | { type: 'input'; cell: number; id: number; request: InputRequest }
  | { type: 'comm'; cell: number; comm: CommEvent }
  /**
   * The cell or comm message is over; its native output is in the streams by now. `isPending` if a cell so far ended in
   * a promise that is not settled yet.
   */
  | { type: 'done'; id: number; outcome: CellOutcome; isPending?: boolean }
  /** The promises in which cells ended are settled or out of time; the wait for unawaited work begins. */
  | { type: 'finishing' }
  /** The wait is over. */
  | { type: 'finished'; unfinished: Omit<Unfinished, 'hasLoop' | 'ended'>; exitCode: number }
  /** The process is about to end with this code. */
  | { type: 'exit'; code: number };

/** What the parent tells the runner's process. */
export type RunnerCommand =
  | { type: 'execute'; id: number; code: string; name: string; expressions?: Record<string, string> }
  /** The line that was typed; no text means that nobody can be asked. */
  | { type: 'answer'; id: number; text?: string }
  /** Its id, below 0, takes the place of a cell's in what its handlers do; it is done once they have returned. */
  | { type: 'comm'; id: number; comm: CommEvent }
  | { type: 'finish'; timeoutMs?: number };
