import type { Readable } from 'node:stream';
import { nativeMark, type OutputEvent } from './events.js';

const MARK = /\0oddslab:(\d+)\0/;
const LONGEST_MARK = nativeMark(Number.MAX_SAFE_INTEGER).length;
const MARK_TIMEOUT_MS = 1000;
/** How V8 begins its report of a memory that is used up. */
const LAST_WORDS = /\n*(?:<--- Last few GCs --->|FATAL ERROR: [^\n]*heap out of memory)/;

/** What Node says at the end of a process whose watching thread still listens: of that, a reader needs to know nothing. */
const FAREWELL = 'Waiting for the debugger to disconnect...\n';

type StreamName = 'stdout' | 'stderr';

/**
 * What the runner's process, its native code or its children write straight to the process's own streams. Marks in
 * them say where a cell's output ends.
 */
export class NativeOutput {
  readonly #onOutput: (event: OutputEvent, cell: number | undefined) => void;
  readonly #held: Record<StreamName, string> = { stdout: '', stderr: '' };
  readonly #reached: Record<StreamName, number> = { stdout: 0, stderr: 0 };
  #waiting: (() => void)[] = [];
  /** What came on the error stream since a process announced there that its memory is used up: ours, or a child of it. */
  #lastWords: string[] | undefined;

  /** @param onOutput Gets each text, with the id of the cell during which it came where a mark told it. */
  constructor(
    stdout: Readable | null,
    stderr: Readable | null,
    onOutput: (event: OutputEvent, cell: number | undefined) => void,
  ) {
    this.#onOutput = onOutput;
    this.#read('stdout', stdout);
    this.#read('stderr', stderr);
  }

  /** Resolves once the mark of this cell has come on each of the streams. */
  async upTo(id: number, streams: StreamName[]): Promise<void> {
    const isReached = (): boolean => streams.every((name) => this.#reached[name] >= id);
    if (isReached()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MARK_TIMEOUT_MS);
      const check = (): void => {
        if (!isReached()) return;
        this.#waiting = this.#waiting.filter((other) => other !== check);
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(check);
    });
  }

  /**
   * Passes on what is still held back, once the process has ended.
   *
   * @param mayBeOutOfMemory Whether it ended such that V8 may have ended it for lack of memory.
   * @returns Whether it did; what V8 says of that is not passed on.
   */
  end(mayBeOutOfMemory: boolean): boolean {
    for (const name of ['stdout', 'stderr'] as const) {
      this.#emit(name, this.#held[name]);
      this.#held[name] = '';
    }
    const isOutOfMemory = mayBeOutOfMemory && this.#lastWords !== undefined;
    if (!isOutOfMemory) this.#passLastWords();
    return isOutOfMemory;
  }

  #read(name: StreamName, stream: Readable | null): void {
    stream?.setEncoding('utf8').on('data', (text: string) => this.#take(name, text));
  }

  #take(name: StreamName, text: string): void {
    let rest = this.#held[name] + text;
    for (let mark = MARK.exec(rest); mark; mark = MARK.exec(rest)) {
      this.#emit(name, rest.slice(0, mark.index), Number(mark[1]));
      // A process that goes on did not say them itself.
      if (name === 'stderr') this.#passLastWords(Number(mark[1]));
      this.#reached[name] = Number(mark[1]);
      rest = rest.slice(mark.index + mark[0].length);
    }
    const begun = rest.indexOf('\0', Math.max(0, rest.length - LONGEST_MARK));
    const ready = begun === -1 ? rest.length : begun;
    this.#emit(name, rest.slice(0, ready));
    this.#held[name] = rest.slice(ready);
    for (const check of [...this.#waiting]) check();
  }

  #emit(name: StreamName, text: string, cell?: number): void {
    const shown = name === 'stderr' ? this.#withoutLastWords(text.replaceAll(FAREWELL, '')) : text;
    if (shown !== '') this.#onOutput({ type: 'stream', name, text: shown }, cell);
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

  #passLastWords(cell?: number): void {
    for (const text of this.#lastWords ?? []) this.#onOutput({ type: 'stream', name: 'stderr', text }, cell);
    this.#lastWords = undefined;
  }
}
