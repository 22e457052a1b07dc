/** A picture of a value in one or more formats, by MIME type. */
export interface MimeBundle {
  data: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** Something that a cell showed while it ran, in its order. */
export type OutputEvent =
  | { type: 'stream'; name: 'stdout' | 'stderr'; text: string }
  | ({ type: 'display' } & MimeBundle)
  | ({ type: 'result' } & MimeBundle)
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

/** How a cell ended. */
export type CellOutcome = { status: 'ok' } | { status: 'error'; fault: CellFault };

/** What the runner's process tells its parent. */
export type RunnerEvent =
  | OutputEvent
  | { type: 'ready' }
  /** The cell is over; its native output ends in each named stream at this id's mark. */
  | { type: 'done'; id: number; outcome: CellOutcome; marked: ('stdout' | 'stderr')[] }
  /** The process is about to end with this code. */
  | { type: 'exit'; code: number };

/** What the parent tells the runner's process. */
export interface RunnerCommand {
  type: 'execute';
  id: number;
  code: string;
  name: string;
}

/** The mark that the runner writes to its native streams when a cell is over. */
export function nativeMark(id: number): string {
  return `\0oddslab:${id}\0`;
}
