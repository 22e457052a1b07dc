import type { CellFault, CellOutcome, CommEvent, InputRequest, OutputEvent, Unfinished } from './events.js';

/**
 * Who hears of what a cell does, or the handlers of a comm message. All but `onInput` may also be called once it is over,
 * as long as its process lives.
 */
export interface CellListener {
  /** Gets what the cell shows, in order. */
  onOutput?: (event: OutputEvent) => void;
  /** Gets errors that no cell awaits, of this cell, which is over. Default: shown by `onOutput` as error stream. */
  onFault?: (fault: CellFault) => void;
  /** Asks the reader for a line. Without it, or where it rejects, asking fails in the cell with an error that says so. */
  onInput?: (request: InputRequest) => Promise<string>;
  /** Gets comm messages of the cell's code. */
  onComm?: (comm: CommEvent) => void;
}

/** A process that runs the cells of one notebook and keeps their state. */
export interface Runner {
  /**
   * Runs a cell, after those that were given before. Never rejects: whatever ends the cell, even the end of the
   * process, is its outcome.
   *
   * @param options.name How traces call the cell: `cell 3`. Default `cell`.
   * @param options.expressions Evaluated once the cell has ended well, by name; their values are in the outcome.
   */
  execute(
    code: string,
    options?: { name?: string; expressions?: Record<string, string> } & CellListener,
  ): Promise<CellOutcome>;
  /**
   * Ends the running cell, whatever it is doing, with an {@link INTERRUPTED} fault; what it and the cells before it
   * defined stays. Nothing happens where none is running.
   */
  interrupt(): void;
  /**
   * Hands a front end's comm message to the user's code; resolves once its handlers have returned, or the process has
   * ended.
   *
   * @param listener Hears of what they do, also later, in place of the cells' listeners.
   */
  sendComm(comm: CommEvent, listener?: CellListener): Promise<void>;
  /**
   * Waits, no cell being under way, for the promises that cells ended in, and a second at most for other work that nobody
   * awaits; its outputs and errors are told as those of its cell. Intervals and servers are not waited for, and what
   * nobody awaits and keeps the process from its next turn is interrupted.
   *
   * @param timeoutMs How long the promises may take. Default: as long as anything can settle them.
   * @returns What is still under way, and why the process has ended where it did.
   */
  finish(timeoutMs?: number): Promise<Unfinished>;
  /** Whether the process can still run cells. */
  readonly isAlive: boolean;
  /** Resolves once the process has ended, by whatever cause, with what there is to say of it. */
  readonly ended: Promise<CellFault>;
  /** Ends the process, whatever it is doing; resolves once it has ended. */
  close(): Promise<void>;
}
