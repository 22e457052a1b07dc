import type { CommEvent, InputRequest, OutputEvent } from '../events.js';

/** What the globals of cells can do to the world outside; each in the name of the cell that calls. */
export interface CellOutlets {
  /** Shows something now. */
  emit(event: OutputEvent): void;
  /** Keeps a place for something that is not ready yet; the returned function fills it, or frees it with undefined. */
  reserve(): (event: OutputEvent | undefined) => void;
  /** Shows a value as its MIME bundle; resolves once it is shown. */
  show(value: unknown, type: 'display' | 'result'): Promise<void>;
  /** Asks the reader for a line; rejects with an InputError where nobody can be asked. */
  ask(request: InputRequest): Promise<string>;
  /** Sends a comm message to the front end. */
  sendComm(comm: CommEvent): void;
  /** Gets each comm message of the front end, in place of who got them before. */
  onComm(handler: (comm: CommEvent) => void): void;
}
