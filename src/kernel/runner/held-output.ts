import type { RunnerEvent } from '../events.js';

/** An event that belongs to a cell and is sent in order. */
export type CellEvent = Extract<RunnerEvent, { cell: number }>;

/** A place in a cell's output; open until it is known what, if anything, is shown there. */
export interface Place {
  event: CellEvent | undefined;
  isOpen: boolean;
}

/** One cell's output from its first open place on. */
export class HeldOutput {
  #places: Place[] = [];
  /** Index of the first place that remains: those before have left. */
  #first = 0;

  /** Appends an event. */
  add(event: CellEvent): void {
    this.#places.push({ event, isOpen: false });
  }

  /** Appends an open place. */
  open(): Place {
    const place: Place = { event: undefined, isOpen: true };
    this.#places.push(place);
    return place;
  }

  /** The event in the last place. */
  get last(): CellEvent | undefined {
    return this.#places.at(-1)?.event;
  }

  get isEmpty(): boolean {
    return this.#first === this.#places.length;
  }

  /** Closes the open places: what would fill them comes too late. */
  abandon(): void {
    for (const place of this.#places) place.isOpen = false;
  }

  /** Removes and returns what comes before the first open place. */
  leave(): CellEvent[] {
    const left: CellEvent[] = [];
    for (let place = this.#places[this.#first]; place && !place.isOpen; place = this.#places[this.#first]) {
      if (place.event) left.push(place.event);
      this.#first += 1;
    }
    // Not at each call, since moving the rest takes longer the more there is.
    if (this.#first > this.#places.length / 2) {
      this.#places = this.#places.slice(this.#first);
      this.#first = 0;
    }
    return left;
  }
}
