import type { MimeBundle } from '../kernel/events.js';
import { type Output, splitLines } from './document.js';

/** What the cells of one run have on show by name, so that a later cell can change it. */
export class Displays {
  readonly #shown = new Map<string, Set<Output>>();

  /** Remembers an output by its id; those that were shown by the same id before show the same from now on. */
  add(id: string, output: Output): void {
    const outputs = this.#shown.get(id) ?? new Set();
    this.#shown.set(id, outputs.add(output));
    for (const older of outputs) Object.assign(older, { data: output.data, metadata: output.metadata });
  }

  /** Changes everything that is shown by an id; nothing happens where nothing is. */
  update(id: string, bundle: MimeBundle): void {
    for (const output of this.#shown.get(id) ?? []) Object.assign(output, storedBundle(bundle));
  }

  /** Forgets outputs that were taken away. */
  forget(outputs: readonly Output[]): void {
    for (const shown of this.#shown.values()) for (const output of outputs) shown.delete(output);
  }
}

/** A bundle as a notebook holds it: texts by line, so that a change of one line is a change of one line of the file. */
export function storedBundle({ data, metadata }: MimeBundle): MimeBundle {
  const entries = Object.entries(data).map(([type, part]) => [type, isText(type, part) ? splitLines(part) : part]);
  return { data: Object.fromEntries(entries), metadata };
}

function isText(type: string, part: unknown): part is string {
  const isTextual = type.startsWith('text/') || type === 'image/svg+xml' || type === 'application/javascript';
  return isTextual && typeof part === 'string';
}
