import type { CellFault, OutputEvent } from '../kernel/events.js';
import { Displays, storedBundle } from './displays.js';
import { type Output, splitLines } from './document.js';

/** The outputs of one cell, gathered as they come, also those that come when it is over. */
export class OutputCollector {
  /** As a notebook holds them. */
  readonly outputs: Output[] = [];
  readonly executionCount: number;
  readonly #displays: Displays;
  /** What text joins now; `isBegun` says whether its last line goes on. */
  #stream: { name: string; lines: string[]; isBegun: boolean } | undefined;
  #clearsNext = false;

  /** @param displays What the cells of the run have on show by name. Default: this cell is alone. */
  constructor(executionCount: number, displays = new Displays()) {
    this.executionCount = executionCount;
    this.#displays = displays;
  }

  /** Takes the next output; text that follows text of the same stream joins it. What is never kept is left out. */
  add(event: OutputEvent): void {
    if (event.type === 'stream') this.#addText(event.name, event.text);
    else if (event.type === 'update') this.#displays.update(event.id, event);
    else if (event.type === 'clear') this.#clear(event.wait);
    else if (event.type === 'result') {
      const { data, metadata } = storedBundle(event);
      this.#push({ data, execution_count: this.executionCount, metadata, output_type: 'execute_result' });
    } else if (event.type === 'display') {
      const output: Output = { ...storedBundle(event), output_type: 'display_data' };
      this.#push(output);
      if (event.id !== undefined) this.#displays.add(event.id, output);
    }
  }

  /** Takes the error that ended the cell. */
  fail({ name: ename, message: evalue, traceback }: CellFault): void {
    this.#push({ ename, evalue, output_type: 'error', traceback });
  }

  #push(output: Output): void {
    if (this.#clearsNext) this.#clear(false);
    this.#stream = undefined;
    this.outputs.push(output);
  }

  #clear(wait: boolean): void {
    this.#clearsNext = wait;
    if (wait) return;
    this.#stream = undefined;
    this.#displays.forget(this.outputs.splice(0));
  }

  #addText(name: string, text: string): void {
    if (text === '') return;
    if (this.#clearsNext || this.#stream?.name !== name) {
      const lines: string[] = [];
      this.#push({ name, output_type: 'stream', text: lines });
      this.#stream = { name, lines, isBegun: false };
    }
    const stream = this.#stream;
    // A line that goes on is not looked at again: it may come in a great many pieces.
    for (const line of splitLines(text)) {
      stream.lines.push(stream.isBegun ? `${stream.lines.pop() ?? ''}${line}` : line);
      stream.isBegun = !line.endsWith('\n');
    }
  }
}
