import type { Answered, Question } from './variables.js';

/**
 * How long what was interrupted may take to end before its process is ended. An interrupt takes a few dozen turns of
 * the process, some 20 ms; on a machine where many programs compete for one core, these have taken three seconds.
 */
export const INTERRUPT_GRACE_MS = 6000;

/** Receives what a cell, or a comm message's handlers, do; all but `onInput` also after its end. */
export interface CellListener {
  /** Gets what the cell shows, in order. */
  onOutput?: (event: OutputEvent) => void;
  /** Gets errors that nothing awaits, of a cell that has ended. Default: `onOutput` gets them as stderr. */
  onFault?: (fault: CellFault) => void;
  /** Asks the reader for a line. Without it, or if it rejects, asking fails in the cell with an error that says so. */
  onInput?: (request: InputRequest) => Promise<string>;
  /** Gets comm messages of the cell's code. */
  onComm?: (comm: CommEvent) => void;
}

/** A process that runs the cells of one notebook and keeps their state. */
export interface Runner {
  /**
   * Runs a cell after those given before. Never rejects: what ends the cell, even the process's end, is its outcome.
   *
   * @param options.name How traces name the cell: `cell 3`. Default `cell`.
   * @param options.expressions Expressions by name, evaluated once the cell has succeeded, for the outcome.
   */
  execute(
    code: string,
    options?: { name?: string; expressions?: Record<string, string> } & CellListener,
  ): Promise<CellOutcome>;
  /**
   * Ends the running cell, whatever it is doing, with an {@link INTERRUPTED} fault; what it and earlier cells defined
   * stays. If no cell is running, ends only a loop that an ended cell left behind.
   *
   * @param options.isForEarlier Spares the running cell: ends only what the cell before it left behind.
   */
  interrupt(options?: { isForEarlier: boolean }): void;
  /**
   * Hands a front end's comm message to the user's code; resolves once its handlers have returned or the process ended.
   *
   * @param listener Receives what the handlers do, also later, in place of the cells' listeners.
   */
  sendComm(comm: CommEvent, listener?: CellListener): Promise<void>;
  /**
   * Asks about the cells' variables, also while a cell waits for something. Never rejects: soon says `busy` if a cell
   * computes without pause.
   */
  ask<Asked extends Question>(question: Asked): Promise<Answered<Asked['about']>>;
  /**
   * Waits for the promises in which cells ended, and at most a second for other work that nothing awaits. No cell may
   * be running. Outputs and errors count as those of the cell that caused them. Intervals and servers are not waited
   * for; unawaited work that blocks the event loop is interrupted.
   *
   * @param timeoutMs How long the promises may take. Default: as long as anything can still settle them.
   * @returns What is still under way and, if the process has ended, why.
   */
  finish(timeoutMs?: number): Promise<Unfinished>;
  /**
   * Leaves unread what the process tells, so that it waits as soon as it shows more, until this is called again with
   * false. An interrupt ends the wait, since a waiting process cannot be interrupted.
   */
  hold(isHeld: boolean): void;
  /** Whether the process can still run cells. */
  readonly isAlive: boolean;
  /** Whether a cell waits for a command in a call, such as `execSync`, which only the end of the command ends. */
  readonly isWaiting: boolean;
  /** Resolves once the process has ended, for whatever reason, with a fault that describes the end. */
  readonly ended: Promise<CellFault>;
  /** Ends the process, whatever it is doing; resolves once it has ended. */
  close(): Promise<void>;
}

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

/** A fault of which nothing but its name and message is known or told. */
export function plainFault(name: string, message: string): CellFault {
  return { name, message, traceback: [`${name}: ${message}`] };
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
  /** The cells that have set that code, where they are known: of failed tests all in which one failed. */
  endedBy?: string[];
}

/** An exit code other than 0 that cells have set for their process. */
export interface ExitCode {
  code: number;
  /** Whether node:test set it, because a test failed. */
  isTest: boolean;
  /** The name of the cell that set it, or of each of which a test failed, in their order; empty if unknown. */
  cells: string[];
}

/** What the runner's process tells its parent. `cell` is the cell or comm message, perhaps over, that caused it. */
export type RunnerEvent =
  | { type: 'ready' }
  | { type: 'output'; cell: number; event: OutputEvent }
  /** An unawaited error of a cell that has ended. */
  | { type: 'fault'; cell: number; fault: CellFault }
  | { type: 'input'; cell: number; id: number; request: InputRequest }
  | { type: 'comm'; cell: number; comm: CommEvent }
  /** The cell or comm message is over, its native output told. `isPending`: a cell so far ended in an open promise. */
  | { type: 'done'; id: number; outcome: CellOutcome; isPending?: boolean }
  /** The promises in which cells ended are settled or out of time; the wait for unawaited work begins. */
  | { type: 'finishing' }
  /** The wait is over. */
  | { type: 'finished'; unfinished: Omit<Unfinished, 'hasLoop' | 'ended'>; exit?: ExitCode }
  /** A command for which a cell waits in a call, such as `execSync`, is about to begin, or is over. */
  | { type: 'waits'; isWaiting: boolean }
  /** A question has arrived and is being answered. */
  | { type: 'heard'; id: number }
  | { type: 'told'; id: number; answered: Answered }
  /** The process is about to end with this code. */
  | { type: 'exit'; code: number };

/** What the parent tells the runner's process. */
export type RunnerCommand =
  | { type: 'execute'; id: number; code: string; name: string; expressions?: Record<string, string> }
  /** The line that was typed; no text means that nobody can be asked. */
  | { type: 'answer'; id: number; text?: string }
  /** Its id, below 0, takes the place of a cell's in what its handlers do; it is done once they have returned. */
  | { type: 'comm'; id: number; comm: CommEvent }
  | { type: 'ask'; id: number; question: Question }
  | { type: 'finish'; timeoutMs?: number };
