import {
  type CellFault,
  type CellListener,
  type CellOutcome,
  type CommEvent,
  plainFault,
  type Runner,
} from '../wire/runner.js';
import type { Answered, Question } from '../wire/variables.js';

/** Says why no process can run cells and what to do; undefined if one can. */
export type Obstacle = () => string | undefined;

/** How a cell ended and whether its process ended with it. */
export interface KeptOutcome {
  outcome: CellOutcome;
  isLost: boolean;
}

/** Keeps a runner at hand: starts a new one as soon as one has ended. */
export class RunnerKeeper {
  readonly #start: () => Runner;
  readonly #obstacle: Obstacle;
  readonly #onLost: (between: CellFault | undefined) => void;
  #runner: Runner | undefined;
  #hasRun = false;
  #isRunning = false;
  #isClosing = false;
  #lost: CellFault | undefined;

  /**
   * @param start Starts a runner; called at once.
   * @param obstacle Asked before each later start.
   * @param onLost Called whenever all that the cells had defined is lost; with the reason, if no cell was running.
   */
  constructor(start: () => Runner, obstacle: Obstacle, onLost: (between: CellFault | undefined) => void) {
    this.#start = start;
    this.#obstacle = obstacle;
    this.#onLost = onLost;
    this.#begin();
  }

  /** Runs a cell; see {@link Runner.execute}. */
  async execute(
    code: string,
    options: { name: string; expressions?: Record<string, string> } & CellListener,
  ): Promise<KeptOutcome> {
    const obstacle = this.#runner?.isAlive ? undefined : this.#obstacle();
    if (obstacle !== undefined)
      return { outcome: { status: 'error', fault: plainFault('ProcessCrash', obstacle) }, isLost: false };
    const runner = this.#runner?.isAlive ? this.#runner : this.#begin();
    this.#hasRun = true;
    this.#isRunning = true;
    try {
      const outcome = await runner.execute(code, options);
      const isLost = !runner.isAlive && !this.#isClosing;
      if (isLost) this.#replace(undefined);
      return { outcome, isLost };
    } finally {
      this.#isRunning = false;
    }
  }

  /** Why the process ended while no cell ran; undefined if it did not. Forgets the reason. */
  takeLoss(): CellFault | undefined {
    const lost = this.#lost;
    this.#lost = undefined;
    return lost;
  }

  /** What to tell a reader after the process has ended: what runs the cells from here on. */
  get sequel(): string {
    return `${this.#obstacle() ?? FRESH}\n`;
  }

  /** See {@link Runner.isWaiting}. */
  get isWaiting(): boolean {
    return this.#runner?.isWaiting ?? false;
  }

  /** See {@link Runner.interrupt}. */
  interrupt(options: { isForEarlier: boolean } = { isForEarlier: false }): void {
    this.#runner?.interrupt(options);
  }

  /** See {@link Runner.hold}. */
  hold(isHeld: boolean): void {
    this.#runner?.hold(isHeld);
  }

  /** See {@link Runner.sendComm}. */
  async sendComm(comm: CommEvent, listener: CellListener): Promise<void> {
    await this.#runner?.sendComm(comm, listener);
  }

  /** See {@link Runner.ask}; `lost` also before the first cell of a process, which declares nothing by itself. */
  async ask<Asked extends Question>(question: Asked): Promise<Answered<Asked['about']>> {
    const runner = this.#hasRun ? this.#runner : undefined;
    return runner ? runner.ask(question) : { status: 'lost' };
  }

  /** Ends the process even if a cell is running in it; another takes its place. */
  endByForce(): void {
    void this.#runner?.close();
  }

  /** Ends the process for good. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#runner?.close();
  }

  #begin(): Runner {
    const runner = this.#start();
    this.#runner = runner;
    this.#hasRun = false;
    void runner.ended.then((fault) => {
      if (this.#runner !== runner || this.#isRunning || this.#isClosing) return;
      // A process that ended before it ran anything would only end again, so the next cell starts the next one.
      if (!this.#hasRun) return;
      this.#lost = fault;
      this.#replace(fault);
    });
    return runner;
  }

  #replace(between: CellFault | undefined): void {
    if (this.#isClosing) return;
    this.#runner = undefined;
    this.#onLost(between);
    if (this.#obstacle() === undefined) this.#begin();
  }
}

const FRESH =
  'A new process runs the cells from now on, with a fresh state: run those again that define what you need.';
