import type { RunnerEvent } from '../events.js';

const FLUSH_CHARACTERS = 64 * 1024;
const FLUSH_INTERVAL_MS = 50;

type Slot = { event: RunnerEvent | undefined; isPending: boolean };

/**
 * Everything that the cells show, in one order, sent in batches: at the end of a turn of the event loop, and within a
 * turn once a batch is large or old, so that an endless loop is seen to print.
 */
export class OutputQueue {
  readonly #send: (events: RunnerEvent[]) => void;
  #slots: Slot[] = [];
  #characters = 0;
  #flushedAtMs = performance.now();
  #scheduled = false;
  #waiting: (() => void)[] = [];

  constructor(send: (events: RunnerEvent[]) => void) {
    this.#send = send;
  }

  /** Puts an event at the end; text that follows text of the same stream joins it. */
  push(event: RunnerEvent): void {
    const last = this.#slots.at(-1);
    if (event.type === 'stream') {
      this.#characters += event.text.length;
      if (last?.event?.type === 'stream' && last.event.name === event.name) last.event.text += event.text;
      else this.#slots.push({ event: { ...event }, isPending: false });
    } else if (event.type === 'progress' && last?.event?.type === 'progress') last.event = event;
    else this.#slots.push({ event, isPending: false });
    const isOld = performance.now() - this.#flushedAtMs > FLUSH_INTERVAL_MS;
    if (this.#characters > FLUSH_CHARACTERS || (isOld && this.#scheduled)) this.flush();
    else this.#schedule();
  }

  /** Keeps a place for an event that is not ready yet; the returned function fills it, or frees it with undefined. */
  reserve(): (event: RunnerEvent | undefined) => void {
    const slot: Slot = { event: undefined, isPending: true };
    this.#slots.push(slot);
    return (event) => {
      slot.event = event;
      slot.isPending = false;
      this.#schedule();
      if (!this.#slots.some((other) => other.isPending)) for (const resume of this.#waiting.splice(0)) resume();
    };
  }

  /** Resolves once no reserved place is open. */
  settled(): Promise<void> {
    if (!this.#slots.some((slot) => slot.isPending)) return Promise.resolve();
    return new Promise((resume) => this.#waiting.push(resume));
  }

  /** Sends what is ready, up to the first open place; with `all`, what lies behind open places too. */
  flush(all = false): void {
    const open = all ? -1 : this.#slots.findIndex((slot) => slot.isPending);
    const ready = open === -1 ? this.#slots.splice(0) : this.#slots.splice(0, open);
    this.#characters = 0;
    this.#flushedAtMs = performance.now();
    const events = ready.flatMap((slot) => (slot.event ? [slot.event] : []));
    if (events.length > 0) this.#send(events);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#flushedAtMs = performance.now();
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}
