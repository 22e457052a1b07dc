import type { OutputEvent, RunnerEvent } from '../events.js';

const FLUSH_CHARACTERS = 64 * 1024;
const FLUSH_INTERVAL_MS = 50;

/** What belongs to a cell and keeps its order. */
type CellEvent = Extract<RunnerEvent, { cell: number }>;

interface Slot {
  cell: number;
  event: CellEvent | undefined;
  isPending: boolean;
}

/**
 * Everything that the cells show, in one order, sent in batches: at the end of a turn of the event loop, and within a
 * turn once a batch is large or old, so that an endless loop is seen to print.
 */
export class OutputQueue {
  readonly #send: (events: RunnerEvent[]) => void;
  #slots: Slot[] = [];
  #open = 0;
  #characters = 0;
  #flushedAtMs = performance.now();
  #scheduled = false;
  #waiting: { cell: number; resume: () => void }[] = [];

  constructor(send: (events: RunnerEvent[]) => void) {
    this.#send = send;
  }

  /** Puts an output at the end; text that follows text of the same cell and stream joins it. */
  push(cell: number, event: OutputEvent): void {
    const last = this.#slots.at(-1);
    const before = last?.cell === cell && last.event?.type === 'output' ? last.event : undefined;
    if (event.type === 'stream') {
      this.#characters += event.text.length;
      const text = before?.event;
      if (text?.type === 'stream' && text.name === event.name) text.text += event.text;
      else this.#slots.push({ cell, event: { type: 'output', cell, event: { ...event } }, isPending: false });
    } else if (event.type === 'progress' && before?.event.type === 'progress') before.event = event;
    else this.#slots.push({ cell, event: { type: 'output', cell, event }, isPending: false });
    this.#sendSoon();
  }

  /** Puts anything else at the end. */
  put(event: CellEvent): void {
    this.#slots.push({ cell: event.cell, event, isPending: false });
    this.#sendSoon();
  }

  /** Keeps a place for an output that is not ready yet; the returned function fills it, or frees it with undefined. */
  reserve(cell: number): (event: OutputEvent | undefined) => void {
    const slot: Slot = { cell, event: undefined, isPending: true };
    this.#slots.push(slot);
    this.#open += 1;
    return (event) => {
      if (!slot.isPending) return;
      slot.event = event && { type: 'output', cell, event };
      this.#close(slot);
      this.#sendSoon();
      const isReady = (each: { cell: number }): boolean => each.cell === cell && !this.#isOpen(cell);
      const ready = this.#waiting.filter(isReady);
      this.#waiting = this.#waiting.filter((each) => !ready.includes(each));
      for (const { resume } of ready) resume();
    };
  }

  /** Resolves once no reserved place of the cell is open. */
  settled(cell: number): Promise<void> {
    if (!this.#isOpen(cell)) return Promise.resolve();
    return new Promise((resume) => this.#waiting.push({ cell, resume }));
  }

  /** Gives up the open places of a cell: what would fill them comes too late. */
  abandon(cell: number): void {
    for (const slot of this.#slots) if (slot.cell === cell && slot.isPending) this.#close(slot);
  }

  /** Sends what is ready: of each cell, all before its first open place. */
  flush(): void {
    this.#characters = 0;
    this.#flushedAtMs = performance.now();
    if (this.#slots.length === 0) return;
    const slots = this.#slots;
    const held = this.#open === 0 ? [] : heldBack(slots);
    this.#slots = held;
    const isHeld = new Set(held);
    const events = slots.flatMap((slot) => (slot.event && !isHeld.has(slot) ? [slot.event] : []));
    if (events.length > 0) this.#send(events);
  }

  #isOpen(cell: number): boolean {
    return this.#open > 0 && this.#slots.some((slot) => slot.cell === cell && slot.isPending);
  }

  #close(slot: Slot): void {
    slot.isPending = false;
    this.#open -= 1;
  }

  #sendSoon(): void {
    const isOld = performance.now() - this.#flushedAtMs > FLUSH_INTERVAL_MS;
    if (this.#characters > FLUSH_CHARACTERS || (isOld && this.#scheduled)) this.flush();
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#flushedAtMs = performance.now();
    setImmediateOfNode(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}

/** The cells' code may replace the global one. */
const setImmediateOfNode = setImmediate;

function heldBack(slots: Slot[]): Slot[] {
  const blocked = new Set<number>();
  return slots.filter((slot) => {
    if (slot.isPending) blocked.add(slot.cell);
    return blocked.has(slot.cell);
  });
}
