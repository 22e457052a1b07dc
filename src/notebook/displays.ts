import type { MimeBundle } from '../kernel/events.js';
import { type Output, splitLines } from './document.js';

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

/**
 * A bundle as a notebook stores it: texts as lists of lines, so that changing one line changes one line of the file.
 */
export function storedBundle({ data, metadata }: MimeBundle): MimeBundle {
  const entries = Object.entries(data).map(([type, part]) => [type, isText(type, part) ? splitLines(part) : part]);
  return { data: Object.fromEntries(entries), metadata };
}

function isText(type: string, part: unknown): part is string {
  const isTextual = type.startsWith('text/') || type === 'image/svg+xml' || type === 'application/javascript';
  return isTextual && typeof part === 'string';
}
