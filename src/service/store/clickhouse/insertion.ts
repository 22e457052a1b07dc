import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { refusal, ShardError } from './shard-error.js';

/** How long a server may accept no rows of a stream. */
const STALL_MS = 300_000;

/** How much is gathered before it is sent, in characters. */
const BATCH_BYTES = 1 << 18;

/** A stream of rows into a table, sent as fast as the server takes them. */
export class Insertion {
  readonly #request: ClientRequest;
  readonly #shown: string;
  /** Settles with the server's answer. An answer before all rows are sent is a refusal. */
  readonly #answer: Promise<void>;
  #failed: unknown;
  #waiting = '';

  constructor(request: ClientRequest, shown: string) {
    this.#request = request;
    this.#shown = shown;
    request.setTimeout(STALL_MS, () => request.destroy(new Error(`it took no rows for ${STALL_MS / 1000} s`)));
    this.#answer = this.#read();
    this.#answer.catch((error: unknown) => {
      this.#failed = error;
    });
  }

  /** Adds a line to the next batch. */
  add(line: string): void {
    this.#waiting += `${line}\n`;
  }

  /** Sends the batch if it is large enough; waits while the server is behind. @throws {ShardError} If it refused. */
  async send(): Promise<void> {
    if (this.#waiting.length >= BATCH_BYTES) await this.#send();
  }

  /** Sends the rest, and waits until the server has written all rows. @throws {ShardError} As {@link send}. */
  async finish(): Promise<void> {
    await this.#send();
    this.#request.end();
    await this.#answer;
  }

  /** Breaks the stream off. */
  destroy(): void {
    this.#request.destroy();
  }

  async #send(): Promise<void> {
    if (this.#failed) throw this.#failed;
    const batch = this.#waiting;
    this.#waiting = '';
    if (this.#request.write(batch)) return;
    await Promise.race([once(this.#request, 'drain'), this.#answer]);
  }

  async #read(): Promise<void> {
    try {
      const [response] = await once(this.#request, 'response');
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      if (response.statusCode !== 200) throw refusal(this.#shown, response.statusCode, text);
    } catch (error) {
      this.#request.destroy();
      if (error instanceof ShardError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ShardError(`ClickHouse at ${this.#shown} went while rows were sent: ${why}.`, 'unreachable', {
        cause: error,
      });
    }
  }
}
