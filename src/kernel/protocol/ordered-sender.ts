import type { Frame } from './message.js';

/** Where messages are sent; ZeroMQ's sockets take one at a time. */
export interface FrameSink {
  send(frames: Frame[]): Promise<void>;
}

/**
 * Sends messages one after another, in the order of the calls, since a socket sometimes takes a turn to accept one.
 * Messages are made and sent only after the calling code is done, so that its next step, such as running a cell, need
 * not wait.
 */
export class OrderedSender {
  readonly #sink: FrameSink;
  readonly #onError: (error: unknown) => void;
  #waiting: (() => Frame[])[] = [];
  #isSending = false;

  /**
   * @param onError Gets the error that kept a message from being made or sent; later messages are sent nevertheless.
   */
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
