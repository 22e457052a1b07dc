/** Takes the current step and, once it can be estimated, about how many seconds all of the work will still take. */
export type Tell = (doing: string, secondsLeft?: number) => void;

/** The interval between reports while a step goes on, in milliseconds. */
const TICK_MS = 500;

/** Seconds of work taken as done in as many seconds before the start, since the first moments tell no pace. */
const BEFORE = 10;

/**
 * The progress of work whose steps have known sizes. It estimates how long the rest takes at the pace so far. Sizes are
 * seconds on a typical machine.
 */
export class Progress {
  readonly #tell: Tell;
  readonly #started = performance.now();
  readonly #tick: NodeJS.Timeout;
  #total = 0;
  #done = 0;
  #doing = '';
  #step = { size: 0, done: 0, started: 0 };

  constructor(tell: Tell) {
    this.#tell = tell;
    this.#tick = setInterval(() => this.#say(), TICK_MS).unref();
  }

  /** Adds the size of future work. */
  expect(size: number): void {
    this.#total += size;
  }

  /** Ends the previous step and begins one, whose size must be part of what was expected. */
  begin(doing: string, size: number): void {
    this.#done += this.#step.size;
    this.#step = { size, done: 0, started: performance.now() };
    this.#doing = doing;
    this.#say();
  }

  /** The size of the expected work that comes after this step. */
  get rest(): number {
    return this.#total - this.#done - this.#step.size;
  }

  /** Removes work that is not needed: this step, and future work of the size `toCome`. */
  spare(toCome = 0): void {
    this.#total -= this.#step.size + toCome;
    this.#step.size = 0;
  }

  /** Counts work done in this step. */
  advance(size: number): void {
    this.#step.done = Math.min(this.#step.size, this.#step.done + size);
  }

  /** Ends the reports. */
  end(): void {
    clearInterval(this.#tick);
  }

  #say(): void {
    const now = performance.now();
    const elapsed = (now - this.#started) / 1000;
    const pace = (BEFORE + this.#done) / (BEFORE + (this.#step.started - this.#started) / 1000);
    // A step that does not call `advance` is assumed to go at the pace of the previous ones.
    const guessed = Math.min(0.95 * this.#step.size, ((now - this.#step.started) / 1000) * pace);
    const done = this.#done + Math.max(this.#step.done, guessed);
    const left = ((BEFORE + elapsed) * (this.#total - done)) / (BEFORE + done);
    this.#tell(this.#doing, elapsed > 2 && this.#done > 0 ? Math.max(1, Math.round(left)) : undefined);
  }
}
