import type { Frame } from './message.js';

/** What messages are sent into; ZeroMQ's sockets take one at a time. */
export interface FrameSink {
  send(frames: Frame[]): Promise<void>;
}

/**
 * Sends messages one behind the other, in the order of the calls: a socket now and then takes a turn to take one. They are
 * made and sent once the code that called is done: what it does next, such as to have a cell run, does not wait for it.
 */
export class OrderedSender {
  readonly #sink: FrameSink;
  readonly #onError: (error: unknown) => void;
  #waiting: (() => Frame[])[] = [];
  #isSending = false;

  /** @param onError Gets what keeps a message from being made or sent; the next one is sent nevertheless. */
  constructor(sink: FrameSink, onError: (error: unknown) => void) {
    this.#sink = sink;
    this.#onError = onError;
  }

  /** Sends a message. */
  send(make: () => Frame[]): void {
    this.#waiting.push(make);
    if (!this.#isSending) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    await null;
    for (let make = this.#waiting.shift(); make; make = this.#waiting.shift()) {
      try {
        await this.#sink.send(make());
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#isSending = false;
  }
}
