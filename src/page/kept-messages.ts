import { fieldOf, jsonIn } from '../base/texts.js';
import type { Packet } from './socket-codec.js';

/** Most bytes that are kept of what a front end has not got; beyond that, output is dropped. */
const MOST_KEPT_BYTES = 32 * 1024 * 1024;

/** What a message takes in memory besides its bytes. */
const MESSAGE_COST = 500;

/** What a clearing of a cell's outputs makes superfluous. */
const CLEARED: readonly string[] = ['stream', 'display_data', 'execute_result', 'error', 'clear_output'];
/** What is never dropped, besides replies: whoever misses it would wait for it, or take a cell for running. */
const NEEDED: readonly string[] = ['status', 'execute_input', 'input_request', 'error', 'clear_output'];

/** A place where output of one request was dropped. */
interface Gap {
  parentHeader: string;
  bytes: number;
}

/** Writes the message that stands where output was dropped. */
export type GapWriter = (parentHeader: string, text: string) => Packet;

/** What is kept of the outputs of one request. */
interface Outputs {
  shown: (Packet | Gap)[];
  /** How many of them the next output clears. */
  clearsNext: number;
}

/** The messages that a front end has not got because it is not connected, in order. */
export class KeptMessages {
  readonly #kept = new Set<Packet | Gap>();
  #bytes = 0;
  /** The last place of each request, by its header, at which output was dropped. */
  readonly #gaps = new Map<string, Gap>();
  /** The outputs of each request, by its header. */
  readonly #outputs = new Map<string, Outputs>();

  /** How much memory they take, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a message, or drops its output if too much is kept already. */
  push(packet: Packet): void {
    const [, parentHeader] = packet.parts;
    const isOutput = CLEARED.includes(packet.type);
    const outputs = isOutput ? this.#outputsOf(parentHeader) : undefined;
    if (outputs && packet.type === 'clear_output') this.#clear(outputs, packet);
    else if (outputs) this.#removeFirst(outputs, outputs.clearsNext);
    const bytes = bytesOf(packet);
    if (this.#bytes + bytes <= MOST_KEPT_BYTES || NEEDED.includes(packet.type) || packet.type.endsWith('_reply')) {
      this.#bytes += bytes;
      this.#kept.add(packet);
      outputs?.shown.push(packet);
      return;
    }
    const gap = this.#gaps.get(parentHeader) ?? { parentHeader, bytes: 0 };
    if (gap.bytes === 0) {
      this.#kept.add(gap);
      this.#outputsOf(parentHeader).shown.push(gap);
    }
    gap.bytes += bytes;
    this.#gaps.set(parentHeader, gap);
  }

  /** Removes and returns what is kept. */
  take(write: GapWriter): Packet[] {
    const kept = [...this.#kept];
    this.#kept.clear();
    this.#bytes = 0;
    this.#gaps.clear();
    this.#outputs.clear();
    return kept.map((each) => ('parts' in each ? each : write(each.parentHeader, droppedText(each.bytes))));
  }

  #outputsOf(parentHeader: string): Outputs {
    const outputs = this.#outputs.get(parentHeader) ?? { shown: [], clearsNext: 0 };
    this.#outputs.set(parentHeader, outputs);
    return outputs;
  }

  /** Takes a message that clears a cell's outputs, at once or when the next comes. */
  #clear(outputs: Outputs, { parts }: Packet): void {
    const waits = fieldOf(jsonIn(parts[3]), 'wait') === true;
    if (!waits) this.#removeFirst(outputs, outputs.shown.length);
    else if (outputs.clearsNext === 0) outputs.clearsNext = outputs.shown.length;
    // That of before has not cleared anything yet, and this one will.
    else this.#remove(outputs.shown.pop());
  }

  #removeFirst(outputs: Outputs, count: number): void {
    outputs.clearsNext = 0;
    if (count > 0) for (const each of outputs.shown.splice(0, count)) this.#remove(each);
  }

  #remove(each: Packet | Gap | undefined): void {
    if (!each || !this.#kept.delete(each)) return;
    if ('parts' in each) this.#bytes -= bytesOf(each);
    else this.#gaps.delete(each.parentHeader);
  }
}

/** What a reader is told where output was dropped. */
export function droppedText(bytes: number): string {
  const most = `at most ${MOST_KEPT_BYTES / 1024 / 1024} MB are kept for it`;
  return `[oddslab] ${shownBytes(bytes)} of output are missing here: no page was connected to show them, and ${most}.\n`;
}

function shownBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / 1024 / 1024)} MB`;
}

function bytesOf({ parts, buffers }: Packet): number {
  return [...parts, ...buffers].reduce((sum, { length }) => sum + length, MESSAGE_COST);
}
