import type { RunnerEvent } from '../events.js';

/** An event that belongs to a cell and is sent in order. */
export type CellEvent = Extract<RunnerEvent, { cell: number }>;

/**
 * One cell's output from its first open place on; or such a place, open until it is known what, if anything, is shown
 * there, with what is shown before that.
 */
export class HeldOutput {
  readonly cell: number;
  /** The place or cell in which it stands; undefined for a cell. */
  readonly parent: HeldOutput | undefined;
  isOpen = true;
  #parts: (CellEvent | HeldOutput)[] = [];
  /** Index of the first part that remains: those before have left. */
  #first = 0;

  constructor(cell: number, parent?: HeldOutput) {
    this.cell = cell;
    this.parent = parent;
  }

  /** Appends an event. */
  add(event: CellEvent): void {
    this.#parts.push(event);
  }

  /** Appends an open place. */
  open(): HeldOutput {
    const place = new HeldOutput(this.cell, this);
    this.#parts.push(place);
    return place;
  }

  /** The event that was added last; undefined if it has left or a place came after it. */
  get last(): CellEvent | undefined {
    const last = this.#parts.at(-1);
    return last instanceof HeldOutput ? undefined : last;
  }

  get isEmpty(): boolean {
    return this.#first === this.#parts.length;
  }

  /** Closes the open places: what would fill them comes too late. */
  abandon(): void {
    for (const part of this.#parts) {
      if (!(part instanceof HeldOutput)) continue;
      part.isOpen = false;
      part.abandon();
    }
  }

  /** Removes and returns what no open place holds up. */
  leave(): CellEvent[] {
    const left: CellEvent[] = [];
    for (let part = this.#parts[this.#first]; part; part = this.#parts[this.#first]) {
      if (part instanceof HeldOutput) {
        for (const event of part.leave()) left.push(event);
        if (part.isOpen || !part.isEmpty) break;
      } else left.push(part);
      this.#first += 1;
    }
    // Not at each call, since moving the rest takes longer the more there is.
    if (this.#first > this.#parts.length / 2) {
      this.#parts = this.#parts.slice(this.#first);
      this.#first = 0;
    }
    return left;
  }
}
