import type { CellFault, OutputEvent, RunnerEvent } from '../events.js';
import { encodeFrame, frameOf } from '../frame-codec.js';
import { wellFormedJson } from '../well-formed-json.js';

/** Most characters of text in one frame: well below the limit of one JSON text, even after escaping. */
const LARGEST = 8 * 1024 * 1024;

/**
 * Encodes events as one frame or, if they are large, as a frame each; an event too large for any frame is replaced by a
 * message that says so.
 */
export function encodeEvents(events: readonly RunnerEvent[]): Buffer[] {
  let length = 0;
  for (const event of events) if (event.type === 'output') length += lengthOf(event.event);
  return length <= LARGEST ? encode(events) : events.flatMap((event) => encode([event]));
}

/** The number of characters of text in an output. */
export function lengthOf(event: OutputEvent): number {
  if (event.type === 'stream' || event.type === 'progress') return event.text.length;
  const parts = 'data' in event ? Object.values(event.data) : [];
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

function encode(batch: readonly RunnerEvent[]): Buffer[] {
  try {
    return [frameOf(`[${batch.map(jsonOf).join(',')}]`)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (batch.length > 1) return batch.flatMap((event) => encode([event]));
    return batch.map((event) => encodeFrame([tooLarge(event)]));
  }
}

/**
 * Half a surrogate pair may end a stream's text and the next text complete it, so it is kept; the reader joins them.
 */
function jsonOf(event: RunnerEvent): string {
  return event.type === 'output' && event.event.type === 'stream' ? JSON.stringify(event) : wellFormedJson(event);
}

const TOO_LARGE = 'What the cell shows here is too large to be sent. Show a part of it, or write it to a file.';

function tooLarge(event: RunnerEvent): RunnerEvent {
  const fault: CellFault = { name: 'InputError', message: TOO_LARGE, traceback: [`InputError: ${TOO_LARGE}`] };
  if (event.type === 'done') return { ...event, outcome: { status: 'error', fault } };
  const cell = 'cell' in event ? event.cell : 0;
  return { type: 'output', cell, event: { type: 'stream', name: 'stderr', text: `${TOO_LARGE}\n` } };
}
