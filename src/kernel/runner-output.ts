import type { Readable } from 'node:stream';
import { toUSVString } from 'node:util';
import type { ProcessEnd } from './process-fault.js';
import type { OutputEvent } from './wire/runner.js';

/** How long text waits for more. */
const GATHER_MS = 10;
/** Most characters that one output gathers before it is passed on. */
const LARGEST = 4 * 1024 * 1024;

type TextEvent = OutputEvent & { type: 'stream' };

/**
 * Joins the many small parts in which a runner's process sends text, so that lines printed in one go are one output in
 * every run. Rejoins surrogate pairs that were cut; a half that stays alone becomes U+FFFD, as when Node prints it.
 */
export class JoinedOutput {
  readonly #onOutput: (cell: number, event: OutputEvent) => void;
  #held: { cell: number; event: TextEvent } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onOutput: (cell: number, event: OutputEvent) => void) {
    this.#onOutput = onOutput;
  }

  /** Takes the next output of a cell. */
  take(cell: number, event: OutputEvent): void {
    if (event.type !== 'stream') {
      this.flush();
      this.#onOutput(cell, event);
      return;
    }
    const held = this.#held;
    const isJoined = held?.cell === cell && held.event.name === event.name;
    if (isJoined) held.event.text += event.text;
    else {
      this.flush();
      this.#held = { cell, event: { ...event } };
    }
    if (isJoined && held.event.text.length > LARGEST) this.#pass(true);
    else this.#timer ??= setTimeout(() => this.#pass(true), GATHER_MS);
  }

  /** Passes on the text that waits. */
  flush(): void {
    this.#pass(false);
  }

  /** @param mayGoOn Whether to keep half a surrogate pair at the end, whose other half may be on its way. */
  #pass(mayGoOn: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const { cell, event } = held;
    const isCut = mayGoOn && /[\ud800-\udbff]/.test(event.text.slice(-1));
    const text = isCut ? event.text.slice(0, -1) : event.text;
    if (isCut) this.#held = { cell, event: { ...event, text: event.text.slice(-1) } };
    if (text !== '') this.#onOutput(cell, { ...event, text: toUSVString(text) });
  }
}

/** More than an unread stream holds. */
const MOST_UNREAD = 1024 * 1024;
/** How long a process left behind by a cell can delay it by writing on and on. */
const MOST_MS = 1000;
/** How V8's report of exhausted memory begins. The search must not begin again within a run of blank lines. */
const LAST_WORDS = /(?<!\n)\n*(?:<--- Last few GCs --->|FATAL ERROR: [^\n]*heap out of memory)/;

/** What Node writes when a process ends while its watching thread still listens; it means nothing to a reader. */
const FAREWELL = 'Waiting for the debugger to disconnect...\n';

/** Reads what the runner's process, its native code or its children write directly to the process's streams. */
export class NativeOutput {
  readonly #onOutput: (event: TextEvent) => void;
  #characters = 0;
  /** Output from before the process was ready for cells. */
  #early: TextEvent[] | undefined = [];
  /** What stderr got since some process, the runner's or a child of it, reported there that its memory is exhausted. */
  #lastWords: string[] | undefined;

  constructor(stdout: Readable | null, stderr: Readable | null, onOutput: (event: TextEvent) => void) {
    this.#onOutput = onOutput;
    this.#read('stdout', stdout);
    this.#read('stderr', stderr);
  }

  /** Counts what came from the process another way, so that {@link drained} waits for the rest of it. */
  heard(characters: number): void {
    this.#characters += characters;
  }

  /** Passes on the output from before the process was ready for cells; later output is passed on as it comes. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.#onOutput(event);
  }

  /** Resolves once everything written before the call has been passed on, if the process goes on. */
  async drained(): Promise<void> {
    await this.quiet();
    // The process lives, so another one wrote that its memory is exhausted.
    this.#passLastWords();
  }

  /** Resolves once everything written before the call has been read. */
  async quiet(): Promise<void> {
    const start = this.#characters;
    const startMs = performance.now();
    for (let before = -1; before !== this.#characters; ) {
      if (this.#characters - start > MOST_UNREAD || performance.now() - startMs > MOST_MS) break;
      before = this.#characters;
      await polled();
    }
  }

  /**
   * Passes on what is still held back, once the process has ended, perhaps by V8 for lack of memory. Returns whether it
   * did, and what the process wrote if it was never ready; that and V8's report are not passed on.
   */
  end(mayBeOutOfMemory: boolean): Pick<ProcessEnd, 'isOutOfMemory' | 'startText'> {
    const isOutOfMemory = mayBeOutOfMemory && this.#lastWords !== undefined;
    if (!isOutOfMemory) this.#passLastWords();
    const early = this.#early ?? [];
    const startText = early
      .map(({ text }) => text)
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

/** Resolves once each stream has been polled, within one full turn of the event loop. */
function polled(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
