import type { Readable } from 'node:stream';
import type { OutputEvent } from './events.js';
import type { ProcessEnd } from './process-fault.js';

/** More than a stream holds that nobody reads. */
const MOST_UNREAD = 1024 * 1024;
/** How long a process that the cell has left behind may hold it back by writing on and on. */
const MOST_MS = 1000;
/** How V8 begins its report of a memory that is used up. */
const LAST_WORDS = /\n*(?:<--- Last few GCs --->|FATAL ERROR: [^\n]*heap out of memory)/;

/** What Node says at the end of a process whose watching thread still listens: of that, a reader needs to know nothing. */
const FAREWELL = 'Waiting for the debugger to disconnect...\n';

type TextEvent = OutputEvent & { type: 'stream' };

/** What the runner's process, its native code or its children write straight to the process's own streams. */
export class NativeOutput {
  readonly #onOutput: (event: TextEvent) => void;
  #characters = 0;
  /** What came before the process was ready for cells. */
  #early: TextEvent[] | undefined = [];
  /** What came on the error stream since a process announced there that its memory is used up: ours, or a child of it. */
  #lastWords: string[] | undefined;

  /** @param onOutput Gets each text. */
  constructor(stdout: Readable | null, stderr: Readable | null, onOutput: (event: TextEvent) => void) {
    this.#onOutput = onOutput;
    this.#read('stdout', stdout);
    this.#read('stderr', stderr);
  }

  /** Passes on what came before the process was ready for cells, and from now on whatever comes. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.#onOutput(event);
  }

  /** Resolves once all has been passed on that was written before the call, by a process that goes on. */
  async drained(): Promise<void> {
    const start = this.#characters;
    const startMs = performance.now();
    for (let before = -1; before !== this.#characters; ) {
      if (this.#characters - start > MOST_UNREAD || performance.now() - startMs > MOST_MS) break;
      before = this.#characters;
      await polled();
    }
    // It did not say them itself.
    this.#passLastWords();
  }

  /**
   * Passes on what is still held back, once the process has ended.
   *
   * @param mayBeOutOfMemory Whether it ended such that V8 may have ended it for lack of memory.
   * @returns Whether it did, and what it wrote where it never was ready; neither that nor what V8 says is passed on.
   */
  end(mayBeOutOfMemory: boolean): Pick<ProcessEnd, 'isOutOfMemory' | 'startText'> {
    const isOutOfMemory = mayBeOutOfMemory && this.#lastWords !== undefined;
    if (!isOutOfMemory) this.#passLastWords();
    const startText = this.#early
      ?.map(({ text }) => text)
      .join('')
      .trim();
    return { isOutOfMemory, ...(startText && { startText }) };
  }

  #read(name: TextEvent['name'], stream: Readable | null): void {
    stream?.setEncoding('utf8').on('data', (text: string) => this.#take(name, text));
  }

  #take(name: TextEvent['name'], text: string): void {
    this.#characters += text.length;
    const shown = name === 'stderr' ? this.#withoutLastWords(text.replaceAll(FAREWELL, '')) : text;
    if (shown !== '') this.#pass({ type: 'stream', name, text: shown });
  }

  #withoutLastWords(text: string): string {
    if (this.#lastWords) {
      this.#lastWords.push(text);
      return '';
    }
    const at = text.search(LAST_WORDS);
    if (at === -1) return text;
    this.#lastWords = [text.slice(at)];
    return text.slice(0, at);
  }

  #pass(event: TextEvent): void {
    if (this.#early) this.#early.push(event);
    else this.#onOutput(event);
  }

  #passLastWords(): void {
    for (const text of this.#lastWords ?? []) this.#pass({ type: 'stream', name: 'stderr', text });
    this.#lastWords = undefined;
  }
}

/** Resolves once each stream has been asked for what it holds: within one turn of the event loop, from its start on. */
function polled(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
