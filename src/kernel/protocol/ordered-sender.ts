/** What messages are sent into; ZeroMQ's sockets take one at a time. */
export interface FrameSink {
  send(frames: Uint8Array[]): Promise<void>;
}

/** Sends messages one behind the other, in the order of the calls: a socket now and then takes a turn to take one. */
export class OrderedSender {
  readonly #sink: FrameSink;
  readonly #onError: (error: unknown) => void;
  #waiting: Uint8Array[][] = [];
  #isSending = false;

  /** @param onError Gets what keeps a message from being sent; the next one is sent nevertheless. */
  constructor(sink: FrameSink, onError: (error: unknown) => void) {
    this.#sink = sink;
    this.#onError = onError;
  }

  /** Sends a message: at once where none is under way. */
  send(frames: Uint8Array[]): void {
    this.#waiting.push(frames);
    if (!this.#isSending) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isSending = true;
    for (let frames = this.#waiting.shift(); frames; frames = this.#waiting.shift()) {
      try {
        await this.#sink.send(frames);
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#isSending = false;
  }
}
