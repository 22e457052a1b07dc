import type { CommEvent, InputRequest, OutputEvent } from '../events.js';
import type { Place } from './output-queue.js';

/** How the globals of cells reach the outside; each call counts as the calling cell's. */
export interface CellOutlets {
  /** Shows something at once. */
  emit(event: OutputEvent): void;
  /** Reserves a place for an output that is not ready yet. */
  reserve(): Place;
  /** Shows a value as its MIME bundle; resolves once it is shown. */
  show(value: unknown, type: 'display' | 'result'): Promise<void>;
  /** Asks the reader for a line; rejects with an InputError if nobody can be asked. */
  ask(request: InputRequest): Promise<string>;
  /** Sends a comm message to the front end. */
  sendComm(comm: CommEvent): void;
  /** Sets the handler of the front end's comm messages, in place of the one before. */
  onComm(handler: (comm: CommEvent) => void): void;
}
