import type { CellFault, MimeBundle, OutputEvent } from '../kernel/wire/runner.js';
import { type Output, splitLines } from './format/nbformat.js';
import { StreamLine } from './format/overwritten.js';

/** Collects the outputs of one cell as they come, including those that come after its end. */
export class OutputCollector {
  /** The outputs as a notebook stores them. */
  readonly outputs: Output[] = [];
  readonly executionCount: number;
  readonly #displays: Displays;
  /** The output that further text of the same stream is appended to; `last`: its last line, if that has no end yet. */
  #stream: { name: string; lines: string[]; last: StreamLine | undefined } | undefined;
  #clearsNext = false;

  /** @param displays The displays of all cells of the run. Default: of this cell alone. */
  constructor(executionCount: number, displays = new Displays()) {
    this.executionCount = executionCount;
    this.#displays = displays;
  }

  /**
   * Takes the next output. Text is appended to text of the same stream before it, or overwrites its last line, as front
   * ends show it; transient events are ignored.
   */
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
      this.#stream = { name, lines, last: undefined };
    }
    const stream = this.#stream;
    // Only the last line is extended or overwritten, never the whole text: it may come in a great many pieces.
    for (const line of splitLines(text)) {
      const isOver = line.endsWith('\n');
      const last = stream.last ?? new StreamLine();
      if (last.text !== '') stream.lines.pop();
      last.write(isOver ? line.slice(0, -1) : line);
      if (isOver || last.text !== '') stream.lines.push(isOver ? `${last.text}\n` : last.text);
      stream.last = isOver ? undefined : last;
    }
  }
}

/** The displays with an id that the cells of one run have shown, so that a later cell can update them. */
export class Displays {
  readonly #shown = new Map<string, Set<Output>>();

  /** Remembers an output by its id; earlier outputs with the same id show the same from then on. */
  add(id: string, output: Output): void {
    const outputs = this.#shown.get(id) ?? new Set();
    this.#shown.set(id, outputs.add(output));
    for (const older of outputs) Object.assign(older, { data: output.data, metadata: output.metadata });
  }

  /** Changes all outputs with an id, if there are any. */
  update(id: string, bundle: MimeBundle): void {
    for (const output of this.#shown.get(id) ?? []) Object.assign(output, storedBundle(bundle));
  }

  /** Forgets outputs that were cleared. */
  forget(outputs: readonly Output[]): void {
    for (const shown of this.#shown.values()) for (const output of outputs) shown.delete(output);
  }
}

/** A bundle as a notebook stores it: texts as lists of lines, so that a changed line changes one line of the file. */
function storedBundle({ data, metadata }: MimeBundle): MimeBundle {
  const entries = Object.entries(data).map(([type, part]) => [type, isText(type, part) ? splitLines(part) : part]);
  return { data: Object.fromEntries(entries), metadata };
}

function isText(type: string, part: unknown): part is string {
  const isTextual = type.startsWith('text/') || type === 'image/svg+xml' || type === 'application/javascript';
  return isTextual && typeof part === 'string';
}
