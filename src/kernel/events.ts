/** A picture of a value in one or more formats, by MIME type. */
export interface MimeBundle {
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** Something that a cell showed while it ran, in its order. */
export type OutputEvent =
  | { type: 'stream'; name: 'stdout' | 'stderr'; text: string }
  /** With an id, `update` can replace what is shown, in this cell and in later ones. */
  | ({ type: 'display'; id?: string } & MimeBundle)
  | ({ type: 'update'; id: string } & MimeBundle)
  | ({ type: 'result' } & MimeBundle)
  /** Takes away what the cell has shown so far; with `wait`, once the next output comes. */
  | { type: 'clear'; wait: boolean }
  /** A long text for a reader beside the notebook: the pager of front ends that have one. Never kept. */
  | ({ type: 'page' } & MimeBundle)
  /** How far a long work is, in one line that the next one replaces; empty once it is over. Never kept. */
  | { type: 'progress'; text: string };

/** Why a cell failed, ready to be shown. */
export interface CellFault {
  /** The error's name: `TypeError`. */
  name: string;
  message: string;
  /** Lines for a reader: the error, the code around it, and the calls that led there in the user's own files. */
  traceback: string[];
  /** The innermost of the user's own places; absent where none is known. */
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

/** What one of the expressions that were asked for beside a cell gave. */
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
  /** Of `open` alone: whom it is for. */
  target?: string;
  data: unknown;
  metadata?: Record<string, unknown>;
  /** Binary attachments, as base64: between the processes all is JSON. Default none. */
  buffers?: string[];
  /** Of `close` alone: the comm was for a target that nobody has registered. */
  isRefusal?: boolean;
}

/** A line that a cell asks its reader for. */
export interface InputRequest {
  prompt: string;
  /** Whether what is typed must not be shown. */
  isPassword: boolean;
}

/** What cells that are over have left under way; cells by their names. */
export interface Unfinished {
  /** Those whose last value is a promise that did not settle in its time. */
  late: string[];
  /** Those with a timer that is yet to strike, but for intervals. */
  timers: string[];
  /** Whether a request or a process is under way, of whichever cell. */
  hasRequests: boolean;
  /** Whether code that nobody awaits kept the process from its next turn, and was interrupted. */
  hasLoop: boolean;
  /** Why the process ended meanwhile, or the exit code that the cells have set for it; nothing where that is 0. */
  ended?: CellFault;
}

/** What the runner's process tells its parent. `cell` is the id of the cell, or comm message, that caused it, though it be over. */
export type RunnerEvent =
  | { type: 'ready' }
  | { type: 'output'; cell: number; event: OutputEvent }
  /** An error that no cell awaits, of a cell that is over. */
  | { type: 'fault'; cell: number; fault: CellFault }
  | { type: 'input'; cell: number; id: number; request: InputRequest }
  | { type: 'comm'; cell: number; comm: CommEvent }
  /**
   * The cell or comm message is over; what it wrote natively is in the streams by now. `isPending` where a cell so far
   * ended in a promise that is not settled yet.
   */
  | { type: 'done'; id: number; outcome: CellOutcome; isPending?: boolean }
  /** The promises that cells ended in are settled, or their time is over: what is waited for now, nobody awaits. */
  | { type: 'finishing' }
  /** Nothing is waited for any more. */
  | { type: 'finished'; unfinished: Omit<Unfinished, 'hasLoop' | 'ended'>; exitCode: number }
  /** The process is about to end with this code. */
  | { type: 'exit'; code: number };

/** What the parent tells the runner's process. */
export type RunnerCommand =
  | { type: 'execute'; id: number; code: string; name: string; expressions?: Record<string, string> }
  /** The line that was typed; without one, nobody can be asked. */
  | { type: 'answer'; id: number; text?: string }
  /** Its id, below 0, stands for a cell's where what its handlers do is told; once they have returned, it is done. */
  | { type: 'comm'; id: number; comm: CommEvent }
  | { type: 'finish'; timeoutMs?: number };
