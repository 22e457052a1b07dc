import { AsyncLocalStorage } from 'node:async_hooks';
import { InputError } from '../../base/errors.js';
import type { OutputPlace } from '../display/cell-globals.js';
import { lengthOf } from '../wire/event-frames.js';
import type { OutputEvent, RunnerEvent } from '../wire/runner.js';
import { setImmediateOfNode } from './node-internals.js';

const FLUSH_CHARACTERS = 64 * 1024;
const FLUSH_INTERVAL_MS = 50;
/** How many outputs are sent singly and at once before further ones are batched; regained by one a millisecond. */
const BURST = 50;
/** Most characters in one stream event; longer text is sent in several. */
const LARGEST_TEXT = 1024 * 1024;
/** Most characters of any other single output. */
const LARGEST_SHOWN = 100 * 1024 * 1024;

/**
 * Everything that the cells show, in one order. Occasional output is sent at once, so that it is seen even if the next
 * statement blocks or ends the process. A flood is sent in batches: at the end of a turn of the event loop, within a
 * turn once a batch is large or old, and at each flush. A cell's value has no next statement, so it goes with the
 * cell's end.
 */
export class OutputQueue {
  readonly #send: (events: RunnerEvent[]) => void;
  readonly #onHeld: () => void;
  #isBusy = false;
  #burst = BURST;
  #countedAtMs = performance.now();
  #ready: CellEvent[] = [];
  /** By cell, for the cells that have an open place. */
  readonly #held = new Map<number, HeldOutput>();
  /** The place for which runs what runs now. */
  readonly #drawn = new AsyncLocalStorage<HeldOutput>();
  #characters = 0;
  #flushedAtMs = performance.now();
  #scheduled = false;
  #waiting: { cell: number; resume: () => void }[] = [];

  /** @param onHeld Called when output begins to be held back; `flushBetween` then shows it even in a long turn. */
  constructor(send: (events: RunnerEvent[]) => void, onHeld: () => void = () => {}) {
    this.#send = send;
    this.#onHeld = onHeld;
  }

  /** Appends an output, joined with text of the same stream before it; throws if it is too large to be shown. */
  push(cell: number, event: OutputEvent): void {
    checkLength(event);
    if (event.type === 'stream' && event.text.length > LARGEST_TEXT) {
      for (const text of partsOf(event.text)) this.push(cell, { ...event, text });
      return;
    }
    this.#isBusy = true;
    const held = this.#placeOf(cell) ?? this.#held.get(cell);
    // A copy, because its text may grow.
    if (!joined(held ? held.last : this.#ready.at(-1), cell, event))
      this.#add({ type: 'output', cell, event: { ...event } });
    if (event.type === 'stream') this.#characters += event.text.length;
    if (event.type !== 'result') this.#sendSoon();
    this.#isBusy = false;
  }

  /** Appends any other event. */
  put(event: CellEvent): void {
    this.#isBusy = true;
    this.#add(event);
    this.#sendSoon();
    this.#isBusy = false;
  }

  /** Reserves a place for an output that is not ready yet. */
  reserve(cell: number): OutputPlace {
    const held = this.#held.get(cell) ?? new HeldOutput(cell);
    this.#held.set(cell, held);
    const place = (this.#placeOf(cell) ?? held).open();
    const fill = (event: OutputEvent | undefined): void => {
      if (!place.isOpen) return;
      if (event) checkLength(event);
      this.#isBusy = true;
      if (event) place.add({ type: 'output', cell, event });
      place.isOpen = false;
      this.#release(cell, held);
      if (event?.type !== 'result') this.#sendSoon();
      this.#isBusy = false;
      this.#resume(cell);
    };
    return { fill, draw: (task) => this.#drawn.run(place, task) };
  }

  /** Whether what runs now, such as a value's own display method, draws what is to fill a cell's open place. */
  isDrawing(cell: number): boolean {
    return this.#placeOf(cell) !== undefined;
  }

  /** Resolves once no reserved place of the cell is open. */
  settled(cell: number): Promise<void> {
    if (!this.#held.has(cell)) return Promise.resolve();
    return new Promise((resume) => this.#waiting.push({ cell, resume }));
  }

  /** Gives up a cell's open places: what would fill them comes too late. */
  abandon(cell: number): void {
    const held = this.#held.get(cell);
    held?.abandon();
    if (held) this.#release(cell, held);
  }

  /** Sends what is ready, for each cell everything before its first open place, and then `last`. */
  flush(last?: RunnerEvent): void {
    this.#isBusy = true;
    this.#sendReady(last);
    this.#isBusy = false;
  }

  /** Does the same for callers that may interrupt any statement; within one of this class, it sends nothing. */
  flushBetween(): void {
    if (!this.#isBusy) this.flush();
  }

  #sendReady(last?: RunnerEvent): void {
    this.#characters = 0;
    this.#flushedAtMs = performance.now();
    const events: RunnerEvent[] = this.#ready;
    this.#ready = [];
    if (last) events.push(last);
    if (events.length > 0) this.#send(events);
  }

  /** The innermost open place of a cell that what runs now draws. */
  #placeOf(cell: number): HeldOutput | undefined {
    let place = this.#drawn.getStore();
    while (place && !(place.isOpen && place.parent)) place = place.parent;
    return place?.cell === cell ? place : undefined;
  }

  #add(event: CellEvent): void {
    const held = this.#held.get(event.cell);
    if (held) {
      (this.#placeOf(event.cell) ?? held).add(event);
      this.#release(event.cell, held);
    } else this.#ready.push(event);
  }

  /** Makes ready what comes before a cell's first open place. */
  #release(cell: number, held: HeldOutput): void {
    for (const event of held.leave()) {
      const isJoined = event.type === 'output' && joined(this.#ready.at(-1), cell, event.event);
      if (!isJoined) this.#ready.push(event);
    }
    if (held.isEmpty) this.#held.delete(cell);
  }

  #resume(cell: number): void {
    if (this.#held.has(cell)) return;
    const ready = this.#waiting.filter((each) => each.cell === cell);
    this.#waiting = this.#waiting.filter((each) => each.cell !== cell);
    for (const { resume } of ready) resume();
  }

  #sendSoon(): void {
    const nowMs = performance.now();
    this.#burst = Math.min(BURST, this.#burst + nowMs - this.#countedAtMs);
    this.#countedAtMs = nowMs;
    if (this.#burst >= 1 && !this.#scheduled) {
      this.#burst -= 1;
      this.#sendReady();
      return;
    }
    const isOld = nowMs - this.#flushedAtMs > FLUSH_INTERVAL_MS;
    if (this.#characters > FLUSH_CHARACTERS || (isOld && this.#scheduled)) this.#sendReady();
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#flushedAtMs = nowMs;
    this.#onHeld();
    setImmediateOfNode(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}

/** Joins text or progress with the output before it; false if they cannot be joined. */
function joined(last: CellEvent | undefined, cell: number, event: OutputEvent): boolean {
  if (last?.type !== 'output' || last.cell !== cell) return false;
  const before = last.event;
  if (event.type === 'progress' && before.type === 'progress') {
    last.event = event;
    return true;
  }
  const isText = event.type === 'stream' && before.type === 'stream' && before.name === event.name;
  if (!isText || before.text.length >= LARGEST_TEXT) return false;
  before.text += event.text;
  return true;
}

function checkLength(event: OutputEvent): void {
  if (event.type === 'stream' || lengthOf(event) <= LARGEST_SHOWN) return;
  const length = Math.round(lengthOf(event) / 1024 / 1024);
  throw new InputError(
    `What is shown here has ${length} MB of text; up to ${LARGEST_SHOWN / 1024 / 1024} MB can be shown at once. ` +
      'Show a part of it, or write it to a file.',
  );
}

/** Splits text into parts without cutting a surrogate pair. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + LARGEST_TEXT;
    const isBetween = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length;
    yield text.slice(start, isBetween ? end - 1 : end);
    start = isBetween ? end - 1 : end;
  }
}

/** An event that belongs to a cell and is sent in order. */
type CellEvent = Extract<RunnerEvent, { cell: number }>;

/** One cell's output from its first open place on; or such a place, open until it is known what is shown there. */
class HeldOutput {
  readonly cell: number;
  /** The place or cell in which it stands; undefined for a cell. */
  readonly parent: HeldOutput | undefined;
  isOpen = true;
  #parts: (CellEvent | HeldOutput)[] = [];
  /** How many of the parts have left. */
  #left = 0;

  constructor(cell: number, parent?: HeldOutput) {
    this.cell = cell;
    this.parent = parent;
  }

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
    const last = this.isEmpty ? undefined : this.#parts.at(-1);
    return last instanceof HeldOutput ? undefined : last;
  }

  get isEmpty(): boolean {
    return this.#left === this.#parts.length;
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
    for (; this.#left < this.#parts.length; this.#left++) {
      const part = this.#parts[this.#left];
      if (part instanceof HeldOutput) {
        for (const event of part.leave()) left.push(event);
        if (part.isOpen || !part.isEmpty) break;
      } else if (part) left.push(part);
    }
    // Now and then, as each time moves all that stay.
    if (2 * this.#left >= this.#parts.length) {
      this.#parts = this.#parts.slice(this.#left);
      this.#left = 0;
    }
    return left;
  }
}
