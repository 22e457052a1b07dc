import type { OutputEvent } from '../events.js';
import type { Outgoing, Outlet, Parent } from '../protocol/message.js';
import { ProgressLine } from './progress-line.js';

/** How long text is gathered after a message of the same cell; the more the cell has written, the longer. */
const GATHER_MS = 50;
const MOST_GATHER_MS = 400;
const CHARACTERS_FOR_MORE = 50_000;
const MOST_CHARACTERS = 8_000_000;
/** If streams alternate more often than this in one interval, each is joined instead of keeping them interleaved. */
const MOST_RUNS = 20;

type Stream = 'stdout' | 'stderr';

/** Text of one stream without text of the other in between. */
interface Run {
  name: Stream;
  texts: string[];
}

/**
 * Sends what one cell shows as messages under its request, even after the cell has ended. The first text is sent at
 * once; text that follows soon is joined, so that 100,000 lines become a handful of messages.
 */
export class CellOutput {
  /** What the reply carries for the front end's pager. */
  readonly payload: object[] = [];
  /** The plain text of the cell's value, for the history. */
  resultText: string | undefined;
  readonly #outlet: Outlet;
  readonly #parent: Parent;
  readonly #executionCount: number;
  #gathered: Run[] = [];
  #characters = 0;
  #written = 0;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #progress: ProgressLine | undefined;

  constructor(outlet: Outlet, parent: Parent, executionCount: number) {
    this.#outlet = outlet;
    this.#parent = parent;
    this.#executionCount = executionCount;
  }

  /** Takes the next output. */
  take(event: OutputEvent): void {
    if (event.type === 'stream') this.write(event.name, event.text);
    else if (event.type === 'progress') this.#showProgress(event.text);
    else if (event.type === 'page') this.payload.push({ source: 'page', data: event.data, start: 0 });
    else {
      this.flush();
      this.#publish(this.#messageOf(event));
    }
  }

  /** Shows text of a stream. */
  write(name: Stream, text: string): void {
    const last = this.#gathered.at(-1);
    if (last?.name === name) last.texts.push(text);
    else this.#gathered.push({ name, texts: [text] });
    this.#characters += text.length;
    this.#written += text.length;
    const gatherMs = Math.min(MOST_GATHER_MS, GATHER_MS * (1 + this.#written / CHARACTERS_FOR_MORE));
    const isRecent = performance.now() - this.#sentAtMs < gatherMs;
    if (!isRecent || this.#characters > MOST_CHARACTERS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  /** Sends another kind of message under the cell, after what it has shown. */
  send(message: Outgoing): void {
    this.flush();
    this.#publish(message);
  }

  /** Sends the gathered text. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gathered.length === 0) return;
    const runs = this.#gathered.length > MOST_RUNS ? byStream(this.#gathered) : this.#gathered;
    this.#gathered = [];
    this.#characters = 0;
    for (const { name, texts } of runs) this.#publish({ type: 'stream', content: { name, text: texts.join('') } });
  }

  #showProgress(text: string): void {
    this.#progress ??= new ProgressLine((type, content) => this.#publish({ type, content }));
    this.#progress.show(text);
  }

  #publish(message: Outgoing): void {
    this.#sentAtMs = performance.now();
    this.#outlet.publish(message, this.#parent);
  }

  #messageOf(event: Exclude<OutputEvent, { type: 'stream' | 'progress' | 'page' }>): Outgoing {
    if (event.type === 'clear') return { type: 'clear_output', content: { wait: event.wait } };
    const { data, metadata } = event;
    if (event.type === 'result') {
      const text = data['text/plain'];
      this.resultText = typeof text === 'string' ? text : undefined;
      return { type: 'execute_result', content: { execution_count: this.#executionCount, data, metadata } };
    }
    const transient = event.id === undefined ? {} : { display_id: event.id };
    const type = event.type === 'update' ? 'update_display_data' : 'display_data';
    return { type, content: { data, metadata, transient } };
  }
}

function byStream(runs: readonly Run[]): Run[] {
  const names = [...new Set(runs.map(({ name }) => name))];
  return names.map((name) => ({ name, texts: runs.flatMap((run) => (run.name === name ? run.texts : [])) }));
}
