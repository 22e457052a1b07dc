import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import { UsageError } from '../../base/errors.js';
import { jsonCopy } from '../../base/texts.js';
import type { CommEvent } from '../wire/runner.js';
import { kindOf, makeQuiet } from './mime-bundle.js';

type Bytes = NodeJS.ArrayBufferView | ArrayBufferLike;
type Heard = (data: unknown, metadata: Record<string, unknown>, buffers: Uint8Array[]) => unknown;
type Opened = (comm: Comm, ...heard: Parameters<Heard>) => unknown;

/** One open comm, as the user's code sees it. */
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

  send(data: unknown, metadata: Record<string, unknown> = {}, buffers: readonly Bytes[] = []): void {
    if (!this.#isOpen) throw new UsageError(`The comm '${this.target}' is closed: nobody hears what it sends.`);
    this.#send({ kind: 'msg', id: this.id, ...contentOf(data, metadata, buffers) });
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
  hear(event: CommEvent): void {
    const isClose = event.kind === 'close';
    if (isClose) this.#isOpen = false;
    for (const handler of isClose ? this.#onClose : this.#onMessage) callAlone(() => handler(...heardOf(event)));
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
      checkTarget(target, 'comms.on(target, handler)');
      // A handler registered twice counts as two, each removed by its own function.
      const opened: Opened = checkedHandler(handler, 'comms.on(target, handler)').bind(undefined);
      this.#targets.set(target, opened);
      return makeQuiet(() => {
        if (this.#targets.get(target) === opened) this.#targets.delete(target);
      });
    },
    open: (
      target: string,
      data: unknown = {},
      metadata: Record<string, unknown> = {},
      buffers: readonly Bytes[] = [],
    ): Comm => {
      checkTarget(target, 'comms.open(target, data)');
      const content = contentOf(data, metadata, buffers);
      const comm = this.#add(randomUUID().replaceAll('-', ''), target);
      this.#send({ kind: 'open', id: comm.id, target, ...content });
      return comm;
    },
  };

  constructor(send: (comm: CommEvent) => void) {
    this.#send = (comm) => {
      if (comm.kind === 'close') this.#open.delete(comm.id);
      send(comm);
    };
  }

  /** Takes a front end's message. Closes a comm for an unregistered target at once, as the protocol requires. */
  receive(event: CommEvent): void {
    if (event.kind === 'open') {
      const opened = this.#targets.get(event.target ?? '');
      if (opened) {
        const comm = this.#add(event.id, event.target ?? '');
        callAlone(() => opened(comm, ...heardOf(event)));
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

/** A message's content as handlers get it; each gets its own bytes, at offset 0 of their buffer. */
function heardOf({ data, metadata = {}, buffers = [] }: CommEvent): Parameters<Heard> {
  return [data, metadata, buffers.map((buffer) => new Uint8Array(Buffer.from(buffer, 'base64')))];
}

/** A message's content as it is sent. */
function contentOf(data: unknown, metadata: unknown, buffers: unknown) {
  if (!Array.isArray(buffers)) {
    throw new UsageError(`The buffers of a comm message are a list, such as [bytes]; got ${kindOf(buffers)}.`);
  }
  const encoded = buffers.map(base64Of);
  return { data: jsonCopy(data), metadata: metadataOf(metadata), ...(encoded.length > 0 ? { buffers: encoded } : {}) };
}

function base64Of(given: unknown): string {
  if (ArrayBuffer.isView(given))
    return Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString('base64');
  if (types.isAnyArrayBuffer(given)) return Buffer.from(given).toString('base64');
  throw new UsageError(
    `A buffer of a comm message is a typed array, a DataView or an ArrayBuffer; got ${kindOf(given)}.`,
  );
}

function metadataOf(given: unknown): Record<string, unknown> {
  const copy = jsonCopy(given);
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return { ...copy };
  throw new UsageError(`The metadata of a comm message is an object; got ${kindOf(given)}.`);
}

function checkTarget(target: unknown, method: string): void {
  if (typeof target === 'string' && target !== '') return;
  throw new UsageError(`${method} takes the name of a target first, such as 'my-widget'.`);
}

function checkedHandler<Handler>(handler: Handler, method: string): Handler {
  if (typeof handler === 'function') return handler;
  throw new UsageError(`${method} takes a function that is called with each message.`);
}

/** Calls a handler so that its failure does not keep others from being called; nothing awaits its error. */
function callAlone(call: () => unknown): void {
  void (async () => call())();
}
