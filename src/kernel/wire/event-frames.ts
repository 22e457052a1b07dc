import { type OutputEvent, plainFault, type RunnerEvent } from './runner.js';

/** Encodes one message for a pipe: its JSON as a line. */
export function encodeFrame(message: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(message)}\n`);
}

/** Reassembles the messages of a pipe, however its bytes were cut. */
export class FrameDecoder<Message> {
  #chunks: Buffer[] = [];

  /** Takes the next bytes; returns the messages that they complete. */
  push(chunk: Buffer): Message[] {
    this.#chunks.push(chunk);
    // A message of many chunks is joined once, when it is there.
    if (!chunk.includes('\n')) return [];
    const bytes = Buffer.concat(this.#chunks);
    const messages: Message[] = [];
    let at = 0;
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', at)) {
      messages.push(JSON.parse(bytes.toString('utf8', at, end)) as Message);
      at = end + 1;
    }
    this.#chunks = [bytes.subarray(at)];
    return messages;
  }
}

/** Most characters of text in one frame: well below the limit of one JSON text, even after escaping. */
const LARGEST = 8 * 1024 * 1024;

/** Encodes events as one frame, if they are large as a frame each; says so in place of one too large for any frame. */
export function encodeEvents(events: readonly RunnerEvent[]): Buffer[] {
  const length = events.reduce((sum, event) => sum + (event.type === 'output' ? lengthOf(event.event) : 0), 0);
  const apart = (): Buffer[] => events.flatMap((event) => encodeEvents([event]));
  if (length > LARGEST && events.length > 1) return apart();
  try {
    return [Buffer.from(`[${events.map(jsonOf).join(',')}]\n`)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return events.length > 1 ? apart() : [encodeFrame(events.map(tooLarge))];
  }
}

/** The number of characters of text in an output. */
export function lengthOf(event: OutputEvent): number {
  if (event.type === 'stream' || event.type === 'progress') return event.text.length;
  const parts = 'data' in event ? Object.values(event.data) : [];
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

/** A stream's text may end in half a surrogate pair, which the next text completes: it is kept for the reader. */
function jsonOf(event: RunnerEvent): string {
  return event.type === 'output' && event.event.type === 'stream' ? JSON.stringify(event) : wellFormedJson(event);
}

const TOO_LARGE = 'What the cell shows here is too large to be sent. Show a part of it, or write it to a file.';

function tooLarge(event: RunnerEvent): RunnerEvent {
  if (event.type === 'done') {
    return { ...event, outcome: { status: 'error', fault: plainFault('InputError', TOO_LARGE) } };
  }
  const cell = 'cell' in event ? event.cell : 0;
  return { type: 'output', cell, event: { type: 'stream', name: 'stderr', text: `${TOO_LARGE}\n` } };
}

/**
 * A value as JSON in which U+FFFD replaces each unpaired surrogate, as when Node prints it: UTF-8 cannot represent one,
 * and front ends cannot save text with one.
 */
export function wellFormedJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON escapes only surrogates this way, but an escaped backslash may precede the same letters.
  return json.includes('\\ud') ? json.replace(ESCAPED, (each) => (each === '\\\\' ? each : '\ufffd')) : json;
}

const ESCAPED = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;
