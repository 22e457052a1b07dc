import type { CellFault, CellOutcome, CommEvent, InputRequest, OutputEvent, Unfinished } from './events.js';

/**
 * How long what was interrupted may take to end before its process is ended. An interrupt takes a few dozen turns of
 * the process, some 20 ms; on a machine where many programs compete for one core, these have taken three seconds.
 */
export const INTERRUPT_GRACE_MS = 6000;

/**
 * Receives what a cell, or the handlers of a comm message, do. All but `onInput` may also be called after the end, as
 * long as the process lives.
 */
export interface CellListener {
  /** Gets what the cell shows, in order. */
  onOutput?: (event: OutputEvent) => void;
  /**
   * Gets errors that nothing awaits and that occur after the cell has ended. Default: `onOutput` gets them as stderr.
   */
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
   * Waits for the promises in which cells ended, and at most a second for other work that nothing awaits. No cell may
   * be running. Outputs and errors count as those of the cell that caused them. Intervals and servers are not waited
   * for; unawaited work that blocks the event loop is interrupted.
   *
   * @param timeoutMs How long the promises may take. Default: as long as anything can still settle them.
   * @returns What is still under way and, if the process has ended, why.
   */
  finish(timeoutMs?: number): Promise<Unfinished>;
  /** Whether the process can still run cells. */
  readonly isAlive: boolean;
  /** Resolves once the process has ended, for whatever reason, with a fault that describes the end. */
  readonly ended: Promise<CellFault>;
  /** Ends the process, whatever it is doing; resolves once it has ended. */
  close(): Promise<void>;
}
