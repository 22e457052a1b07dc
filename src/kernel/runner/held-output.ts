import type { RunnerEvent } from '../events.js';

/** What belongs to a cell and keeps its order. */
export type CellEvent = Extract<RunnerEvent, { cell: number }>;

/** A place among what a cell shows; it is open until it is known what is shown there, if anything. */
export interface Place {
  event: CellEvent | undefined;
  isOpen: boolean;
}

/** What one cell shows, from its first open place on. */
export class HeldOutput {
  #places: Place[] = [];
  /** Index of the first: those before have left. */
  #first = 0;

  /** Puts an event at the end. */
  add(event: CellEvent): void {
    this.#places.push({ event, isOpen: false });
  }

  /** Puts an open place at the end. */
  open(): Place {
    const place: Place = { event: undefined, isOpen: true };
    this.#places.push(place);
    return place;
  }

  /** What the last place holds. */
  get last(): CellEvent | undefined {
    return this.#places.at(-1)?.event;
  }

  get isEmpty(): boolean {
    return this.#first === this.#places.length;
  }

  /** Gives up the open places: what would fill them comes too late. */
  abandon(): void {
    for (const place of this.#places) place.isOpen = false;
  }

  /** Takes out what lies before the first place that is still open. */
  leave(): CellEvent[] {
    const left: CellEvent[] = [];
    for (let place = this.#places[this.#first]; place && !place.isOpen; place = this.#places[this.#first]) {
      if (place.event) left.push(place.event);
      this.#first += 1;
    }
    // Not at each call: to move the rest would take longer the more there is.
    if (this.#first > this.#places.length / 2) {
      this.#places = this.#places.slice(this.#first);
      this.#first = 0;
    }
    return left;
  }
}
