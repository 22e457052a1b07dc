import type { CellFault, OutputEvent } from '../kernel/events.js';
import { type Output, splitLines } from './document.js';

/** What a notebook keeps of a cell's output. */
type KeptEvent = Exclude<OutputEvent, { type: 'progress' }>;

/** The outputs of one cell, gathered as they come. */
export class OutputCollector {
  /** As a notebook holds them. */
  readonly outputs: Output[] = [];
  readonly #executionCount: number;
  #stream: { name: string; lines: string[] } | undefined;

  constructor(executionCount: number) {
    this.#executionCount = executionCount;
  }

  /** Takes the next output; text that follows text of the same stream joins it. */
  add(event: KeptEvent): void {
    if (event.type === 'stream') {
      this.#addText(event.name, event.text);
      return;
    }
    this.#stream = undefined;
    const data = Object.fromEntries(Object.entries(event.data).map(([type, part]) => [type, asStored(type, part)]));
    const { metadata } = event;
    this.outputs.push(
      event.type === 'result'
        ? { data, execution_count: this.#executionCount, metadata, output_type: 'execute_result' }
        : { data, metadata, output_type: 'display_data' },
    );
  }

  /** Takes the error that ended the cell. */
  fail(fault: CellFault): void {
    this.#stream = undefined;
    const { name: ename, message: evalue, traceback } = fault;
    this.outputs.push({ ename, evalue, output_type: 'error', traceback });
  }

  #addText(name: string, text: string): void {
    if (this.#stream?.name !== name) {
      const lines: string[] = [];
      this.#stream = { name, lines };
      this.outputs.push({ name, output_type: 'stream', text: lines });
    }
    const { lines } = this.#stream;
    const begun = lines.at(-1)?.endsWith('\n') === false ? (lines.pop() ?? '') : '';
    for (const line of splitLines(begun + text)) lines.push(line);
  }
}

/** Texts are stored by line, so that a change of one line is a change of one line of the file. */
function asStored(type: string, part: unknown): unknown {
  const isText = type.startsWith('text/') || type === 'image/svg+xml';
  return isText && typeof part === 'string' ? splitLines(part) : part;
}
