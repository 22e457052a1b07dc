import { randomUUID } from 'node:crypto';
import { UsageError } from '../../../errors.js';
import type { CommEvent } from '../../events.js';
import { jsonCopy } from './json-copy.js';
import { kindOf } from './kind-of.js';
import { makeQuiet } from './quiet.js';

type Heard = (data: unknown, metadata: Record<string, unknown>) => unknown;
type Opened = (comm: Comm, data: unknown, metadata: Record<string, unknown>) => unknown;

/** One open comm, as the user's code has it. */
class Comm {
  readonly id: string;
  readonly target: string;
  #isOpen = true;
  readonly #send: (comm: CommEvent) => void;
  readonly #onMessage: Heard[] = [];
  readonly #onClose: Heard[] = [];

  constructor(id: string, target: string, send: (comm: CommEvent) => void) {
    this.id = id;
    this.target = target;
    this.#send = send;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(data: unknown, metadata: Record<string, unknown> = {}): void {
    if (!this.#isOpen) throw new UsageError(`The comm '${this.target}' is closed: nobody hears what it sends.`);
    this.#send({ kind: 'msg', id: this.id, data: jsonCopy(data), metadata: metadataOf(metadata) });
  }

  close(data: unknown = {}): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#send({ kind: 'close', id: this.id, data: jsonCopy(data) });
  }

  onMessage(handler: Heard): void {
    this.#onMessage.push(checkedHandler(handler, 'comm.onMessage(handler)'));
  }

  onClose(handler: Heard): void {
    this.#onClose.push(checkedHandler(handler, 'comm.onClose(handler)'));
  }

  /** @internal */
  hear({ kind, data, metadata = {} }: CommEvent): void {
    if (kind === 'close') this.#isOpen = false;
    for (const handler of kind === 'close' ? this.#onClose : this.#onMessage) callAlone(() => handler(data, metadata));
  }
}

/** The comms of the user's code. */
export class Comms {
  readonly #send: (comm: CommEvent) => void;
  readonly #targets = new Map<string, Opened>();
  readonly #open = new Map<string, Comm>();
  /** The global `comms`. */
  readonly api = {
    on: (target: string, handler: Opened): (() => void) => {
      if (typeof target !== 'string' || target === '') {
        throw new UsageError("comms.on(target, handler) takes the name of a target first, such as 'my-widget'.");
      }
      // One that is registered twice is two: each is ended by its own function.
      const opened: Opened = checkedHandler(handler, 'comms.on(target, handler)').bind(undefined);
      this.#targets.set(target, opened);
      return makeQuiet(() => {
        if (this.#targets.get(target) === opened) this.#targets.delete(target);
      });
    },
    open: (target: string, data: unknown = {}, metadata: Record<string, unknown> = {}): Comm => {
      if (typeof target !== 'string' || target === '') {
        throw new UsageError("comms.open(target, data) takes the name of a target first, such as 'my-widget'.");
      }
      const comm = this.#add(randomUUID().replaceAll('-', ''), target);
      this.#send({ kind: 'open', id: comm.id, target, data: jsonCopy(data), metadata: metadataOf(metadata) });
      return comm;
    },
  };

  constructor(send: (comm: CommEvent) => void) {
    this.#send = (comm) => {
      if (comm.kind === 'close') this.#open.delete(comm.id);
      send(comm);
    };
  }

  /** Takes a front end's message. A comm for which no target is registered is closed at once, as the protocol wants. */
  receive(event: CommEvent): void {
    if (event.kind === 'open') {
      const opened = this.#targets.get(event.target ?? '');
      if (opened) {
        const comm = this.#add(event.id, event.target ?? '');
        callAlone(() => opened(comm, event.data, event.metadata ?? {}));
      } else this.#send({ kind: 'close', id: event.id, data: {}, isRefusal: true });
    } else {
      const comm = this.#open.get(event.id);
      if (event.kind === 'close') this.#open.delete(event.id);
      comm?.hear(event);
    }
  }

  #add(id: string, target: string): Comm {
    const comm = new Comm(id, target, this.#send);
    this.#open.set(id, comm);
    return comm;
  }
}

function metadataOf(given: unknown): Record<string, unknown> {
  const copy = jsonCopy(given);
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return { ...copy };
  throw new UsageError(`The metadata of a comm message is an object; got ${kindOf(given)}.`);
}

function checkedHandler<Handler>(handler: Handler, method: string): Handler {
  if (typeof handler === 'function') return handler;
  throw new UsageError(`${method} takes a function that is called with each message.`);
}

/** A handler that fails must not keep the others from hearing; its error is one that no cell awaits. */
function callAlone(call: () => unknown): void {
  void (async () => call())();
}
